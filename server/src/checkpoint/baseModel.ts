/** Finds the base model of an adapter on this machine. */

import { readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { projectText } from '../projectFile.ts';

/**
 * Returns the folder of a base model: a local path, which PEFT resolves from the project's folder, or a model in the
 * Hugging Face Hub cache. Undefined if neither exists.
 */
export async function baseModelFolder(
  name: string,
  revision: string | undefined,
  adapterFolder: string,
): Promise<string | undefined> {
  // Opening a path on another machine would log in there.
  if (name === '' || /^[\\/]{2}|^\w+:\/\//.test(name)) return undefined;
  const candidates = isAbsolute(name) ? [name] : foldersAbove(adapterFolder).map((folder) => join(folder, name));
  for (const candidate of candidates) if (await holdsModel(candidate)) return candidate;
  return HUB_NAME.test(name) ? cachedFolder(name, revision) : undefined;
}

const HUB_NAME = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)?$/;

/** Folders above an adapter in which it may have been trained. */
const MOST_LEVELS = 8;

function foldersAbove(folder: string): string[] {
  const folders = [folder];
  for (let level = 0; level < MOST_LEVELS; level++) {
    const parent = dirname(folders.at(-1) ?? folder);
    if (parent === folders.at(-1)) break;
    folders.push(parent);
  }
  return folders;
}

async function holdsModel(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.includes('config.json') || names.includes('model_index.json');
}

/** The layout of the cache: https://huggingface.co/docs/huggingface_hub/guides/manage-cache */
async function cachedFolder(name: string, revision = 'main'): Promise<string | undefined> {
  const folder = join(hubCache(), `models--${name.replace('/', '--')}`);
  if (!/^[\w.-]{1,100}$/.test(revision)) return undefined;
  const commit = projectText(join(folder, 'refs', revision), 'name') ?? revision;
  const snapshot = join(folder, 'snapshots', commit.trim().slice(0, 100));
  const isThere = /^[\w.-]+\s*$/.test(commit) && (await stat(snapshot).catch(() => undefined))?.isDirectory();
  return isThere ? snapshot : undefined;
}

function hubCache(): string {
  const { HF_HUB_CACHE, HUGGINGFACE_HUB_CACHE, HF_HOME, XDG_CACHE_HOME } = process.env;
  const named = HF_HUB_CACHE || HUGGINGFACE_HUB_CACHE;
  if (named) return named;
  return join(HF_HOME || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'huggingface'), 'hub');
}
