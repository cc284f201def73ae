import { isUtf8 } from 'node:buffer';
import { readFile as readFileWithCallback } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { CheckpointsInSight, KnownCheckpoints } from '../checkpoint/knownCheckpoints.ts';
import { loadParser } from '../guards/program.ts';
import { type Document, encodeDocument, isNotebookPath, readDocument } from '../project/document.ts';
import { judge, type LintOptions, lint, mend } from '../project/lint.ts';
import { describeSystemError, Trouble } from '../project/trouble.ts';
import { replaceFile } from '../project/write.ts';
import type { Source } from '../python/semantic/source.ts';
import { type Problem, problemOf } from '../report/problem.ts';
import { hasTrigger } from '../rules/engine/triggers.ts';

/** What is to be done with each file: report only, write the fixes, or show them as a diff. */
export type Action = 'report' | 'fix' | 'diff';

export interface FileResult {
  /** What was found; after a fix, what remains. Hints are among them. */
  readonly problems: readonly Problem[];
  /** Clauses that follow the file's name. */
  readonly troubles: readonly string[];
  readonly fixed: number;
  /** The unified diff of the fixes, when it was asked for. */
  readonly diff: string;
}

export interface FileJob {
  readonly path: string;
  readonly action: Action;
  readonly options: LintOptions;
  /** Words besides the rules' own that make a file worth parsing. */
  readonly words: readonly string[];
  readonly checkpoints: KnownCheckpoints;
}

/** Four times as fast as the one of `node:fs/promises`. */
const readFile = promisify(readFileWithCallback);

const NOTHING: FileResult = { problems: [], troubles: [], fixed: 0, diff: '' };

/** Judges one file and does to it what is to be done. Never throws: trouble is part of the result. */
export async function checkFile({ path, action, options, words, checkpoints }: FileJob): Promise<FileResult> {
  try {
    const bytes = await readFile(path);
    const document = isWorthParsing(path, bytes, words) ? readDocument(path, bytes) : undefined;
    if (!document) return NOTHING;
    const { result, source } = await checkDocument(path, document, action, options, checkpoints);
    if (action !== 'fix' || source === document.source) return result;
    try {
      await replaceFile(path, encodeDocument(document, source));
    } catch (error) {
      const unchanged = await checkDocument(path, document, 'report', options, checkpoints);
      return { ...unchanged.result, troubles: [...result.troubles, clauseOf(error)] };
    }
    return result;
  } catch (error) {
    return { ...NOTHING, troubles: [clauseOf(error)] };
  }
}

export interface DocumentResult {
  readonly result: FileResult;
  /** The fixed source; the document's own when nothing was fixed. */
  readonly source: Source;
}

/** Judges a document under the name that reports are to give it; for `fix` and `diff`, mends it. */
export async function checkDocument(
  name: string,
  document: Document,
  action: Action,
  options: LintOptions,
  checkpoints: KnownCheckpoints,
): Promise<DocumentResult> {
  await loadParser();
  const troubles = [...document.troubles];
  const inSight = checkpoints.seenFrom([dirname(resolve(name)), process.cwd()]);
  const judged: LintOptions = {
    ...options,
    facts: { ...options.facts, checkpointsAt: inSight.checkpointsAt },
    onRuleError: (code, error) => troubles.push(`made ${code} fail, please report it: ${clauseOf(error)}`),
  };
  const before = await judgeSource(name, document.source, judged, inSight);
  if (action === 'report') return { result: { ...NOTHING, problems: before, troubles }, source: document.source };
  const { source, fixed } = mend(document.source, judged);
  if (sameTexts(source, document.source)) {
    return { result: { ...NOTHING, problems: before, troubles }, source: document.source };
  }
  const after = await judgeSource(name, source, judged, inSight);
  const diff = action === 'diff' ? (await import('../report/diff.ts')).renderDiff(document.source, source) : '';
  return { result: { problems: after, troubles: [...new Set(troubles)], fixed, diff }, source };
}

/** Judges once more when a checkpoint that the rules asked for turns out to matter. */
async function judgeSource(
  name: string,
  source: Source,
  options: LintOptions,
  checkpoints: CheckpointsInSight,
): Promise<Problem[]> {
  const { program, findings } = lint(source, options);
  await checkpoints.read();
  const settled = checkpoints.isOutdated() ? judge(program, options) : findings;
  return settled.map((finding) => problemOf(name, program, finding));
}

function sameTexts(a: Source, b: Source): boolean {
  return a.cells.every(({ text }, index) => text === b.cells[index]?.text);
}

/** A file that no rule can report on is not parsed. What cannot be read is found out by reading it. */
function isWorthParsing(path: string, bytes: Buffer, words: readonly string[]): boolean {
  if (isNotebookPath(path) || bytes.includes(0) || !isUtf8(bytes)) return true;
  return hasTrigger(bytes, words);
}

function clauseOf(error: unknown): string {
  if (error instanceof Trouble) return error.message;
  if ((error as NodeJS.ErrnoException)?.code !== undefined) return describeSystemError(error);
  return `made GPU Doctor fail, please report it: ${error instanceof Error ? error.message : String(error)}`;
}
