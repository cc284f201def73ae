import { type Condition, type Shown, shown } from './condition.ts';

/** The names of weights that load_state_dict prints: what only the model has, and what only the checkpoint has. */
interface NameLists {
  readonly missing: readonly string[];
  readonly unexpected: readonly string[];
}

/** A piece that one side has before its names, and two names that show it. */
interface Prefix {
  readonly of: 'checkpoint' | 'model';
  readonly prefix: string;
  readonly saved: string;
  readonly built: string;
}

/** As many names are compared; models have thousands. */
const MOST_NAMES = 200;

function namesAfter(text: string, heading: RegExp, next: RegExp): readonly string[] {
  const found = heading.exec(text);
  if (!found) return [];
  const [list = ''] = text.slice(found.index + found[0].length).split(next);
  return [...list.matchAll(/"([\w.]+)"/g)].slice(0, MOST_NAMES).map(([, name = '']) => name);
}

function listsIn(text: string): NameLists {
  return {
    missing: namesAfter(text, /Missing key\(s\) in state_dict:/, /Unexpected key\(s\)|size mismatch/),
    unexpected: namesAfter(text, /Unexpected key\(s\) in state_dict:/, /Missing key\(s\)|size mismatch/),
  };
}

const withoutWrapper = (name: string): string => name.replace(/(^|\.)module\./g, '$1');
const withoutCompiled = (name: string): string => name.replaceAll('_orig_mod.', '');

/** Whether so many of the shorter list are found that the two lists are of one model; pasted lists are often cut. */
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

/** The piece by which all names differ, and as an attribute, for what sentences are filled with. */
export function prefixParts(text: string): Readonly<Record<string, string>> {
  const { prefix } = prefixIn(listsIn(text)) ?? {};
  return prefix === undefined ? {} : { prefix, attribute: prefix.slice(0, -1) };
}

/** Undefined where the text has not both lists. */
function onLists(look: (lists: NameLists) => Shown): Condition {
  return ({ text }) => {
    const lists = listsIn(text);
    return lists.missing.length > 0 && lists.unexpected.length > 0 ? look(lists) : undefined;
  };
}

/** On whether the names of both sides are the same without a piece that a wrapper puts into them. */
function onDifference(piece: string, without: (name: string) => string): Condition {
  return onLists((lists) => {
    const built = new Set(lists.missing.map(without));
    const same = lists.unexpected.filter((name) => built.has(without(name)));
    const [first = lists.unexpected[0]] = same;
    return isMost(same.length, lists)
      ? shown(true, `the checkpoint's "${first}" is one of the model's names but for "${piece}"`)
      : shown(false, `the names differ by more than "${piece}", as "${first}" shows`);
  });
}

function onPrefix(isMeant: (prefix: Prefix) => boolean): Condition {
  return onLists((lists) => {
    const found = prefixIn(lists);
    return shown(
      found !== undefined && isMeant(found),
      found === undefined
        ? 'the names differ by more than what stands before them'
        : `the checkpoint has "${found.saved}" where the model has "${found.built}"`,
    );
  });
}

const isWrapper = ({ prefix }: Prefix): boolean => withoutCompiled(withoutWrapper(prefix)) === '';

/** Conditions on the names of weights that a message lists. */
export const weightNameConditions = {
  'names-differ-by-module': onDifference('module.', withoutWrapper),
  'names-differ-by-compiling': onDifference('_orig_mod.', withoutCompiled),
  'model-is-compiled': onLists(({ missing: [built = ''] }) =>
    shown(withoutCompiled(built) !== built, `the model has "${built}"`),
  ),
  'checkpoint-has-module': onPrefix((found) => found.of === 'checkpoint' && found.prefix === 'module.'),
  'model-has-module': onPrefix((found) => found.of === 'model' && found.prefix === 'module.'),
  'checkpoint-has-prefix': onPrefix((found) => found.of === 'checkpoint' && !isWrapper(found)),
  'model-has-prefix': onPrefix((found) => found.of === 'model' && !isWrapper(found)),
} satisfies Record<string, Condition>;
