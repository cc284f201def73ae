import type { Gpu, KernelModule, Known, Unknown } from '../facts/facts.ts';
import { capabilityOf } from '../facts/gpuName.ts';
import { listIfThere, type Machine, readTextIfThere } from '../machine/machine.ts';
import { known, readFact, unknown } from './readFact.ts';

const VERSION_FILE = '/proc/driver/nvidia/version';
/** The driver's libraries run it by this path. */
const MODPROBE = '/usr/bin/nvidia-modprobe';
const GPU_FOLDER = '/proc/driver/nvidia/gpus';

/** The loaded kernel module, which is the driver's version, read without starting a process. Linux only. */
export async function readKernelModule(machine: Machine): Promise<Known<KernelModule> | Unknown> {
  if (machine.platform !== 'linux') return unknown(machine, VERSION_FILE, 'notApplicable', 'not Linux');
  const text = await readTextIfThere(machine, VERSION_FILE).catch(() => undefined);
  if (text === undefined) {
    return unknown(machine, VERSION_FILE, 'driverNotRunning', 'no NVIDIA kernel module is loaded');
  }
  const version = text.match(/Kernel Module[^\n]*?\s(\d+\.\d+(?:\.\d+)?)\s/)?.[1];
  if (version === undefined) return unknown(machine, VERSION_FILE, 'unreadable', `${VERSION_FILE} contains no version`);
  const open = /Open Kernel Module/.test(text);
  const modprobe = await machine.isUsable(MODPROBE);
  return known(machine, VERSION_FILE, { version, open, ...(modprobe && { modprobe }) });
}

/**
 * The GPUs that the kernel module controls, with only name and UUID, read without starting a process. Linux only. The
 * folders are named by PCI address, which is also nvidia-smi's order.
 */
export function readKernelGpus(machine: Machine): Promise<Known<Gpu[]> | Unknown> {
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
