import type { Bytes } from './bytes.ts';
import type { Checkpoint } from './checkpoint.ts';
import { LONGEST_JSON, parsedJson } from './json.ts';
import { worstOf } from './verdicts.ts';

/** The files that an index names, such as `model.safetensors.index.json`; undefined for other JSON. */
export async function shardsIn(index: Bytes): Promise<string[] | undefined> {
  if (index.size > LONGEST_JSON) return undefined;
  const { weight_map } = (parsedJson(await index.read(0, index.size)) ?? {}) as { weight_map?: unknown };
  if (typeof weight_map !== 'object' || weight_map === null) return undefined;
  return [...new Set(Object.values(weight_map).map(String))].sort();
}

/** A checkpoint that lies in several files beside its index, each of which `read` reads by its name. */
export async function readShards(
  shards: readonly string[],
  read: (name: string) => Promise<Checkpoint>,
): Promise<Checkpoint> {
  const parts: Checkpoint[] = [];
  const problems: string[] = [];
  for (const shard of shards) {
    // An index speaks of the files beside it; a way out of its folder is none of its business.
    if (/[\\/]/.test(shard) || shard === '..') {
      problems.push(`The index names \`${shard}\`, which does not lie beside it.`);
      continue;
    }
    try {
      const part = await read(shard);
      parts.push(part);
      problems.push(...part.problems.map((problem) => `${shard}: ${problem}`));
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      problems.push(`The shard \`${shard}\` ${isMissing ? 'is missing' : 'cannot be read'}.`);
    }
  }
  const isWhole = parts.length === shards.length && parts.every(({ devices }) => devices !== undefined);
  return {
    format: 'safetensors-index',
    size: parts.reduce((sum, part) => sum + part.size, 0),
    writtenBy: parts[0]?.writtenBy,
    tensors: parts.flatMap(({ tensors }) => tensors),
    devices: isWhole ? [...new Set(parts.flatMap(({ devices = [] }) => devices))].sort() : undefined,
    imports: [...new Map(parts.flatMap(({ imports }) => imports).map((each) => [each.name, each])).values()],
    safety: worstOf(parts.map(({ safety }) => safety)),
    problems,
  };
}
