import { type DeviceFile, type Fact, type Known, knownValue, type PciGpu, type Unknown } from '../facts/facts.ts';
import { listIfThere, type Machine, readTextIfThere, realPathIfThere } from '../machine/machine.ts';
import { known, readFact, unknown } from './readFact.ts';

const PCI_FOLDER = '/sys/bus/pci/devices';

const VENDORS: Record<string, PciGpu['vendor']> = { '10de': 'nvidia', '1002': 'amd', '8086': 'intel' };

/**
 * The GPUs on the PCI bus, which lists them even without a driver. Linux only. Unknown in a container without any
 * device on the bus, because a sandbox hides all of them.
 */
export async function readPciGpus(
  machine: Machine,
  container: Promise<Fact<string | null>>,
): Promise<Known<PciGpu[]> | Unknown> {
  if (machine.platform !== 'linux') return unknown(machine, PCI_FOLDER, 'notApplicable', 'not Linux');
  const addresses = await readFact(machine, PCI_FOLDER, async () => (await listIfThere(machine, PCI_FOLDER)).sort());
  if ('unknown' in addresses) return addresses;
  if (addresses.value.length === 0 && knownValue(await container))
    return unknown(machine, PCI_FOLDER, 'absent', 'this container shows no PCI device');
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
export async function readDeviceFiles(machine: Machine): Promise<Known<DeviceFile[]> | Unknown> {
  if (machine.platform !== 'linux') return unknown(machine, '/dev', 'notApplicable', 'not Linux');
  return readFact(machine, '/dev', async () => {
    const top = (await listIfThere(machine, '/dev')).filter((name) => DEVICE_FILES.test(name));
    const render = (await listIfThere(machine, '/dev/dri')).filter((name) => /^renderD\d+$/.test(name));
    const paths = [...top.map((name) => `/dev/${name}`), ...render.map((name) => `/dev/dri/${name}`)];
    paths.sort((left, right) => left.localeCompare(right, 'en', { numeric: true }));
    return Promise.all(paths.map(async (path) => ({ path, usable: await machine.isUsable(path) })));
  });
}
