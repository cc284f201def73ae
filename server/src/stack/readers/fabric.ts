import type { Fabric, Known, Unknown } from '../facts/facts.ts';
import { listIfThere, type Machine, readTextIfThere } from '../machine/machine.ts';
import { readFact, unknown } from './readFact.ts';

/** The path in the service's unit (`PIDFile`). */
const PID_FILE = '/run/nvidia-fabricmanager/nv-fabricmanager.pid';

/** NVSwitches, by their files in `/dev`, and the state of the fabric manager. Linux only. */
export function readFabric(machine: Machine, container: boolean): Promise<Known<Fabric | null> | Unknown> {
  if (machine.platform !== 'linux' || container) {
    const reason = container ? "the host's services are not visible in a container" : 'not Linux';
    return Promise.resolve(unknown(machine, PID_FILE, 'notApplicable', reason));
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
