import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface PythonRun {
  readonly status: number | null;
  /** Standard output and standard error, in the order of arrival. */
  readonly output: string;
}

/** Timeout in milliseconds. */
const TIMEOUT_MS = 240_000;

/** Runs a Python program to its end. Never throws: the result contains any failure. */
export async function runPython(
  python: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd?: string,
): Promise<PythonRun> {
  const child = spawn(python, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
  });
  const parts: Buffer[] = [];
  child.stdout.on('data', (part) => parts.push(part));
  child.stderr.on('data', (part) => parts.push(part));
  try {
    const [status] = await once(child, 'close');
    return { status, output: Buffer.concat(parts).toString() };
  } catch (error) {
    return { status: null, output: String(error) };
  }
}
