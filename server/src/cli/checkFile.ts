import { isUtf8 } from 'node:buffer';
import { dirname, resolve } from 'node:path';
import type { CheckpointCache, MentionedPath, VisibleCheckpoints } from '../checkpoint/checkpointCache.ts';
import type { EnvironmentKind } from '../environment/environmentFile.ts';
import { environmentKind, namesGpuPackages } from '../environment/kinds.ts';
import { decodedText, utf16Of } from '../environment/text.ts';
import type { Cache } from '../files/cache.ts';
import { cacheKey } from '../files/cacheKey.ts';
import {
  type Document,
  encodeDocument,
  isNotebookPath,
  readDocument,
  readProgram,
  renderDocument,
} from '../files/document.ts';
import { type NotebookLines, notebookLines } from '../files/notebookLines.ts';
import { describeSystemError, Trouble } from '../files/trouble.ts';
import { replaceProjectFile } from '../files/write.ts';
import { type Program, parseProgram } from '../guards/program.ts';
import { installingKind, isSetupScript } from '../lint/installing.ts';
import type { JudgedText } from '../lint/judgedText.ts';
import { applyFixes, isNoAdvice, judge, type LintOptions, lint } from '../lint/lint.ts';
import { namedCheckpoints } from '../lint/namedCheckpoints.ts';
import { hasTrigger } from '../lint/triggers.ts';
import { Unreadable } from '../projectFile.ts';
import { factsInFile } from '../projectIndex/diskFiles.ts';
import type { DependencyRecorder } from '../projectIndex/projectIndex.ts';
import type { Projects } from '../projectIndex/projects.ts';
import type { TextFacts } from '../projectIndex/textFacts.ts';
import { once } from '../python/semantic/memoize.ts';
import { reportRangeOf } from '../python/semantic/reportRange.ts';
import type { Source } from '../python/semantic/source.ts';
import { type Problem, problemOf } from '../report/problem.ts';
import type { Finding } from '../rules/engine/contract.ts';
import type { FixAllResult } from '../rules/engine/fixAll.ts';

/** The action on each file: report only, write the fixes, show them as a diff, or add suppressions. */
export type FileAction = 'report' | 'fix' | 'diff' | 'patch' | 'noqa';

export interface FileResult {
  /** The findings; after a fix, the remaining ones. */
  readonly problems: readonly Problem[];
  /** The number of hints, if hints are not requested. */
  readonly hidden: number;
  /** The position and reason of a syntax error, as a clause that follows the file's name. */
  readonly misparsed?: string | undefined;
  /** Clauses that follow the file's name. */
  readonly troubles: readonly string[];
  readonly fixed: number;
  /** The unified diff of the fixes, if requested. */
  readonly diff: string;
  /** The state of the project, if the result depends on its other files. */
  readonly project?: string | undefined;
  /** The checkpoints and lists that the file names, and Dockerfiles nearby, if none of them existed. */
  readonly absent?: readonly MentionedPath[] | undefined;
}

export interface FileJob {
  readonly path: string;
  readonly action: FileAction;
  /** True to also apply fixes that may change what a program does. */
  readonly unsafe?: boolean | undefined;
  /** True to also suppress hints and fix them unsafely. */
  readonly changesHints?: boolean | undefined;
  /** True if hints are requested, otherwise only their number. */
  readonly hints: boolean;
  readonly options: LintOptions;
  /** True if the file was named on the command line, so that syntax errors are reported. */
  readonly isNamed?: boolean | undefined;
  /** Words that make a file worth parsing, in addition to the rules' own words. */
  readonly words: readonly string[];
  readonly checkpoints: CheckpointCache;
  /** Absent for text that is checked by itself, such as standard input. */
  readonly projects?: Projects;
  /** True if the file is known to be worth parsing. */
  readonly isWorthParsing?: boolean;
  /** Receives the facts in the text. */
  readonly facts?: Map<string, TextFacts>;
  /** The cache of reports. Results with facts about the machine are not cached. */
  readonly cache?: Cache<CachedResult> | undefined;
}

/** The cached part of a result without troubles. */
export type CachedResult = Pick<FileResult, 'problems' | 'hidden' | 'misparsed' | 'project' | 'absent'>;

export const NO_RESULT: FileResult = { problems: [], hidden: 0, troubles: [], fixed: 0, diff: '' };

/** The result for a file, and its cache key, unless the result was already cached or depends on more than the file. */
export type Checked = readonly [result: FileResult, key?: string];

/** A file that must be parsed, with its content. */
interface Unjudged {
  readonly bytes: Buffer;
  readonly key: string | undefined;
}

/** The result for a file that does not need to be parsed, as is the case for most files. Never throws. */
export function lookAt(job: FileJob): Checked | Unjudged {
  const { path, cache, facts } = job;
  try {
    const bytes = readProgram(path);
    // Comparing a file with its cached version takes less time than checking whether it must be parsed.
    const key = cache && cacheKey(circumstancesOf(job), bytes);
    const known = key !== undefined ? cache?.get(path, key) : undefined;
    if (known && holds(known, job)) return [{ ...NO_RESULT, ...known }];
    const latin1 = once(() => bytes.toString('latin1'));
    const shown = facts && !facts.has(path) ? factsInFile(path, bytes, latin1) : undefined;
    if (shown) facts?.set(path, shown);
    return job.isWorthParsing || isWorthParsing(job, bytes, latin1) ? { bytes, key } : [NO_RESULT, key];
  } catch (error) {
    return [failed(error)];
  }
}

/** True if a cached result of the same text is still valid. */
function holds({ project, absent }: CachedResult, { path, projects, checkpoints }: FileJob): boolean {
  return (
    (project === undefined || project === projects?.stateOf(path)) &&
    (absent === undefined || checkpoints.visibleFrom(startsOf(path)).areAbsent(absent))
  );
}

/** Reads a file and checks it if necessary. Never throws. */
export async function checkFile(job: FileJob): Promise<Checked> {
  const looked = lookAt(job);
  return isUnjudged(looked) ? judgeFile(job, looked) : looked;
}

export const isUnjudged = (looked: Checked | Unjudged): looked is Unjudged => 'bytes' in looked;

/** Checks one file and performs the action on it. Never throws: errors are part of the result. */
async function judgeFile(job: FileJob, { bytes, key }: Unjudged): Promise<Checked> {
  const { path, action } = job;
  try {
    const document = readDocument(path, bytes, job.isNamed);
    const { result, source, isOfTextAlone } = await checkDocument(path, document, job);
    if (!WRITES[action] || source === document.source)
      return isOfTextAlone && result.troubles.length === 0 ? [result, key] : [result];
    try {
      await replaceProjectFile(path, encodeDocument(document, source));
    } catch (error) {
      const unchanged = await checkDocument(path, document, { ...job, action: 'report' });
      return [{ ...unchanged.result, troubles: [...result.troubles, clauseOf(error)] }];
    }
    return [result];
  } catch (error) {
    return [failed(error)];
  }
}

/** The actions that change files. */
const WRITES: Readonly<Record<FileAction, boolean>> = {
  report: false,
  fix: true,
  diff: false,
  patch: false,
  noqa: true,
};

const failed = (error: unknown): FileResult => ({ ...NO_RESULT, troubles: [clauseOf(error)] });

/** Everything other than the text that determines the findings, as one string. */
function circumstancesOf({ path, isNamed = false, hints, options, projects }: FileJob): string {
  const plain = (_: string, value: unknown) => (value instanceof Set ? [...value] : value);
  return JSON.stringify([path, isNamed, hints, options, projects?.rootOf(path) ?? null], plain);
}

type TextJob = Pick<FileJob, 'action' | 'unsafe' | 'changesHints' | 'hints' | 'options' | 'checkpoints' | 'projects'>;

interface DocumentResult {
  readonly result: FileResult;
  /** The fixed source; the document's own if nothing was fixed. */
  readonly source: Source;
  /** False if the result depends on checkpoints, or on requirement files that this file names. */
  readonly isOfTextAlone: boolean;
}

/** Checks a document under the name for reports; for `fix` and `diff`, also fixes it. */
export async function checkDocument(name: string, document: Document, job: TextJob): Promise<DocumentResult> {
  const { kind } = document;
  if (kind !== undefined) return checkEnvironmentDocument(name, kind, document, job);
  const { action, unsafe, changesHints, hints, options, checkpoints, projects } = job;
  const troubles = [...document.troubles];
  const inSight = checkpoints.visibleFrom(startsOf(name));
  let asksProject = false;
  let isAlone = true;
  const ask = () => {
    asksProject = true;
  };
  const asked: DependencyRecorder = { summary: ask, importers: ask, fileNames: ask };
  const judged: LintOptions = {
    ...options,
    judgeInstallations: installingKind(document.source)
      ? await judgeInstallationsOf(name, () => (isAlone = false))
      : options.judgeInstallations,
    projectOf: (program) => projects?.projectOf(program, asked),
    known: { ...options.known, checkpointsAt: inSight.checkpointsAt },
    onRuleError: (code, error) => troubles.push(failureOf(code, error)),
  };
  const before = await judgeSource(name, document.source, judged, inSight, hints, linesOf(document));
  const isOfTextAlone = before.isOfTextAlone && isAlone;
  const project = asksProject ? { project: projects?.stateOf(resolve(name)) } : {};
  const unchanged = {
    result: { ...NO_RESULT, ...before.shown, ...project, troubles },
    source: document.source,
    isOfTextAlone,
  };
  if (action === 'report') return unchanged;
  const { source, fixed } = await rewrite(document.source, judged, { action, unsafe, changesHints });
  if (sameTexts(source, document.source)) return unchanged;
  const after = await judgeSource(name, source, judged, inSight, hints, linesOf(document, source));
  const diff = await diffOf(action, document, source);
  return {
    result: { ...after.shown, troubles: [...new Set(troubles)], fixed, diff },
    source,
    isOfTextAlone,
  };
}

/** The difference between a document and its fixed source; empty unless the action shows one. */
async function diffOf(action: FileAction, document: Document, source: Source): Promise<string> {
  if (action !== 'diff' && action !== 'patch') return '';
  const { renderDiff, renderPatch } = await import('../report/diff.ts');
  return action === 'diff'
    ? renderDiff(document.source, source)
    : renderPatch(document.source.path, document.text, renderDocument(document, source));
}

/** A source with its fixes, or with suppression comments, including those for requested hints. */
async function rewrite(
  source: Source,
  options: LintOptions,
  { action, unsafe, changesHints }: Pick<FileJob, 'action' | 'unsafe' | 'changesHints'>,
): Promise<FixAllResult> {
  const isWanted = ({ severity }: Finding) => changesHints || severity !== 'hint';
  if (action === 'noqa') {
    const { program, findings } = lint(source, options);
    return (await import('../lint/addNoqa.ts')).addNoqa(program, findings.filter(isWanted));
  }
  // Fixes of installations inside a program are only offered.
  const safe = applyFixes(source, { ...options, judgeInstallations: undefined });
  if (!unsafe) return safe;
  const more = applyFixes(safe.source, options, isWanted, isNoAdvice);
  const breaks = errorsIn(more.source) > errorsIn(safe.source);
  return breaks ? safe : { source: more.source, fixed: safe.fixed + more.fixed };
}

const errorsIn = (source: Source): number =>
  parseProgram(source, {}).modules.reduce((sum, { errors }) => sum + errors.length, 0);

/** The position of a notebook's cells in its file, with the cells of `source`; undefined for a script. */
function linesOf(document: Document, source = document.source): NotebookLines | undefined {
  return source.kind === 'notebook' ? notebookLines(renderDocument(document, source)) : undefined;
}

/** Checks the installations in a program with that name; `reads` is called if another file affects them. */
async function judgeInstallationsOf(name: string, reads: () => void): Promise<LintOptions['judgeInstallations']> {
  const { judgeInstallations } = await import('../lint/lintInstallations.ts');
  const { readBeside } = await import('../environment/readers/includes.ts');
  const read = readBeside(resolve(name));
  return (program, options) =>
    judgeInstallations(program, options, (path) => {
      reads();
      return read(path);
    });
}

/** The folders that a program's relative paths may be relative to. */
const startsOf = (name: string) => [dirname(resolve(name)), process.cwd()];

/** The same for an environment file. Unreadable files are left to their own tools. */
async function checkEnvironmentDocument(
  name: string,
  kind: EnvironmentKind,
  document: Document,
  { action, unsafe, changesHints, hints, options }: TextJob,
): Promise<DocumentResult> {
  const [{ lintEnvironment, applyEnvironmentFixes }, { addNoqa }] = await Promise.all([
    import('../lint/lintEnvironment.ts'),
    import('../lint/addNoqa.ts'),
  ]);
  const { readBeside } = await import('../environment/readers/includes.ts');
  const { source } = document;
  const read = readBeside(resolve(name));
  const troubles: string[] = [];
  let isOfTextAlone = true;
  const judged: LintOptions = { ...options, onRuleError: (code, error) => troubles.push(failureOf(code, error)) };
  const resultOf = (of: Source): FileResult => {
    const { program, findings } = lintEnvironment(kind, of, judged, read);
    const { included = [] } = program.environment;
    isOfTextAlone &&= included.every(({ text }) => text === undefined);
    const absent =
      included.length > 0 ? included.map(({ path }): MentionedPath => ({ text: path, from: 'program' })) : undefined;
    return { ...NO_RESULT, ...shownOf(name, program, findings, hints), absent };
  };
  const before = { ...resultOf(source), troubles };
  if (action === 'report') return { result: before, source, isOfTextAlone };
  const isWanted = ({ severity }: Finding) => changesHints || severity !== 'hint';
  const silenced = () => {
    const { program, findings } = lintEnvironment(kind, source, judged, read);
    return addNoqa(program, findings.filter(isWanted));
  };
  const mended =
    action === 'noqa'
      ? silenced()
      : applyEnvironmentFixes(
          kind,
          source,
          judged,
          unsafe ? isWanted : () => true,
          read,
          unsafe ? isNoAdvice : undefined,
        );
  if (sameTexts(mended.source, source)) return { result: before, source, isOfTextAlone };
  const diff = await diffOf(action, document, mended.source);
  const result = { ...resultOf(mended.source), troubles: [...new Set(troubles)], fixed: mended.fixed, diff };
  return { result, source: mended.source, isOfTextAlone };
}

/** Reads the checkpoints that a program names, then checks it. */
async function judgeSource(
  name: string,
  source: Source,
  options: LintOptions,
  checkpoints: VisibleCheckpoints,
  hints: boolean,
  lineOf: NotebookLines | undefined,
): Promise<{ readonly shown: CachedResult; readonly isOfTextAlone: boolean }> {
  const program = parseProgram(source, options);
  const named = namedCheckpoints(program, options);
  if (named.length > 0) await checkpoints.read(named);
  const areAbsent = named.every((path) => checkpoints.checkpointsAt(path).length === 0) && checkpoints.areAbsent(named);
  const misparsed = misparsedIn(program);
  const shown = { ...shownOf(name, program, judge(program, options), hints, lineOf), misparsed };
  return {
    shown: named.length > 0 && areAbsent ? { ...shown, absent: named } : shown,
    isOfTextAlone: areAbsent,
  };
}

/** The position and reason of the first syntax error. The rest of the program is checked. */
function misparsedIn(program: Program): string | undefined {
  const [error] = program.modules.flatMap(({ errors }) => errors);
  if (!error) return undefined;
  const { cell, location } = reportRangeOf(program, error);
  const place = `${cell === null ? '' : `cell ${cell}:`}${location.row}:${location.column}`;
  return `${place} does not parse: ${error.message}`;
}

function shownOf(
  name: string,
  program: JudgedText,
  findings: readonly Finding[],
  hints: boolean,
  lineOf?: NotebookLines,
): CachedResult {
  const shown = hints ? findings : findings.filter(({ severity }) => severity !== 'hint');
  return {
    problems: shown.map((finding) => problemOf(name, program, finding, lineOf)),
    hidden: findings.length - shown.length,
  };
}

function sameTexts(a: Source, b: Source): boolean {
  return a.cells.every(({ text }, index) => text === b.cells[index]?.text);
}

/**
 * A file that cannot have findings is not parsed, unless it was named on the command line. Encoding errors are only
 * noticed when a file is parsed.
 */
function isWorthParsing({ path, isNamed, words }: FileJob, bytes: Buffer, latin1: () => string): boolean {
  if (environmentKind(path) !== undefined) {
    const text = utf16Of(bytes) === undefined ? bytes : Buffer.from(decodedText(bytes));
    return isUtf8(text) && !text.includes(0) && namesGpuPackages(text);
  }
  if (isSetupScript(path) && namesGpuPackages(bytes)) return true;
  if (isNamed || isNotebookPath(path) || bytes.includes(0) || !isUtf8(bytes)) return true;
  // The search words are ASCII, so other bytes need no decoding.
  return hasTrigger(
    latin1(),
    words.map((word) => Buffer.from(word).toString('latin1')),
  );
}

function clauseOf(error: unknown): string {
  if (error instanceof Trouble || error instanceof Unreadable) return error.message;
  if ((error as NodeJS.ErrnoException)?.code !== undefined) return describeSystemError(error);
  return failureOf('GPU Doctor', error);
}

const failureOf = (failed: string, error: unknown): string =>
  `could not be checked (${failed} failed; please report this): ${error instanceof Error ? error.message : String(error)}`;
