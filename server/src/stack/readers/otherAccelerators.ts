import { nameOfXpu } from '../../published/releases/xpuReleases.ts';
import type { AcceleratorDevice, KnownFact, OtherAccelerator, PciGpu, UnknownFact } from '../facts/facts.ts';
import { listIfThere, type Machine, readTextIfThere } from '../machine/machine.ts';
import { readFact } from './readFact.ts';

const TOPOLOGY = '/sys/class/kfd/kfd/topology/nodes';

/** GPUs of AMD, Apple and Intel, detected without starting a process. */
export function readOtherAccelerators(
  machine: Machine,
  pciGpus: PciGpu[],
): Promise<KnownFact<OtherAccelerator[]> | UnknownFact> {
  return readFact(machine, 'platform, /dev/kfd, PCI devices', async () => {
    if (machine.platform === 'darwin') return readApple(machine);
    if (machine.platform !== 'linux') return [];
    return [...(await readAmd(machine)), ...ofIntel(pciGpus)];
  });
}

/** Every Mac with an Apple processor has a GPU that Metal supports and that shares its memory. */
function readApple(machine: Machine): OtherAccelerator[] {
  if (machine.architecture !== 'arm64') return [];
  const name = machine.processor();
  const devices = name === null ? [] : [{ name, architecture: null, memoryTotal: null }];
  return [{ vendor: 'apple', api: 'mps', sign: 'macOS on arm64', version: null, devices }];
}

/** ROCm's kernel interface exists if the amdgpu driver has a GPU that can compute. */
async function readAmd(machine: Machine): Promise<OtherAccelerator[]> {
  if (!(await listIfThere(machine, '/dev')).includes('kfd')) return [];
  const version = await readTextIfThere(machine, '/opt/rocm/.info/version').catch(() => undefined);
  const nodes = (await listIfThere(machine, TOPOLOGY)).sort((left, right) => Number(left) - Number(right));
  const devices = await Promise.all(nodes.map((node) => readKfdNode(machine, `${TOPOLOGY}/${node}`)));
  return [
    {
      vendor: 'amd',
      api: 'rocm',
      sign: '/dev/kfd',
      version: version?.match(/^\d+(\.\d+)+/)?.[0] ?? null,
      devices: devices.flatMap((device) => device ?? []),
    },
  ];
}

/** Processors are nodes of the topology too; they have no GPU architecture. */
async function readKfdNode(machine: Machine, folder: string): Promise<AcceleratorDevice | undefined> {
  const read = (file: string) => readTextIfThere(machine, `${folder}/${file}`).catch(() => undefined);
  const target = (await read('properties'))?.match(/^gfx_target_version (\d+)$/m)?.[1];
  if (target === undefined || Number(target) === 0) return undefined;
  const architecture = gfxName(Number(target));
  const bytes = (await read('mem_banks/0/properties'))?.match(/^size_in_bytes (\d+)$/m)?.[1];
  return {
    name: architecture,
    architecture,
    memoryTotal: bytes === undefined ? null : Math.round(Number(bytes) / 2 ** 20),
  };
}

/** 110000 is gfx1100 and 90010 is gfx90a: two decimal digits for each part, the last written in hexadecimal. */
function gfxName(target: number): string {
  const [major, minor, step] = [Math.floor(target / 10000), Math.floor(target / 100) % 100, target % 100];
  return `gfx${major}${minor.toString(16)}${step.toString(16)}`;
}

/** torch does not support older Intel graphics, so they are omitted. */
function ofIntel(pciGpus: PciGpu[]): OtherAccelerator[] {
  const found = pciGpus.flatMap(({ vendor, device, driver, address }) => {
    const name = nameOfXpu(device);
    if (vendor !== 'intel' || (driver !== 'xe' && driver !== 'i915') || name === undefined) return [];
    return [{ address, name }];
  });
  const [first] = found;
  if (first === undefined) return [];
  const devices = found.map(({ name }) => ({ name, architecture: null, memoryTotal: null }));
  return [{ vendor: 'intel', api: 'xpu', sign: `/sys/bus/pci/devices/${first.address}`, version: null, devices }];
}
