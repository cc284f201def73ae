import type { Checkpoint } from './checkpoint.ts';
import { partsIn } from './modelParts.ts';

/** A part that all names of a model begin with. */
export interface CommonPrefix {
  /** `module.`, `model._orig_mod.` */
  readonly prefix: string;
  /** The entry of the file that the names are in: `state_dict.`. Empty where they are in none. */
  readonly within: string;
  /** What puts such prefixes before names, outermost first. */
  readonly from: readonly string[];
}

/** What wraps a model, by the prefix that its parameters get. */
const WRAPPERS: Readonly<Record<string, string>> = {
  module: '`DataParallel` or `DistributedDataParallel`',
  _orig_mod: '`torch.compile`',
  _forward_module: 'Lightning Fabric or DeepSpeed',
  _fsdp_wrapped_module: '`FullyShardedDataParallel`',
  model: 'an entry of the file or a module that holds the model as `model`',
  net: 'an entry of the file or a module that holds the model as `net`',
  network: 'an entry of the file or a module that holds the model as `network`',
};

/** Entries of checkpoints in which state dicts are saved. */
const ENTRY =
  /^(model|net|network|(model_)?state(_?dict)?|model_state(_dict)?|params|weights|(model_|net_)?ema(_state_dict)?)$/;

/** True for a prefix of which each part is a wrapper's or an entry's: `state_dict.module.`, and the empty one. */
export function isUsualPrefix(prefix: string): boolean {
  return prefix.split('.').every((part) => part === '' || Object.hasOwn(WRAPPERS, part) || ENTRY.test(part));
}

/** Parts of names that are looked at. */
const DEEPEST = 8;

/** Finds the prefix of wrappers that all names of a checkpoint's model have; undefined without one. */
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

/** True for a file in which something else stands beside the model: the model is an entry of it. */
function hasEntries({ tensors, metadata = [], format }: Parameters<typeof prefixOf>[0], ofModel: number): boolean {
  return tensors.length > ofModel || (format.startsWith('torch') && metadata.length > 0);
}

/**
 * The first part is an entry of the file where a wrapper follows it or something else stands beside it: `model.module.` is the
 * entry `model`. A lone `model.` may be either.
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
  // The last part is the tensor's own.
  for (const part of first.split('.', DEEPEST).slice(0, -1)) {
    const longer = `${prefix}${part}.`;
    if (!names.every((name) => name.startsWith(longer))) break;
    common.push(part);
    prefix = longer;
  }
  return common;
}
