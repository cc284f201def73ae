import type { Machine } from '../machine/machine.ts';
import { locateNvidiaSmi, numberCell, textCell } from './nvidiaSmi.ts';

/** A process that uses memory of an NVIDIA GPU. */
export interface GpuProcess {
  /** UUID of the GPU. */
  readonly gpu: string;
  readonly pid: number;
  /** Path of the program, as reported by the driver. */
  readonly program: string | null;
  /** MiB; null if the driver does not report it, as on Windows. */
  readonly memory: number | null;
}

/** Returns the compute processes that nvidia-smi lists; empty if it is missing or reports none. Never throws. */
export async function readGpuProcesses(machine: Machine): Promise<GpuProcess[]> {
  const program = await locateNvidiaSmi(machine);
  if (program === undefined) return [];
  const query = '--query-compute-apps=gpu_uuid,pid,process_name,used_gpu_memory';
  const { stdout, exitCode } = await machine.run(program, [query, '--format=csv,noheader,nounits']);
  return exitCode === 0 ? stdout.split('\n').flatMap(parseProcess) : [];
}

/** Parses a line such as `GPU-5a1b, 4711, /usr/bin/python3, 3072`; a program's path may contain commas. */
export function parseProcess(line: string): GpuProcess[] {
  const cells = line.split(', ');
  const [gpu = '', pid = ''] = cells;
  if (!gpu.startsWith('GPU-') || !/^\d+$/.test(pid) || cells.length < 4) return [];
  const program = textCell(cells.slice(2, -1).join(', '));
  return [{ gpu, pid: Number(pid), program: program ?? null, memory: numberCell(cells.at(-1)) ?? null }];
}
