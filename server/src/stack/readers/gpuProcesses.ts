import type { Machine } from '../machine/machine.ts';
import { locateNvidiaSmi, numberCell, textCell } from './nvidiaSmi.ts';

/** A process that holds memory of an NVIDIA GPU. */
export interface GpuProcess {
  /** UUID of the GPU. */
  readonly gpu: string;
  readonly pid: number;
  /** Path of the program, as far as the driver says it. */
  readonly program: string | null;
  /** MiB; null where the driver does not say, as on Windows. */
  readonly memory: number | null;
}

/** Asks nvidia-smi which processes compute on the GPUs; empty where it is missing or does not say. Never throws. */
export async function readGpuProcesses(machine: Machine): Promise<GpuProcess[]> {
  const program = await locateNvidiaSmi(machine);
  if (program === undefined) return [];
  const query = '--query-compute-apps=gpu_uuid,pid,process_name,used_gpu_memory';
  const { stdout, exitCode } = await machine.run(program, [query, '--format=csv,noheader,nounits']);
  return exitCode === 0 ? stdout.split('\n').flatMap(parseProcess) : [];
}

/** Reads a line such as `GPU-5a1b, 4711, /usr/bin/python3, 3072`; a program's path may have commas in it. */
export function parseProcess(line: string): GpuProcess[] {
  const cells = line.split(', ');
  const [gpu = '', pid = ''] = cells;
  if (!gpu.startsWith('GPU-') || !/^\d+$/.test(pid) || cells.length < 4) return [];
  const program = textCell(cells.slice(2, -1).join(', '));
  return [{ gpu, pid: Number(pid), program: program ?? null, memory: numberCell(cells.at(-1)) ?? null }];
}
