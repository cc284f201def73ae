import type { Checkpoint } from './checkpoint.ts';
import { partsIn } from './modelParts.ts';

/** A prefix that all names of a model share. */
export interface CommonPrefix {
  /** `module.`, `model._orig_mod.` */
  readonly prefix: string;
  /** The entry in the file that contains the names: `state_dict.`. Empty if they are at the top level. */
  readonly within: string;
  /** The wrappers that add such prefixes, outermost first. */
  readonly from: readonly string[];
}

/** Wrappers of a model, keyed by the prefix that they add to its parameters. */
const WRAPPERS: Readonly<Record<string, string>> = {
  module: '`DataParallel` or `DistributedDataParallel`',
  _orig_mod: '`torch.compile`',
  _forward_module: 'Lightning Fabric or DeepSpeed',
  _fsdp_wrapped_module: '`FullyShardedDataParallel`',
  model: 'an entry in the file, or a module that contains the model as `model`',
  net: 'an entry in the file, or a module that contains the model as `net`',
  network: 'an entry in the file, or a module that contains the model as `network`',
};

/** Entries under which checkpoints save state dicts. */
const ENTRY =
  /^(model|net|network|(model_)?state(_?dict)?|model_state(_dict)?|params|weights|(model_|net_)?ema(_state_dict)?)$/;

/** True if every part of a prefix is a wrapper or an entry: `state_dict.module.`, and the empty prefix. */
export function isUsualPrefix(prefix: string): boolean {
  return prefix.split('.').every((part) => part === '' || Object.hasOwn(WRAPPERS, part) || ENTRY.test(part));
}

/** Number of leading name parts that are considered. */
const DEEPEST = 8;

/** Finds the wrapper prefix that all names of a checkpoint's model share; undefined if there is none. */
export function prefixOf(checkpoint: Pick<Checkpoint, 'tensors' | 'metadata' | 'format'>): CommonPrefix | undefined {
  const { model } = partsIn(checkpoint.tensors);
  if (model.length < 2) return undefined;
  const parts = commonParts(model.map(({ name }) => name));
  const within = entryIn(parts, hasEntries(checkpoint, model.length));
  const wrapping: string[] = [];
  for (const part of parts.slice(within.length)) {
    if (!Object.hasOwn(WRAPPERS, part)) break;
    wrapping.push(part);
  }
  if (wrapping.length === 0) return undefined;
  return {
    prefix: `${wrapping.join('.')}.`,
    within: within.length > 0 ? `${within.join('.')}.` : '',
    from: wrapping.map((part) => WRAPPERS[part] ?? part),
  };
}

/** True if a file holds more than the model, so that the model is one of its entries. */
function hasEntries({ tensors, metadata = [], format }: Parameters<typeof prefixOf>[0], ofModel: number): boolean {
  return tensors.length > ofModel || (format.startsWith('torch') && metadata.length > 0);
}

/**
 * The first part is an entry in the file if a wrapper follows it or if the file holds more than the model: in
 * `model.module.`, the entry is `model`. A `model.` on its own may be either.
 */
function entryIn(parts: readonly string[], isBeside: boolean): readonly string[] {
  const [first = '', second] = parts;
  if (!ENTRY.test(first)) return [];
  return Object.hasOwn(WRAPPERS, first) && second === undefined && !isBeside ? [] : [first];
}

function commonParts(names: readonly string[]): string[] {
  const [first = ''] = names;
  const common: string[] = [];
  let prefix = '';
  // The last part is the name of the tensor itself.
  for (const part of first.split('.', DEEPEST).slice(0, -1)) {
    const longer = `${prefix}${part}.`;
    if (!names.every((name) => name.startsWith(longer))) break;
    common.push(part);
    prefix = longer;
  }
  return common;
}
