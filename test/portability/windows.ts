import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Run, run } from '../cli/run.ts';

const PRETEND = pathToFileURL(join(import.meta.dirname, 'pretendWindows.ts')).href;

/** What Node is to be given before a program of the sources, so that it believes to run on Windows. */
export const ON_WINDOWS = ['--import', PRETEND];

/** The variables beside: the folder has the drives `c`, `d` and so on. */
export function withDrives(folder: string): Record<string, string> {
  return { PRETEND_DRIVES: folder };
}

/** Runs the command line in `C:\\Work`. */
export function runOnWindows(args: readonly string[], drives: string): Promise<Run> {
  return run(args, { cwd: join(drives, 'c/Work'), env: withDrives(drives), nodeFlags: ON_WINDOWS });
}
