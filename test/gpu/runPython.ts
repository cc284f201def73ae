import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface PythonRun {
  readonly status: number | null;
  /** Standard output and standard error, as they came. */
  readonly output: string;
}

/** Milliseconds after which a program is ended. */
const LONGEST = 240_000;

/** Runs a program of Python to its end. Never throws: what went wrong is in the result. */
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
    timeout: LONGEST,
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
