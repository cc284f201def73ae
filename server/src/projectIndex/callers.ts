/**
 * Guard 7 across files: the evidence that all uses of a function share, followed to the entry points of the program.
 */
import { type CallSite, evidenceFromCallers } from '../guards/callerEvidence.ts';
import { type Evidence, NO_EVIDENCE } from '../guards/evidence.ts';
import type { CallerEvidence } from '../guards/projectView.ts';
import { push } from '../python/semantic/multimap.ts';
import type { DefinedName } from './imports.ts';
import type { FileSummary, OutsideUse, UseSummary } from './summary.ts';

/** The queries on which the search for callers depends. */
export interface CallerQuestions {
  summaryOf(path: string): Pick<FileSummary, 'uses'> | undefined;
  /**
   * Returns the other files that may use a top-level name of a file, in ascending order of size; undefined if too many.
   */
  usersOf(path: string, name: string): readonly string[] | undefined;
  /** Returns the uses in a file of names that another file defines. */
  usesOf(definingPath: string, usingPath: string): readonly DefinedUse[];
}

/** A use of a name that another file defines as `name`. */
export interface DefinedUse {
  readonly name: string;
  readonly use: OutsideUse;
}

/** Returns the uses in a summary, grouped by the file that defines the name. */
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

/** Maximum number of files per question. A function that more files call is seldom guarded everywhere. */
const MAX_FILES = 6;

const NOTHING: CallerEvidence = { evidence: NO_EVIDENCE };

interface Site extends CallSite<string> {
  /** Absent if only the uses of a method's class are known. */
  readonly at?: { readonly path: string; readonly use: UseSummary };
}

const keyOf = (path: string, name: string) => `${path}\0${name}`;
const INNER = '.<locals>.';

/** Returns the evidence shared by all uses of the function, in its file and elsewhere. */
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
    if (found.length === 0) unguarded.add(key, UNKNOWN_SITE);
    // One unguarded use is enough to decide.
    if (unguarded.has(start)) return { ...NOTHING, isUsedFreely: key !== start || found.length > 0 };
    sites.set(key, found);
    for (const { local, inside } of found) if (local.level !== 'guard') open.push(...inside);
  }
  const evidence: Evidence = evidenceFromCallers(sites).get(start) ?? NO_EVIDENCE;
  const at = evidence.level === 'none' ? undefined : guardInOtherFile(path, start, sites);
  return { evidence, at };
}

/** Stands for a use without any information. */
const UNKNOWN_SITE: Site = { local: NO_EVIDENCE, inside: [] };

/** Propagates the functions that have an unguarded use. */
function createUnguarded() {
  const unguarded = new Set<string>();
  /** For each function, the functions that are guarded only if it is: those that it uses. */
  const dependents = new Map<string, { readonly key: string; readonly inside: readonly string[] }[]>();
  const markUnguarded = (key: string) => {
    if (unguarded.has(key)) return;
    unguarded.add(key);
    for (const use of dependents.get(key) ?? [])
      if (use.inside.every((around) => unguarded.has(around))) markUnguarded(use.key);
  };
  return {
    has: (key: string) => unguarded.has(key),
    /** Records a use of the function; true if the use is unguarded. */
    add(key: string, { local, inside }: Site): boolean {
      if (local.level !== 'none') return false;
      if (inside.every((around) => unguarded.has(around))) markUnguarded(key);
      else for (const around of inside) push(dependents, around, { key, inside });
      return unguarded.has(key);
    },
  };
}

/** Returns the uses of a function or class. `files` collects the files that were read. */
function* sitesOf(key: string, questions: CallerQuestions, files: Set<string>): Generator<Site> {
  const [path = '', name = ''] = key.split('\0');
  const isInner = name.includes(INNER);
  const owner = isInner ? '' : name.slice(0, Math.max(0, name.lastIndexOf('.')));
  const isConstructor = owner !== '' && name === `${owner}.__init__`;
  // A use of the constructor is a use of its class.
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
  if (users === undefined || users.length > MAX_FILES) yield UNKNOWN_SITE;
  for (const user of users ?? []) {
    files.add(user);
    if (files.size > MAX_FILES) yield UNKNOWN_SITE;
    for (const { name: defined, use } of questions.usesOf(path, user)) {
      if (!isUseOf(used, defined, use)) continue;
      isUsed = true;
      yield siteOf(user, use);
    }
  }
  // A method runs on an object, so its class was used before.
  if (!isUsed && owner !== '' && !isConstructor) yield { local: NO_EVIDENCE, inside: [keyOf(path, owner)] };
}

/** True for a use of the name or of one of its attributes, such as `train.remote` and `Trainer.create`. */
function isUseOf(wanted: string, used: string, { as }: OutsideUse): boolean {
  return used === wanted || (as !== 'method' && used.startsWith(`${wanted}.`));
}

/** Returns the place of a guard in another file that applies to the function. */
function guardInOtherFile(path: string, start: string, sites: ReadonlyMap<string, readonly Site[]>) {
  const open = new Set([start]);
  for (const key of open)
    for (const { at, local, inside } of sites.get(key) ?? []) {
      if (local.level === 'none') for (const around of inside) open.add(around);
      else if (at && at.path !== path) return { path: at.path, ...at.use.place };
    }
  return undefined;
}
