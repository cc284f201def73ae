import { constants } from 'node:fs';
import { access, open, readdir, realpath } from 'node:fs/promises';
import { cpus, hostname, release } from 'node:os';
import path, { type PlatformPath } from 'node:path';
import { type CommandOptions, type CommandResult, runCommand } from './command.ts';
import { homeFolder } from './home.ts';
import { mainMemory } from './mainMemory.ts';

/**
 * The machine that the readers inspect. All of their access goes through it, so that a recorded machine of any
 * operating system can replace the real one.
 */
export interface Machine {
  platform: NodeJS.Platform;
  /** In Node.js's names: "x64", "arm64". */
  architecture: string;
  /** The kernel's version, such as "10.0.22631" on Windows. */
  release: string;
  /** The processor's name, such as "Apple M3 Pro"; null if the system does not report it. */
  processor(): string | null;
  /** Bytes of main memory that programs may use; null if unknown. */
  mainMemory(): number | null;
  env: Record<string, string | undefined>;
  home: string;
  /** The host name. */
  hostname: string;
  /** The path syntax of that machine. */
  path: PlatformPath;
  now(): Date;
  /**
   * The first `limit` bytes (default 64 KiB) of a regular file as UTF-8 text.
   * @throws what `node:fs` throws; an error with code "EISDIR" for anything that is not a regular file.
   */
  readText(file: string, limit?: number): Promise<string>;
  /** @throws what `node:fs` throws. */
  listFolder(folder: string): Promise<string[]>;
  /** The path with all symbolic links resolved. @throws what `node:fs` throws. */
  realPath(file: string): Promise<string>;
  /** True if this process may read and write the file. */
  isUsable(file: string): Promise<boolean>;
  /** Runs a program by its full path. Never throws: failures are in the result. */
  run(program: string, args: string[], options?: CommandOptions): Promise<CommandResult>;
}

const DEFAULT_READ_LIMIT = 64 * 1024;

/** The machine on which this process runs; `variables` replace those of its environment, and undefined removes one. */
export function thisMachine(variables?: Machine['env']): Machine {
  return {
    platform: process.platform,
    architecture: process.arch,
    release: release(),
    processor: () => cpus()[0]?.model.trim() || null,
    mainMemory: () => mainMemory().total,
    env: variables ? { ...process.env, ...variables } : process.env,
    home: homeFolder(),
    hostname: hostname(),
    path,
    now: () => new Date(),
    readText: readTextFile,
    listFolder: (folder) => readdir(folder),
    realPath: (file) => realpath(file),
    isUsable: (file) =>
      access(file, constants.R_OK | constants.W_OK).then(
        () => true,
        () => false,
      ),
    run: (program, args, options) => runCommand(program, args, options, variables),
  };
}

async function readTextFile(file: string, limit = DEFAULT_READ_LIMIT): Promise<string> {
  // Without O_NONBLOCK, opening a named pipe would wait for a writer.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const status = await handle.stat();
    if (!status.isFile()) throw Object.assign(new Error(`${file} is not a regular file`), { code: 'EISDIR' });
    const buffer = Buffer.alloc(limit);
    let length = 0;
    while (length < limit) {
      const { bytesRead } = await handle.read(buffer, length, limit - length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return buffer.toString('utf8', 0, length);
  } finally {
    await handle.close();
  }
}

const ABSENT = new Set(['ENOENT', 'ENOTDIR']);

async function unlessAbsent<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** Like `readText`, but undefined if the file does not exist. */
export function readTextIfThere(machine: Machine, file: string, limit?: number): Promise<string | undefined> {
  return unlessAbsent(machine.readText(file, limit));
}

/** Like `listFolder`, but undefined if the folder does not exist. */
export function listUnlessAbsent(machine: Machine, folder: string): Promise<string[] | undefined> {
  return unlessAbsent(machine.listFolder(folder));
}

/** Like `listFolder`, but empty if the folder does not exist or may not be read. */
export async function listIfThere(machine: Machine, folder: string): Promise<string[]> {
  return machine.listFolder(folder).catch(() => []);
}

/** The path with all links resolved, or undefined if it does not exist. */
export async function realPathIfThere(machine: Machine, file: string): Promise<string | undefined> {
  return machine.realPath(file).catch(() => undefined);
}

/** The folders on `PATH`, without relative entries: a workspace must not choose which program runs. */
export function searchPath(machine: Machine): string[] {
  const value = environmentVariable(machine, 'PATH') ?? '';
  return value
    .split(machine.path.delimiter)
    .map((entry) => entry.trim().replace(/^"(.*)"$/, '$1'))
    .filter((entry) => machine.path.isAbsolute(entry));
}

/** An environment variable; on Windows names are case-insensitive. */
export function environmentVariable(machine: Pick<Machine, 'platform' | 'env'>, name: string): string | undefined {
  const exact = machine.env[name];
  if (exact !== undefined || machine.platform !== 'win32') return exact;
  const key = Object.keys(machine.env).find((each) => each.toUpperCase() === name.toUpperCase());
  return key === undefined ? undefined : machine.env[key];
}
