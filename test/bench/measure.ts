/** Measures a command as a whole process, by the system's own accounting. */
import { execa } from 'execa';

export type Command = readonly [file: string, ...args: string[]];

export interface Measured {
  /** Seconds. */
  readonly wall: number;
  /** Seconds in all threads, which other programs disturb less. */
  readonly cpu: number;
  /** The most memory that was resident, in MB. */
  readonly memory: number;
}

/** Runs a command, and prints how it ended. */
const ACCOUNT = `
import json, resource, subprocess, sys, time
start = time.monotonic()
status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
wall = time.monotonic() - start
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps({"status": status, "wall": wall, "cpu": used.ru_utime + used.ru_stime, "memory": used.ru_maxrss / 1024}))
`;

/** Runs a command and discards its output. Throws unless it succeeds or has findings. */
export async function measured(command: Command, cwd: string): Promise<Measured> {
  const { stdout, stderr } = await execa('python3', ['-I', '-c', ACCOUNT, ...command], { cwd });
  const { status, ...used }: Measured & { status: number } = JSON.parse(stdout);
  if (status !== 0 && status !== 1) throw new Error(`${command.join(' ')} failed: ${stderr}`);
  return used;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
