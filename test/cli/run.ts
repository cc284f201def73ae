import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { CLI } from '../programs.ts';

export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
  /** The program that Node runs; the command line by default. */
  readonly program?: readonly string[];
}

/** Runs the real command line. */
export async function run(
  args: readonly string[],
  { cwd, input = '', env = {}, program = [CLI] }: RunOptions,
): Promise<Run> {
  // Tests must not touch the user's own cache.
  const cache = { XDG_CACHE_HOME: env.XDG_CACHE_HOME ?? join(tmpdir(), 'gpu-doctor-test-cache') };
  const inherited = { ...process.env, ...cache, NO_COLOR: undefined, FORCE_COLOR: undefined };
  const child = spawn(process.execPath, [...program, ...args], { cwd, env: { ...inherited, ...env } });
  child.stdin.on('error', () => {}); // A command that does not read closes the pipe.
  child.stdin.end(input);
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  return { status, stdout, stderr };
}

/** Creates a temporary folder with the given files, which is deleted after the test. */
export async function folderWith(
  context: TestContext,
  files: Readonly<Record<string, string | Buffer>>,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gpu-doctor-'));
  // A server that is ending may still write its cache.
  context.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

/** Returns the one file that `check` stored below a user's cache folder. */
export async function keptIn(cacheFolder: string): Promise<string> {
  const folder = join(cacheFolder, 'gpu-doctor', 'check');
  const [name = '', ...others] = await readdir(folder);
  assert.deepEqual(others, []);
  return join(folder, name);
}
