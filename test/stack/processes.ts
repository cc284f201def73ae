import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';

/** Creates a folder with an executable shell script `nvidia-smi`, which finds the folder in `$HERE`. */
export async function fakeNvidiaSmi(context: TestContext, script: string): Promise<string> {
  return path.dirname(await fakeProgram(context, 'nvidia-smi', script));
}

/** Creates an executable shell script in its own folder, which it finds in `$HERE`, and returns its path. */
export async function fakeProgram(context: TestContext, name: string, script: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const program = path.join(folder, name);
  await writeFile(program, `#!/bin/sh\nHERE='${folder}'\n${script}\n`);
  await chmod(program, 0o755);
  return program;
}

/**
 * Runs a test that stops programs after a time limit in milliseconds. Repeats it with more time if a busy machine did
 * not let them get far enough.
 */
export async function withinLimit(act: (limit: number) => Promise<void>): Promise<void> {
  for (let limit = 300; ; limit *= 5) {
    try {
      return await act(limit);
    } catch (error) {
      if (limit > 5000) throw error;
    }
  }
}

/** Returns the process ids that the script wrote into the file `pids` of its folder, one per line. */
export function writtenPids(folder: string): number[] {
  return readFileSync(path.join(folder, 'pids'), 'utf8').trim().split('\n').map(Number);
}

/** Resolves when the process is gone or only its zombie entry is left; the test's time limit is the deadline. */
export async function ended(pid: number): Promise<void> {
  while (isRunning(pid)) await setTimeout(10);
}

export function isRunning(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] !== 'Z';
  } catch {
    return false;
  }
}
