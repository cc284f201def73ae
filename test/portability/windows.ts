import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { CLI, type Run } from '../cli/run.ts';

const PRETEND = pathToFileURL(join(import.meta.dirname, 'pretendWindows.ts')).href;

/** What Node is to be given before a program of the sources, so that it believes to run on Windows. */
export const ON_WINDOWS = ['--import', PRETEND];

/** The variables beside: the folder has the drives `c`, `d` and so on. */
export function withDrives(folder: string): Record<string, string> {
  return { PRETEND_DRIVES: folder };
}

/** Runs the command line in `C:\\Work`. */
export async function runOnWindows(args: readonly string[], drives: string): Promise<Run> {
  const env = { ...process.env, ...withDrives(drives), NO_COLOR: '1', FORCE_COLOR: undefined };
  const child = spawn(process.execPath, [...ON_WINDOWS, CLI, ...args], { cwd: join(drives, 'c/Work'), env });
  child.stdin.end();
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  return { status, stdout, stderr };
}
