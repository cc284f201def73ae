import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Budget } from '../../budget.ts';
import { metered, withFile } from '../../bytes.ts';
import type { Checkpoint } from '../../checkpoint.ts';
import { parsedJson } from '../../encodings/json.ts';
import { unreadCheckpoint } from '../../unreadCheckpoint.ts';
import { readCoreMl } from './coreml.ts';

const MANIFEST = 'Manifest.json';
const LONGEST_MANIFEST = 1024 * 1024;

/**
 * Reads a Core ML package, `.mlpackage`: a folder with a manifest, the model that the manifest names, and other files.
 */
export async function readCoreMlPackage(path: string, budget: Budget): Promise<Checkpoint> {
  const manifest = await withFile(join(path, MANIFEST), (bytes) => metered(bytes, budget).read(0, LONGEST_MANIFEST));
  const model = modelIn(parsedJson(manifest, budget));
  if (model === undefined) return unreadCheckpoint('folder', 0, 'It is a folder, but not a model in a folder format.');
  const checkpoint = await withFile(join(path, 'Data', model), (bytes) =>
    readCoreMl(metered(bytes, budget), budget),
  ).catch(() => undefined);
  return checkpoint
    ? { ...checkpoint, size: await sizeIn(path) }
    : unreadCheckpoint('coreml', 0, `Its model, \`${model}\`, is missing or cannot be read.`);
}

/**
 * Returns the path, relative to `Data`, of the model that a manifest names; undefined if it points outside the folder.
 */
function modelIn(manifest: unknown): string | undefined {
  const { itemInfoEntries, rootModelIdentifier } = (manifest ?? {}) as Readonly<Record<string, unknown>>;
  const items = (itemInfoEntries ?? {}) as Readonly<Record<string, { path?: unknown } | null>>;
  const path = items[String(rootModelIdentifier)]?.path;
  const isInside = typeof path === 'string' && !/^[\\/]|^\w:|(^|[\\/])\.\.([\\/]|$)/.test(path);
  return isInside ? path : undefined;
}

async function sizeIn(path: string): Promise<number> {
  const names = await readdir(path, { recursive: true });
  const files = await Promise.all(names.map((name) => stat(join(path, name)).catch(() => undefined)));
  return files.reduce((sum, file) => sum + (file?.isFile() ? file.size : 0), 0);
}
