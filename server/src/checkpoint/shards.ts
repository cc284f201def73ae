import { isJsonObject } from '../jsonObject.ts';
import { Unreadable } from '../projectFile.ts';
import type { Budget } from './budget.ts';
import { type Bytes, metered } from './bytes.ts';
import type { Checkpoint } from './checkpoint.ts';
import { distinctImports, withDoubts } from './doubts.ts';
import { jsonInFile } from './encodings/json.ts';
import { enumeratedCode } from './enumerated.ts';
import { programIn } from './formats/json.ts';
import { worstOf } from './verdicts.ts';

/** The files that an index lists, in order, each with the tensors that the index assigns to it. */
type ShardIndex = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Reads an index such as `model.safetensors.index.json`. Undefined for other JSON: if it has any key besides `metadata`
 * and `weight_map`, it may be a program for another loader.
 */
export async function shardsIn(index: Bytes, budget: Budget): Promise<ShardIndex | undefined> {
  const parsed = await jsonInFile(metered(index, budget), budget);
  if (!isJsonObject(parsed) || Object.keys(parsed).some((key) => key !== 'metadata' && key !== 'weight_map'))
    return undefined;
  const { metadata = {}, weight_map: map } = parsed;
  if (!isJsonObject(metadata) || !isJsonObject(map) || programIn(parsed)) return undefined;
  const shards = new Map<string, Set<string>>();
  for (const [tensor, file] of Object.entries(map)) {
    if (!isText(file)) return undefined;
    budget.hold(BYTES_PER_NAME);
    const known = shards.get(file) ?? new Set();
    shards.set(file, known.add(tensor));
  }
  return shards.size > 0 ? new Map([...shards].sort(([one], [other]) => (one < other ? -1 : 1))) : undefined;
}

const BYTES_PER_NAME = 100;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Reads a checkpoint that consists of several files next to its index. `read` reads one of them, given its name. */
export async function readShards(
  shards: ShardIndex,
  budget: Budget,
  read: (name: string) => Promise<Checkpoint>,
): Promise<Checkpoint> {
  const parts: Checkpoint[] = [];
  const problems: string[] = [];
  const doubts = new Set<string>();
  if (shards.size > MOST_SHARDS) {
    doubts.add(`it names more than ${MOST_SHARDS} files`);
    problems.push(`The index names ${shards.size} files; only the first ${MOST_SHARDS} were read.`);
  }
  for (const [shard, named] of [...shards].slice(0, MOST_SHARDS)) {
    // An index refers to files in its own folder; a path that leads out of the folder is not followed.
    if (/[\\/]/.test(shard) || shard === '..') {
      doubts.add('it names files outside its folder');
      problems.push(`The index names \`${shard}\`, which is outside its folder.`);
      continue;
    }
    try {
      const part = await read(shard);
      parts.push(part);
      for (const problem of part.problems) problems.push(`${shard}: ${problem}`);
      const lack = missingTensors(part, named);
      if (lack !== undefined) problems.push(`The shard \`${shard}\` lacks ${lack}, which the index assigns to it.`);
      if (part.safety.verdict === 'dangerous') break;
      if (budget.left() > 0 || parts.length === shards.size) continue;
      doubts.add('it has more files than one inspection reads');
      problems.push(`The files after \`${shard}\` were not read.`);
      break;
    } catch (error) {
      doubts.add('some of its files are missing or unreadable');
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      const why = error instanceof Unreadable ? error.message : isMissing ? 'is missing' : 'cannot be read';
      problems.push(`The shard \`${shard}\` ${why}.`);
    }
  }
  const isWhole = parts.length === shards.size && parts.every(({ devices }) => devices !== undefined);
  const whole: Checkpoint = {
    format: 'safetensors-index',
    size: parts.reduce((sum, part) => sum + part.size, 0),
    writtenBy: parts[0]?.writtenBy,
    tensors: parts.flatMap(({ tensors }) => tensors),
    metadata: parts[0]?.metadata,
    devices: isWhole ? [...new Set(parts.flatMap(({ devices = [] }) => devices))].sort() : undefined,
    imports: distinctImports(parts),
    safety: worstOf(parts.map(({ safety }) => safety)),
    problems,
  };
  return withDoubts(whole, [...doubts]);
}

/**
 * Lists the tensors that a shard should hold but does not: "`a.weight`, `b.weight` and 3 more". Undefined if none is
 * missing.
 */
function missingTensors({ tensors, problems }: Checkpoint, named: ReadonlySet<string>): string | undefined {
  // A shard that could not be read completely has its own problem.
  if (problems.length > 0 && tensors.length === 0) return undefined;
  const there = new Set(tensors.map(({ name }) => name));
  const missing = [...named].filter((name) => !there.has(name));
  if (missing.length === 0) return undefined;
  return enumeratedCode(
    missing.map((name) => name.slice(0, LONGEST_NAME)),
    MOST_NAMED,
  );
}

const MOST_NAMED = 3;
const LONGEST_NAME = 200;

/** Maximum number of files per checkpoint; the largest models have a few hundred. */
const MOST_SHARDS = 1000;
