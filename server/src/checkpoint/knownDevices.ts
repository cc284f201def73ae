import { stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

/** Remembers of each checkpoint the devices in it, for as long as the file stays as it is. */
export interface KnownDevices {
  /** What a program whose relative paths may start at any of these folders can know; without folders, nothing. */
  seenFrom(folders: readonly string[]): DevicesInSight;
}

/** One program's questions, answered at once by what is known. */
export interface DevicesInSight {
  /**
   * The devices that the storages of the checkpoint at `path` were saved on; of several files that the path may mean,
   * those of all. Undefined when there is no such file, or it does not tell, or has not been read.
   */
  devicesOf(path: string): readonly string[] | undefined;
  wasAsked(): boolean;
  /** Looks at the files that were asked for, and reads those that are new or changed. Never fails. */
  read(): Promise<void>;
  /** True when a question that was asked would be answered otherwise now. */
  isOutdated(): boolean;
}

/** Questions that are kept up to date; while a path is being typed, each of its beginnings is one. */
const MOST_QUESTIONS = 64;

type Devices = readonly string[] | undefined;

interface Known {
  /** Changes when the file does; undefined when there is none. */
  readonly stamp: string | undefined;
  readonly devices: Devices;
}

export function createKnownDevices(): KnownDevices {
  const files = new Map<string, Known>();
  const reading = new Map<string, Promise<void>>();

  const readNow = async (path: string): Promise<void> => {
    const stamp = await stampOf(path);
    if (files.has(path) && files.get(path)?.stamp === stamp) return;
    files.set(path, { stamp, devices: stamp === undefined ? undefined : await devicesIn(path) });
  };
  const readOnce = (path: string): Promise<void> => {
    const under = reading.get(path) ?? readNow(path).finally(() => reading.delete(path));
    reading.set(path, under);
    return under;
  };
  const answer = (candidates: readonly string[]): Devices => {
    const known = candidates.map((path) => files.get(path));
    const there = known.filter((file) => file?.stamp !== undefined);
    if (there.length === 0 || known.includes(undefined)) return undefined;
    const devices = there.map((file) => file?.devices);
    return devices.every((each) => each !== undefined) ? [...new Set(devices.flat())].sort() : undefined;
  };

  return {
    seenFrom(folders) {
      const given = new Map<string, Devices>();
      const candidatesOf = (path: string) =>
        folders.length > 0 && isOnThisMachine(path) ? placesOf(path, folders) : [];
      return {
        devicesOf(path) {
          const devices = answer(candidatesOf(path));
          given.delete(path);
          given.set(path, devices);
          for (const oldest of given.keys()) {
            if (given.size <= MOST_QUESTIONS) break;
            given.delete(oldest);
          }
          return devices;
        },
        wasAsked: () => given.size > 0,
        async read() {
          const wanted = new Set([...given.keys()].flatMap(candidatesOf));
          await Promise.all([...wanted].map(readOnce));
        },
        isOutdated: () => [...given].some(([path, devices]) => !isDeepStrictEqual(answer(candidatesOf(path)), devices)),
      };
    },
  };
}

function placesOf(path: string, folders: readonly string[]): string[] {
  return isAbsolute(path) ? [path] : [...new Set(folders.map((folder) => resolve(folder, path)))];
}

/** A path that names a server is not followed: only to look at it would tell that server who looks. */
function isOnThisMachine(path: string): boolean {
  return path !== '' && !path.includes('\0') && !/^[\\/]{2}/.test(path);
}

/** Undefined when there is no file, or it is none that can be read at random. */
async function stampOf(path: string): Promise<string | undefined> {
  try {
    const file = await stat(path);
    return file.isFile() ? `${file.mtimeMs} ${file.size} ${file.ino}` : undefined;
  } catch {
    return undefined;
  }
}

async function devicesIn(path: string): Promise<Devices> {
  try {
    const { readCheckpoint } = await import('./read.ts');
    return (await readCheckpoint(path)).devices;
  } catch {
    return undefined;
  }
}
