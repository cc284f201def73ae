/** Names of switches through which users configure a program: `use_gpu`, `args.no_cuda`, `args.distributed`. */

const GPU_WORDS = new Set(['cuda', 'gpu', 'gpus', 'ngpu', 'ngpus']);
const NEGATIONS = new Set(['no', 'not', 'non', 'disable', 'disabled', 'without', 'skip', 'ignore', 'off']);
const DISTRIBUTED_WORDS = new Set(['ddp', 'distributed', 'parallel', 'multigpu']);
const RANK_NAMES = /^(get_?)?local_?rank$/i;
const WORLD_SIZES = /^(get_?)?world_?size$/i;
/** Words in the names of functions that answer a question: `is_cuda_available`, `has_gpu`, `get_free_gpu`. */
const QUESTION_WORDS = new Set([
  'is',
  'has',
  'have',
  'can',
  'use',
  'uses',
  'using',
  'should',
  'check',
  'want',
  'detect',
  'find',
  'get',
  'select',
  'pick',
  'choose',
  'count',
  'num',
  'available',
  'availability',
  'enabled',
  'present',
  'supported',
]);
const LAST_WORDS = new Set([
  ...GPU_WORDS,
  'available',
  'availability',
  'enabled',
  'present',
  'supported',
  'count',
  'ids',
  'id',
  'devices',
  'device',
  'support',
]);

/** The lowercase words of an identifier, split at `_` and at changes of case. */
export function wordsOf(identifier: string): string[] {
  return identifier
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .split(/[^A-Za-z0-9]+/)
    .join('_')
    .split('_')
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

/** `on`: true means that the user requested a GPU. `off`: true means that the user requested none. */
export function switchKind(identifier: string): 'on' | 'off' | undefined {
  // Most identifiers are neither.
  if (!/cuda|gpu|cpu/i.test(identifier)) return undefined;
  const words = wordsOf(identifier);
  const namesGpu = words.some((word) => GPU_WORDS.has(word));
  const isNegated = words.some((word) => NEGATIONS.has(word));
  if (namesGpu) return isNegated ? 'off' : 'on';
  return words.includes('cpu') && !isNegated ? 'off' : undefined;
}

/** True for switches such as `ddp` and `args.distributed`. */
export function isDistributedSwitch(identifier: string): boolean {
  if (!/ddp|distributed|parallel|multigpu/i.test(identifier)) return false;
  const words = wordsOf(identifier);
  return words.some((word) => DISTRIBUTED_WORDS.has(word)) && !words.some((word) => NEGATIONS.has(word));
}

/**
 * True if a function's name asks whether a GPU is present; `load_cuda_source` does not, because it names what it loads.
 */
export function asksForGpu(identifier: string): boolean {
  if (switchKind(identifier) !== 'on') return false;
  const words = wordsOf(identifier);
  return (
    words.some((word) => QUESTION_WORDS.has(word)) &&
    (LAST_WORDS.has(words.at(-1) ?? '') || /^(is|has|can)$/.test(words[0] ?? ''))
  );
}

/** True if a function's name asks whether a run is distributed: `is_dist_avail_and_initialized`. */
export function asksForDistributed(identifier: string): boolean {
  if (!/dist|ddp/i.test(identifier)) return false;
  const words = wordsOf(identifier);
  return (
    /^(is|use|using)$/.test(words[0] ?? '') && words.some((word) => word === 'dist' || DISTRIBUTED_WORDS.has(word))
  );
}

/** `world_size` is above 1 in a distributed run. */
export const isWorldSize = (identifier: string): boolean => WORLD_SIZES.test(identifier);

/**
 * True for names such as `local_rank`: comparing it with a number distinguishes a distributed run from a single
 * process.
 */
export function isRank(identifier: string): boolean {
  return RANK_NAMES.test(identifier);
}
