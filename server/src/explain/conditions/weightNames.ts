import { type Condition, type ShownFact, type Situation, shown } from './condition.ts';

/** The names of weights that load_state_dict prints: those only in the model, and those only in the checkpoint. */
interface NameLists {
  readonly missing: readonly string[];
  readonly unexpected: readonly string[];
}

/** A prefix of the names on one side, with two names that show it. */
interface Prefix {
  readonly of: 'checkpoint' | 'model';
  readonly prefix: string;
  readonly saved: string;
  readonly built: string;
}

/** Maximum number of names to compare; models have thousands. */
const MOST_NAMES = 200;

function namesAfter(text: string, heading: RegExp, next: RegExp): readonly string[] {
  const found = heading.exec(text);
  if (!found) return [];
  const [list = ''] = text.slice(found.index + found[0].length).split(next);
  return [...list.matchAll(/"([\w.]+)"/g)].slice(0, MOST_NAMES).map(([, name = '']) => name);
}

function listsIn(text: string): NameLists {
  return {
    missing: namesAfter(text, /Missing key\(s\) in state_dict:(?=\s*"\w)/, /Unexpected key\(s\)|size mismatch/),
    unexpected: namesAfter(text, /Unexpected key\(s\) in state_dict:(?=\s*"\w)/, /Missing key\(s\)|size mismatch/),
  };
}

const withoutWrapper = (name: string): string => name.replace(/(^|\.)module\./g, '$1');
const isWrapped = (name: string): boolean => withoutWrapper(name) !== name;
const withoutCompiled = (name: string): string => name.replaceAll('_orig_mod.', '');

/**
 * True if enough names of the shorter list match to show that both lists belong to one model; pasted lists are often
 * truncated.
 */
function isMost(found: number, { missing, unexpected }: NameLists): boolean {
  return found > 0 && found >= Math.min(missing.length, unexpected.length) / 2;
}

function prefixIn(lists: NameLists): Prefix | undefined {
  const pairs = lists.missing.flatMap((built) =>
    lists.unexpected.flatMap((saved): Prefix[] => {
      if (saved.endsWith(`.${built}`))
        return [{ of: 'checkpoint', prefix: saved.slice(0, -built.length), saved, built }];
      if (built.endsWith(`.${saved}`)) return [{ of: 'model', prefix: built.slice(0, -saved.length), saved, built }];
      return [];
    }),
  );
  const [first] = pairs;
  const alike = pairs.filter(({ of, prefix }) => of === first?.of && prefix === first.prefix);
  return isMost(alike.length, lists) ? first : undefined;
}

/** A part of the model with different names on each side. */
interface Renamed {
  readonly from: string;
  readonly to: string;
}

/**
 * The part whose name is the only difference between the names of the shorter list and those of the other list; a
 * number is not a name.
 */
function renamedIn({ missing, unexpected }: NameLists): Renamed | undefined {
  const found = missing.flatMap((built) => unexpected.flatMap((saved) => renamedBetween(saved, built) ?? []));
  const [first] = found;
  if (first === undefined) return undefined;
  const built = new Set(missing);
  const renamed = unexpected.filter((name) => built.has(renaming(name, first)));
  return renamed.length >= Math.min(missing.length, unexpected.length) ? first : undefined;
}

function renamedBetween(saved: string, built: string): Renamed | undefined {
  const [one, other] = [saved.split('.'), built.split('.')];
  if (one.length !== other.length) return undefined;
  const differing = one.flatMap((part, at) => (part === other[at] ? [] : [{ from: part, to: other[at] ?? '' }]));
  const [first, ...more] = differing;
  const isName = first !== undefined && !/^\d+$/.test(first.from) && !/^\d+$/.test(first.to);
  // The last part is the weight itself.
  return more.length === 0 && isName && one.at(-1) === other.at(-1) ? first : undefined;
}

function renaming(name: string, { from, to }: Renamed): string {
  return name
    .split('.')
    .map((part) => (part === from ? to : part))
    .join('.');
}

/** The two names of a renamed part, for placeholders. */
export function renamedParts(text: string): Readonly<Record<string, string>> {
  const { from, to } = renamedIn(listsIn(text)) ?? {};
  return from === undefined || to === undefined ? {} : { renamedFrom: from, renamedTo: to };
}

/** The prefix by which all names differ, and the same prefix as an attribute, for placeholders. */
export function prefixParts(text: string): Readonly<Record<string, string>> {
  const { prefix } = prefixIn(listsIn(text)) ?? {};
  return prefix === undefined ? {} : { prefix, attribute: prefix.slice(0, -1) };
}

/** Undefined if the text does not contain both lists. */
function onLists(look: (lists: NameLists) => ShownFact): Condition {
  return ({ text }) => {
    const lists = listsIn(text);
    return lists.missing.length > 0 && lists.unexpected.length > 0 ? look(lists) : undefined;
  };
}

/** Based on whether the names of both sides are equal without a wrapper's prefix. */
function onDifference(piece: string, without: (name: string) => string): Condition {
  return onLists((lists) => {
    const built = new Set(lists.missing.map(without));
    const same = lists.unexpected.filter((name) => built.has(without(name)));
    return shown(
      isMost(same.length, lists),
      `the checkpoint's "${same[0]}" is one of the model's names except for "${piece}"`,
    );
  });
}

function onPrefix(isMeant: (prefix: Prefix) => boolean): Condition {
  return onLists((lists) => {
    const found = prefixIn(lists);
    return shown(
      found !== undefined && isMeant(found),
      `the checkpoint has "${found?.saved}" where the model has "${found?.built}"`,
    );
  });
}

const INTO_WRAPPED = /loading state_dict for \w{0,40}DataParallel\b/;

/** True if the text shows only a wrapped model's names. */
function isWrappedAlone(text: string): boolean {
  const { missing, unexpected } = listsIn(text);
  return INTO_WRAPPED.test(text) && unexpected.length === 0 && missing[0]?.startsWith('module.') === true;
}

const differsByModule = onDifference('module.', withoutWrapper);

/** One side is wrapped as a whole and the other in part, so removing a prefix is not enough. */
function bothHaveModule({ text }: Situation): ShownFact {
  const { missing, unexpected } = listsIn(text);
  return shown([missing, unexpected].every((names) => names.some(isWrapped)));
}

/** Based on whether one side's names have the wrapper's prefix, even if the other side has it elsewhere. */
function hasModule(side: Prefix['of']): Condition {
  const isBefore = onPrefix(({ of, prefix }) => of === side && prefix === 'module.');
  return (situation) => {
    const both = bothHaveModule(situation);
    return both.holds ? both : isBefore(situation);
  };
}

const isWrapper = ({ prefix }: Prefix): boolean => withoutCompiled(withoutWrapper(prefix)) === '';

/** Buffers that a model computes itself, which have their own message. */
const COMPUTED =
  /(?:position_ids|inv_freq|relative_position_index|(?:cos|sin)_cached|masked_bias|attn\.bias|attn_mask|position_bias)$/;

/** Based on whether all names of one side are such buffers, and nothing else differs. */
function onlyComputed(side: keyof NameLists): Condition {
  return ({ text }) => {
    const lists = listsIn(text);
    const names = lists[side];
    const other = names.find((name) => !COMPUTED.test(name));
    const isAlone = names.length > 0 && names.length === lists.missing.length + lists.unexpected.length;
    const holds = isAlone && other === undefined && !/size mismatch for/.test(text);
    return shown(holds, `all ${names.length} names are such buffers, as "${names[0]}"`);
  };
}

const COUNTER = 'num_batches_tracked';

/** Based on whether only batch norm's counters differ; some programs print the names without quotes. */
function onCounters(text: string): ShownFact {
  const lists = [...text.matchAll(/(?:Missing|Unexpected) key\(s\) in state_dict:([^\n]{1,8000})/g)];
  const names = lists.flatMap(([, list = '']) => list.match(/\w+(?:\.\w+)+/g) ?? []);
  return shown(
    names.length > 0 && names.every((name) => name.endsWith(`.${COUNTER}`)) && !/size mismatch for/.test(text),
    `all names that differ end in "${COUNTER}"`,
  );
}

/**
 * A wrapped model for which the checkpoint's names also have the wrapper's prefix; the prefix is then not the
 * difference.
 */
function isWrappedOnBothSides(text: string): boolean {
  return (
    INTO_WRAPPED.test(text) &&
    !/Missing key\(s\)/.test(text) &&
    /Unexpected key\(s\) in state_dict:\s*"module\.(?!module\.)/.test(text)
  );
}

/** Conditions on the names of weights in a message. */
export const weightNameConditions = {
  'names-differ-by-module': (situation) => {
    if (isWrappedOnBothSides(situation.text)) return shown(false);
    const [, saved] = /unexpected key(?:\(s\))?[^"\n]{0,40}"(module\.[\w.]+)/i.exec(situation.text) ?? [];
    return (
      differsByModule(situation) ?? (saved === undefined ? undefined : shown(true, `the checkpoint has "${saved}"`))
    );
  },
  'only-computed-buffers-missing': onlyComputed('missing'),
  'only-computed-buffers-unexpected': onlyComputed('unexpected'),
  'only-unexpected-names': ({ text }) => {
    const { missing, unexpected } = listsIn(text);
    // Names without a dot are parts of a whole checkpoint, and a wrapper's names do not belong to any other part of the
    // model.
    const areOfParts =
      unexpected.every((name) => name.includes('.') && !isWrapped(name) && withoutCompiled(name) === name) &&
      !unexpected.every((name) => COMPUTED.test(name));
    const isAlone = missing.length === 0 && unexpected.length > 0 && !/Missing key|size mismatch for/.test(text);
    return shown(isAlone && areOfParts, 'the message lists unexpected names but no missing ones');
  },
  'both-have-module': bothHaveModule,
  'only-counters-differ': ({ text }) => onCounters(text),
  'names-differ-by-compiling': onDifference('_orig_mod.', withoutCompiled),
  'model-is-compiled': onLists(({ missing: [built = ''] }) => shown(withoutCompiled(built) !== built)),
  'checkpoint-has-module': hasModule('checkpoint'),
  'model-has-module': (situation) => (isWrappedAlone(situation.text) ? shown(true) : hasModule('model')(situation)),
  'names-differ-by-a-part': onLists((lists) => {
    const { from, to } = renamedIn(lists) ?? {};
    const count = Math.min(lists.missing.length, lists.unexpected.length);
    return shown(
      from !== undefined,
      `except for "${from}" and "${to}", ${count === 1 ? 'the name is' : `the ${count} names are`} the same on both sides`,
    );
  }),
  'checkpoint-has-prefix': onPrefix((found) => found.of === 'checkpoint' && !isWrapper(found)),
  'model-has-prefix': onPrefix((found) => found.of === 'model' && !isWrapper(found)),
} satisfies Record<string, Condition>;
