/** Names by which programs let their user choose: `use_gpu`, `args.no_cuda`, `args.distributed`. */

const GPU_WORDS = new Set(['cuda', 'gpu', 'gpus', 'ngpu', 'ngpus']);
const NEGATIONS = new Set(['no', 'not', 'non', 'disable', 'disabled', 'without', 'skip', 'ignore', 'off']);
const DISTRIBUTED_WORDS = new Set(['ddp', 'distributed']);
const RANK_NAMES = /^(local_?rank|world_?size)$/i;

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
  if (!/ddp|distributed/i.test(identifier)) return false;
  const words = wordsOf(identifier);
  return words.some((word) => DISTRIBUTED_WORDS.has(word)) && !words.some((word) => NEGATIONS.has(word));
}

/** `local_rank`, `world_size`: compared with a number they tell a distributed run from a single one. */
export function isRank(identifier: string): boolean {
  return RANK_NAMES.test(identifier);
}
