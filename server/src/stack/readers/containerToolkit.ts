import type { ContainerToolkit, Fabric, KnownFact, UnknownFact } from '../facts/facts.ts';
import { listIfThere, type Machine, readTextIfThere, realPathIfThere } from '../machine/machine.ts';
import { systemLibraryFolders } from './libraryFolders.ts';
import { readFact, unknownFact } from './readFact.ts';

const LIBRARY = 'libnvidia-container.so.1';
const SETTINGS = '/etc/nvidia-container-runtime/config.toml';

/**
 * The version of the toolkit that passes GPUs into containers, read on the host: the file name of its library contains
 * it. Linux only.
 */
export function readContainerToolkit(
  machine: Machine,
  container: boolean,
): Promise<KnownFact<ContainerToolkit | null> | UnknownFact> {
  if (machine.platform !== 'linux' || container) {
    const reason = container ? "the host's is not visible in a container" : 'not Linux';
    return Promise.resolve(unknownFact(machine, LIBRARY, 'notApplicable', reason));
  }
  return readFact(machine, 'the folders of the dynamic linker', async () => {
    for (const folder of await systemLibraryFolders(machine)) {
      const path = machine.path.join(folder, LIBRARY);
      const real = await realPathIfThere(machine, path);
      const version = real?.match(/\.so\.(\d+\.\d+\.\d+)$/)?.[1];
      if (version !== undefined) return { version, path, setsDeviceRules: await setsDeviceRules(machine) };
    }
    return null;
  });
}

async function setsDeviceRules(machine: Machine): Promise<boolean> {
  const settings = (await readTextIfThere(machine, SETTINGS).catch(() => undefined)) ?? '';
  return !/^\s*no-cgroups\s*=\s*true/m.test(settings);
}

/** The path in the service's unit (`PIDFile`). */
const PID_FILE = '/run/nvidia-fabricmanager/nv-fabricmanager.pid';

/** NVSwitches, by their files in `/dev`, and the state of the fabric manager. Linux only. */
export function readFabric(machine: Machine, container: boolean): Promise<KnownFact<Fabric | null> | UnknownFact> {
  if (machine.platform !== 'linux' || container) {
    const reason = container ? "the host's services are not visible in a container" : 'not Linux';
    return Promise.resolve(unknownFact(machine, PID_FILE, 'notApplicable', reason));
  }
  return readFact(machine, PID_FILE, async () => {
    const switches = (await listIfThere(machine, '/dev')).filter((name) => /^nvidia-nvswitch\d+$/.test(name)).length;
    if (switches === 0) return null;
    const pid = (await readTextIfThere(machine, PID_FILE, 32))?.trim();
    // A killed service leaves its file.
    const name = /^\d+$/.test(pid ?? '') ? await readTextIfThere(machine, `/proc/${pid}/comm`, 32) : undefined;
    return { switches, managerRuns: name?.startsWith('nv-fabricmanag') ?? false };
  });
}
