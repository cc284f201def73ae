/** Guard 7 across files: what is established at every use of a function, followed to the entries of the program. */
import { type CallSite, judgeCallers } from '../guards/callerEvidence.ts';
import { NONE } from '../guards/evidence.ts';
import type { CallerEvidence } from '../guards/projectView.ts';
import type { FileSummary, OutsideUse, UseSummary } from './summary.ts';

/** What following callers asks of the project. */
export interface CallerQuestions {
  summaryOf(path: string): FileSummary | undefined;
  /** The other files that may use a name of a file's top level. */
  usersOf(path: string, name: string): readonly string[];
  /** Where a dotted name of a file is defined: the file, and the name in it. */
  definitionOf(path: string, dotted: string): { readonly path: string; readonly name: string } | undefined;
}

/** Files that are looked into for one function; where it takes more, nothing is known of its callers. */
const MOST_FILES = 48;

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
  const files = new Set<string>();
  const open = [start];
  for (const key of open) {
    if (sites.has(key)) continue;
    const found: Site[] = [];
    for (const site of sitesOf(key, questions, files)) {
      // One use that nothing guards settles it.
      if (files.size > MOST_FILES || (key === start && isUnguarded(site))) return NOTHING;
      found.push(site);
    }
    if (found.length === 0) continue;
    sites.set(key, found);
    for (const { inside } of found) open.push(...inside);
  }
  const evidence = judgeCallers(sites).get(start) ?? NONE;
  const at = evidence.level === 'none' ? undefined : guardElsewhere(path, start, sites);
  return { evidence, ...(at && { at }) };
}

const isUnguarded = ({ local, inside }: Site) => local.level === 'none' && inside.length === 0;

/** The uses of a function or class. */
function* sitesOf(key: string, questions: CallerQuestions, files: Set<string>): Generator<Site> {
  const [path = '', name = ''] = key.split('\0');
  const isInner = name.includes(INNER);
  const owner = isInner ? '' : name.slice(0, Math.max(0, name.lastIndexOf('.')));
  const isConstructor = owner !== '' && name === `${owner}.__init__`;
  // What constructs an object is a use of its class.
  const used = isConstructor ? owner : name;
  // Any other method runs for an object, which somebody has made.
  const made = owner === '' || isConstructor ? [] : [keyOf(path, owner)];
  const siteOf = (file: string, use: UseSummary): Site => ({
    at: { path: file, use },
    local: use.evidence,
    inside: [...use.inside.map((around) => keyOf(file, around)), ...made],
  });
  let isUsed = false;
  files.add(path);
  for (const use of questions.summaryOf(path)?.uses[used] ?? []) {
    isUsed = true;
    yield siteOf(path, use);
  }
  const [top = name] = name.split('.');
  for (const user of isInner ? [] : questions.usersOf(path, top)) {
    files.add(user);
    if (files.size > MOST_FILES) yield { local: NONE, inside: [] };
    for (const use of questions.summaryOf(user)?.outside ?? []) {
      const definition = questions.definitionOf(user, use.target);
      if (definition?.path !== path || !isUseOf(used, definition.name, use)) continue;
      isUsed = true;
      yield siteOf(user, use);
    }
  }
  if (!isUsed && made.length > 0) yield { local: NONE, inside: made };
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
