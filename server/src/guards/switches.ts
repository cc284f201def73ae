/** Names by which programs let their user choose: `use_gpu`, `args.no_cuda`, `args.distributed`. */

const GPU_WORDS = new Set(['cuda', 'gpu', 'gpus', 'ngpu', 'ngpus']);
const NEGATIONS = new Set(['no', 'not', 'non', 'disable', 'disabled', 'without', 'skip', 'ignore', 'off']);
const DISTRIBUTED_WORDS = new Set(['ddp', 'distributed', 'parallel', 'multigpu']);
const RANK_NAMES = /^(get_?)?local_?rank$/i;
const WORLD_SIZES = /^(get_?)?world_?size$/i;
/** Words of functions that answer a question: `is_cuda_available`, `has_gpu`, `get_free_gpu`. */
const QUESTIONS = new Set([
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
const ENDS = new Set([
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

/** The words of an identifier: split at `_` and at changes of case, in lower case. */
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

/** `on`: true means that the user asked for a GPU. `off`: true means that the user asked for none. */
export function switchKind(identifier: string): 'on' | 'off' | undefined {
  // Most identifiers name neither.
  if (!/cuda|gpu|cpu/i.test(identifier)) return undefined;
  const words = wordsOf(identifier);
  const namesGpu = words.some((word) => GPU_WORDS.has(word));
  const isNegated = words.some((word) => NEGATIONS.has(word));
  if (namesGpu) return isNegated ? 'off' : 'on';
  return words.includes('cpu') && !isNegated ? 'off' : undefined;
}

/** `if ddp:`, `if args.distributed:` */
export function isDistributedSwitch(identifier: string): boolean {
  if (!/ddp|distributed|parallel|multigpu/i.test(identifier)) return false;
  const words = wordsOf(identifier);
  return words.some((word) => DISTRIBUTED_WORDS.has(word)) && !words.some((word) => NEGATIONS.has(word));
}

/** A function whose name asks whether there is a GPU; `load_cuda_source` names what it loads. */
export function asksForGpu(identifier: string): boolean {
  if (switchKind(identifier) !== 'on') return false;
  const words = wordsOf(identifier);
  return (
    words.some((word) => QUESTIONS.has(word)) && (ENDS.has(words.at(-1) ?? '') || /^(is|has|can)$/.test(words[0] ?? ''))
  );
}

/** A function whose name asks for a distributed run: `is_dist_avail_and_initialized`. */
export function asksForDistributed(identifier: string): boolean {
  if (!/dist|ddp/i.test(identifier)) return false;
  const words = wordsOf(identifier);
  return (
    /^(is|use|using)$/.test(words[0] ?? '') && words.some((word) => word === 'dist' || DISTRIBUTED_WORDS.has(word))
  );
}

/** `world_size`: above 1 in a distributed run. */
export const isWorldSize = (identifier: string): boolean => WORLD_SIZES.test(identifier);

/** `local_rank`: compared with a number it tells a distributed run from a single one. */
export function isRank(identifier: string): boolean {
  return RANK_NAMES.test(identifier);
}
