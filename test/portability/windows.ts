import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Run, run } from '../cli/run.ts';
import { SOURCES } from '../programs.ts';

const PRETEND = pathToFileURL(join(import.meta.dirname, 'pretendWindows.ts')).href;

/** Node's arguments that start the server in simulated Windows. */
export const SERVER_ON_WINDOWS = ['--import', PRETEND, SOURCES.server, '--stdio'];

/** The environment variables for it: the folder contains the drives `c`, `d` and so on. */
export function withDrives(folder: string): Record<string, string> {
  return { PRETEND_DRIVES: folder };
}

/** Runs the command line in `C:\\Work`. */
export function runOnWindows(args: readonly string[], drives: string): Promise<Run> {
  return run(args, {
    cwd: join(drives, 'c/Work'),
    env: withDrives(drives),
    program: ['--import', PRETEND, SOURCES.cli],
  });
}
