import { capabilityOf } from '../../published/gpuCapabilities.ts';
import {
  type DeviceFile,
  type Fact,
  type Gpu,
  type KernelModule,
  type KnownFact,
  knownValue,
  type NvidiaLibrary,
  type PciGpu,
  type UnknownFact,
} from '../facts/facts.ts';
import {
  environmentVariable,
  listIfThere,
  type Machine,
  readTextIfThere,
  realPathIfThere,
} from '../machine/machine.ts';
import { searchFolders, systemLibraryFolders } from './libraryFolders.ts';
import { known, readFact, unknownFact } from './readFact.ts';

const PCI_FOLDER = '/sys/bus/pci/devices';

const VENDORS: Record<string, PciGpu['vendor']> = { '10de': 'nvidia', '1002': 'amd', '8086': 'intel' };

/**
 * The GPUs on the PCI bus, which lists them even without a driver. Linux only. Unknown in a container without any
 * device on the bus, because a sandbox hides all of them.
 */
export async function readPciGpus(
  machine: Machine,
  container: Promise<Fact<string | null>>,
): Promise<KnownFact<PciGpu[]> | UnknownFact> {
  if (machine.platform !== 'linux') return unknownFact(machine, PCI_FOLDER, 'notApplicable', 'not Linux');
  const addresses = await readFact(machine, PCI_FOLDER, async () => (await listIfThere(machine, PCI_FOLDER)).sort());
  if ('unknown' in addresses) return addresses;
  if (addresses.value.length === 0 && knownValue(await container))
    return unknownFact(machine, PCI_FOLDER, 'absent', 'this container shows no PCI device');
  const devices = await Promise.all(addresses.value.map((address) => readPciGpu(machine, address)));
  return known(
    machine,
    PCI_FOLDER,
    devices.flatMap((device) => device ?? []),
  );
}

async function readPciGpu(machine: Machine, address: string): Promise<PciGpu | undefined> {
  const folder = `${PCI_FOLDER}/${address}`;
  const read = async (name: string) =>
    (await readTextIfThere(machine, `${folder}/${name}`, 16).catch(() => undefined))?.trim().replace(/^0x/, '');
  // Display controllers and processing accelerators: PCI classes 03 and 12.
  if (!/^(03|12)/.test((await read('class')) ?? '')) return undefined;
  const vendor = VENDORS[(await read('vendor')) ?? ''];
  if (vendor === undefined) return undefined;
  const driver = await realPathIfThere(machine, `${folder}/driver`);
  return {
    address,
    vendor,
    device: (await read('device')) ?? '',
    driver: driver === undefined ? null : machine.path.basename(driver),
  };
}

/** The control and device files of NVIDIA's driver, WSL's GPU device, and ROCm's and Intel's device files. */
const DEVICE_FILES = /^(nvidia\d+|nvidiactl|nvidia-uvm|dxg|kfd)$/;

/** The files in `/dev` that programs use to access GPUs. Linux only. */
export async function readDeviceFiles(machine: Machine): Promise<KnownFact<DeviceFile[]> | UnknownFact> {
  if (machine.platform !== 'linux') return unknownFact(machine, '/dev', 'notApplicable', 'not Linux');
  return readFact(machine, '/dev', async () => {
    const top = (await listIfThere(machine, '/dev')).filter((name) => DEVICE_FILES.test(name));
    const render = (await listIfThere(machine, '/dev/dri')).filter((name) => /^renderD\d+$/.test(name));
    const paths = [...top.map((name) => `/dev/${name}`), ...render.map((name) => `/dev/dri/${name}`)];
    paths.sort((left, right) => left.localeCompare(right, 'en', { numeric: true }));
    return Promise.all(paths.map(async (path) => ({ path, usable: await machine.isUsable(path) })));
  });
}

const VERSION_FILE = '/proc/driver/nvidia/version';
/** The driver's libraries run it by this path. */
const MODPROBE = '/usr/bin/nvidia-modprobe';
const GPU_FOLDER = '/proc/driver/nvidia/gpus';

/** The loaded kernel module, which is the driver's version, read without starting a process. Linux only. */
export async function readKernelModule(machine: Machine): Promise<KnownFact<KernelModule> | UnknownFact> {
  if (machine.platform !== 'linux') return unknownFact(machine, VERSION_FILE, 'notApplicable', 'not Linux');
  const text = await readTextIfThere(machine, VERSION_FILE).catch(() => undefined);
  if (text === undefined) {
    return unknownFact(machine, VERSION_FILE, 'driverNotRunning', 'no NVIDIA kernel module is loaded');
  }
  const version = text.match(/Kernel Module[^\n]*?\s(\d+\.\d+(?:\.\d+)?)\s/)?.[1];
  if (version === undefined)
    return unknownFact(machine, VERSION_FILE, 'unreadable', `${VERSION_FILE} contains no version`);
  const open = /Open Kernel Module/.test(text);
  const modprobe = await machine.isUsable(MODPROBE);
  return known(machine, VERSION_FILE, { version, open, ...(modprobe && { modprobe }) });
}

/**
 * The GPUs that the kernel module controls, with only name and UUID, read without starting a process. Linux only. The
 * folders are named by PCI address, which is also nvidia-smi's order.
 */
export function readKernelGpus(machine: Machine): Promise<KnownFact<Gpu[]> | UnknownFact> {
  return readFact(machine, GPU_FOLDER, async () => {
    const gpus: Gpu[] = [];
    for (const address of (await listIfThere(machine, GPU_FOLDER)).sort()) {
      const text = await readTextIfThere(machine, `${GPU_FOLDER}/${address}/information`);
      const name = text?.match(/^Model:\s*(.+?)\s*$/m)?.[1];
      if (name === undefined) continue;
      gpus.push({
        index: gpus.length,
        name,
        uuid: text?.match(/^GPU UUID:\s*(GPU-[0-9a-f-]+)\s*$/m)?.[1] ?? null,
        memoryTotal: null,
        memoryUsed: null,
        utilization: null,
        computeCapability: capabilityOf(name),
        mig: null,
        migInstances: [],
      });
    }
    return gpus;
  });
}

/** Folders of the driver's libraries in WSL, on container hosts and in NixOS. */
const MOUNTED_FOLDERS = ['/usr/lib/wsl/lib', '/usr/local/nvidia/lib64', '/run/opengl-driver/lib'];

/** Every libcuda that could be loaded, by precedence, with the version in its file name if there is one. */
export function readDriverLibraries(machine: Machine): Promise<KnownFact<NvidiaLibrary[]> | UnknownFact> {
  if (machine.platform === 'darwin') return Promise.resolve(known(machine, 'platform', []));
  if (machine.platform === 'win32') return readWindowsLibrary(machine);
  return readFact(machine, 'LD_LIBRARY_PATH and the folders of the dynamic linker', async () => {
    const usual = [...(await systemLibraryFolders(machine)), ...MOUNTED_FOLDERS];
    const libraries = await Promise.all([
      ...searchFolders(machine).map((folder) => libraryIn(machine, folder, 'libraryPath')),
      ...usual.map((folder) => libraryIn(machine, folder, 'system')),
    ]);
    const found = new Map<string, NvidiaLibrary>();
    for (const library of libraries) if (library && !found.has(library.real)) found.set(library.real, library.library);
    return [...found.values()];
  });
}

async function libraryIn(
  machine: Machine,
  folder: string,
  origin: NvidiaLibrary['origin'],
): Promise<{ real: string; library: NvidiaLibrary } | undefined> {
  const path = machine.path.join(folder, 'libcuda.so.1');
  const real = await realPathIfThere(machine, path);
  if (real === undefined) return undefined;
  const version = machine.path.basename(real).match(/^libcuda\.so\.(\d+\.\d+(?:\.\d+)?)$/)?.[1];
  const plain = machine.path.join(folder, 'libcuda.so');
  const hasPlainName = (await realPathIfThere(machine, plain)) !== undefined;
  return {
    real,
    library: { version: version ?? '1', path, origin, package: null, ...(hasPlainName && { hasPlainName }) },
  };
}

function readWindowsLibrary(machine: Machine): Promise<KnownFact<NvidiaLibrary[]> | UnknownFact> {
  const windows = environmentVariable(machine, 'SystemRoot') ?? 'C:\\Windows';
  const path = machine.path.join(windows, 'System32', 'nvcuda.dll');
  return readFact(machine, path, async () =>
    (await realPathIfThere(machine, path)) === undefined
      ? []
      : [{ version: '1', path, origin: 'system', package: null }],
  );
}
