/** Guard 7 across files: what is established at every use of a function, followed to the entries of the program. */
import { type CallSite, judgeCallers } from '../guards/callerEvidence.ts';
import { type Evidence, NONE } from '../guards/evidence.ts';
import type { CallerEvidence } from '../guards/projectView.ts';
import { push } from '../python/semantic/multimap.ts';
import type { DefinedName } from './imports.ts';
import type { FileSummary, OutsideUse, UseSummary } from './summary.ts';

/** What following callers asks of the project. */
export interface CallerQuestions {
  summaryOf(path: string): Pick<FileSummary, 'uses'> | undefined;
  /** The other files that may use a name of a file's top level, those that are read soonest first; undefined where they are too many. */
  usersOf(path: string, name: string): readonly string[] | undefined;
  /** The uses in a file of what another file defines. */
  usesOf(definingPath: string, usingPath: string): readonly DefinedUse[];
}

/** A use of something that another file defines under `name`. */
export interface DefinedUse {
  readonly name: string;
  readonly use: OutsideUse;
}

/** Returns the uses of a summary by the file that defines what is used. */
export function usesByDefinition(
  { outside }: Pick<FileSummary, 'outside'>,
  definitionOf: (dotted: string) => DefinedName | undefined,
): ReadonlyMap<string, readonly DefinedUse[]> {
  const found = new Map<string, DefinedUse[]>();
  for (const use of outside) {
    const definition = definitionOf(use.target);
    if (definition) push(found, definition.path, { name: definition.name, use });
  }
  return found;
}

/** Files that are looked into for one question. What is called from more is seldom guarded everywhere. */
const MOST_FILES = 6;

const NOTHING: CallerEvidence = { evidence: NONE };

interface Site extends CallSite<string> {
  /** Absent where only the uses of a method's class are known. */
  readonly at?: { readonly path: string; readonly use: UseSummary };
}

const keyOf = (path: string, name: string) => `${path}\0${name}`;
const INNER = '.<locals>.';

/** What is established at every use of the function, in its file and elsewhere. */
export function evidenceOfCallers(path: string, name: string, questions: CallerQuestions): CallerEvidence {
  const start = keyOf(path, name);
  const sites = new Map<string, readonly Site[]>();
  const unguarded = createUnguarded();
  const files = new Set<string>();
  const open = [start];
  for (const key of open) {
    if (sites.has(key) || unguarded.has(key)) continue;
    const found: Site[] = [];
    for (const site of sitesOf(key, questions, files)) {
      found.push(site);
      if (unguarded.add(key, site)) break;
    }
    if (found.length === 0) unguarded.add(key, NOWHERE);
    // One way to the function that nothing guards settles it.
    if (unguarded.has(start)) return NOTHING;
    sites.set(key, found);
    for (const { local, inside } of found) if (local.level !== 'guard') open.push(...inside);
  }
  const evidence: Evidence = judgeCallers(sites).get(start) ?? NONE;
  const at = evidence.level === 'none' ? undefined : guardElsewhere(path, start, sites);
  return { evidence, ...(at && { at }) };
}

/** Stands for a use of which nothing is known. */
const NOWHERE: Site = { local: NONE, inside: [] };

/** The functions that are found to be used without a guard somewhere. */
function createUnguarded() {
  const unguarded = new Set<string>();
  /** By function, the uses in it that are guarded if it is: the used functions, and what else they lie in. */
  const waiting = new Map<string, { readonly key: string; readonly inside: readonly string[] }[]>();
  const settle = (key: string) => {
    if (unguarded.has(key)) return;
    unguarded.add(key);
    for (const use of waiting.get(key) ?? []) if (use.inside.every((around) => unguarded.has(around))) settle(use.key);
  };
  return {
    has: (key: string) => unguarded.has(key),
    /** Takes note of a use of the function; true when nothing guards it. */
    add(key: string, { local, inside }: Site): boolean {
      if (local.level !== 'none') return false;
      if (inside.every((around) => unguarded.has(around))) settle(key);
      else for (const around of inside) push(waiting, around, { key, inside });
      return unguarded.has(key);
    },
  };
}

/** The uses of a function or class. `files` are those that were looked into so far. */
function* sitesOf(key: string, questions: CallerQuestions, files: Set<string>): Generator<Site> {
  const [path = '', name = ''] = key.split('\0');
  const isInner = name.includes(INNER);
  const owner = isInner ? '' : name.slice(0, Math.max(0, name.lastIndexOf('.')));
  const isConstructor = owner !== '' && name === `${owner}.__init__`;
  // What constructs an object is a use of its class.
  const used = isConstructor ? owner : name;
  const siteOf = (file: string, use: UseSummary): Site => ({
    at: { path: file, use },
    local: use.evidence,
    inside: use.inside.map((around) => keyOf(file, around)),
  });
  let isUsed = false;
  for (const use of questions.summaryOf(path)?.uses[used] ?? []) {
    isUsed = true;
    yield siteOf(path, use);
  }
  const [top = name] = name.split('.');
  const users = isInner ? [] : questions.usersOf(path, top);
  if (users === undefined || users.length > MOST_FILES) yield NOWHERE;
  for (const user of users ?? []) {
    files.add(user);
    if (files.size > MOST_FILES) yield NOWHERE;
    for (const { name: defined, use } of questions.usesOf(path, user)) {
      if (!isUseOf(used, defined, use)) continue;
      isUsed = true;
      yield siteOf(user, use);
    }
  }
  // A method runs for an object, which somebody has made.
  if (!isUsed && owner !== '' && !isConstructor) yield { local: NONE, inside: [keyOf(path, owner)] };
}

/** True for a use of the name, or of something that belongs to it, such as `train.remote` and `Trainer.create`. */
function isUseOf(wanted: string, used: string, { as }: OutsideUse): boolean {
  return used === wanted || (as !== 'method' && used.startsWith(`${wanted}.`));
}

/** Where in another file a guard stands that holds for the function. */
function guardElsewhere(path: string, start: string, sites: ReadonlyMap<string, readonly Site[]>) {
  const open = new Set([start]);
  for (const key of open)
    for (const { at, local, inside } of sites.get(key) ?? []) {
      if (local.level === 'none') for (const around of inside) open.add(around);
      else if (at && at.path !== path) return { path: at.path, ...at.use.place };
    }
  return undefined;
}
