import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import type { KnownFact } from '../facts/facts.ts';
import { cacheFolder } from '../machine/cacheFolder.ts';
import type { Machine } from '../machine/machine.ts';

/** A persistent cache for expensive answers. */
export interface RuntimeCache {
  /** The cached fact for a key. Never throws: unreadable entries count as missing. */
  read<T>(key: unknown, value: z.ZodMiniType<T>): Promise<KnownFact<T> | undefined>;
  /** Never throws: without write access nothing is cached. */
  write(key: unknown, fact: KnownFact<unknown>): Promise<void>;
}

/**
 * Maximum number of cached facts; the oldest are removed. Enough for some environments on hosts with a shared home
 * folder.
 */
const CAPACITY = 64;

/** Bytes; no fact comes near it. */
const LARGEST = 64 * 1024;

/**
 * A folder with one file per fact, named by its key. Files are written under another name and renamed, so that two
 * editors never read half a file.
 */
export function runtimeCache(machine: Machine): RuntimeCache {
  const folder = path.join(cacheFolder(machine), 'gpu-doctor', 'runtime');
  const fileOf = (key: unknown) => {
    const name = createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 32);
    return path.join(folder, `${name}.json`);
  };
  return {
    async read(key, value) {
      try {
        const file = fileOf(key);
        if ((await stat(file)).size > LARGEST) return undefined;
        const fact = z.object({ value, source: z.string(), readAt: z.iso.datetime() });
        return fact.parse(JSON.parse(await readFile(file, 'utf8'))) as never;
      } catch {
        return undefined;
      }
    },
    async write(key, fact) {
      try {
        await mkdir(folder, { recursive: true });
        const file = fileOf(key);
        const unfinished = `${file}.${randomUUID()}`;
        await writeFile(unfinished, JSON.stringify(fact));
        await rename(unfinished, file);
        await forgetOldest(folder);
      } catch {
        // For example, a home folder without write access.
      }
    },
  };
}

async function forgetOldest(folder: string): Promise<void> {
  const files = (await readdir(folder)).map((name) => path.join(folder, name));
  if (files.length <= CAPACITY) return;
  const dated = await Promise.all(files.map(async (file) => ({ file, time: (await stat(file)).mtimeMs })));
  dated.sort((left, right) => right.time - left.time);
  await Promise.all(dated.slice(CAPACITY).map(({ file }) => rm(file, { force: true })));
}
