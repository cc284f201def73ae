import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Checkpoint } from '../checkpoint/checkpoint.ts';
import { CHECKPOINT_SUFFIXES } from '../checkpoint/names.ts';
import { judgeStack } from '../diagnosis/judgeStack.ts';
import { type Source, script } from '../python/semantic/source.ts';
import { knowledgeFrom } from '../rules/queries/knowledge.ts';
import type { StackFacts } from '../stack/facts/facts.ts';
import { homeFolder } from '../stack/machine/home.ts';
import type { ErrorEvidence } from './conditions/condition.ts';
import { type JudgedLine, judgeLine, judgeQuoted, type Line } from './judgedLine.ts';
import { frameOf, type Paste, unknownError } from './reading/paste.ts';
import { type Frame, isOwn } from './reading/traceback.ts';
import { shadowingFile } from './shadowed.ts';

/** Maximum number of statements checked in one text. */
const MOST_STATEMENTS = 40;

/** Access to files; undefined for missing or unreadable ones. */
export interface Files {
  readText(path: string): Promise<string | undefined>;
  readCheckpoint(path: string): Promise<Checkpoint | undefined>;
  /** Bytes that are free where a file lies. */
  freeSpace?(path: string): Promise<number | undefined>;
  /** For an error in a notebook, the place of a call in its cells. */
  findInCells?(frame: Frame): { readonly source: Source; readonly line: Line } | undefined;
}

/**
 * Collects the evidence about an error: the diagnoses of the stack, the findings of the rules in the failing line, and
 * the file that could not be loaded. Relative paths start at `folder`. Never fails: unreadable evidence counts as
 * unknown. The parser must already be loaded.
 */
export async function gather(
  paste: Paste,
  facts: StackFacts | undefined,
  files: Files,
  folder: string,
): Promise<ErrorEvidence> {
  const frame = frameOf(paste, paste.messages[0]);
  return {
    facts,
    verdicts: facts && judgeStack(facts),
    code: await judgedCode(paste, frame, facts, files, folder),
    checkpoint: await checkpointOf(paste, frame, files, folder),
    shadow: await shadowingFile(paste, folder, files.readText),
  };
}

async function judgedCode(
  { text }: Paste,
  frame: Frame | undefined,
  facts: StackFacts | undefined,
  { readText, findInCells }: Files,
  folder: string,
): Promise<JudgedLine | undefined> {
  const known = facts && knowledgeFrom(facts);
  const inCell = frame && findInCells?.(frame);
  if (inCell) return judgeLine(inCell.source, inCell.line, known);
  if (frame?.line !== undefined && /\.pyw?$/.test(frame.file)) {
    const path = placed(frame.file, folder);
    const source = await readText(path);
    const line = source?.split('\n')[frame.line - 1]?.trim();
    // A file that has changed since then, or another file with that name, is not the one that failed.
    if (source !== undefined && (frame.code === undefined || line === frame.code))
      return judgeLine(script(path, source), { cell: 0, line: frame.line }, known);
  }
  const failing = frame?.code === undefined || !isOwn(frame) ? undefined : judgeQuoted(frame.code, known);
  if (failing !== undefined && failing.findings.length > 0) return failing;
  const judged = codeIn(text).flatMap((code) => judgeQuoted(code, known) ?? []);
  return judged.length > 0 ? { findings: judged.flatMap(({ findings }) => findings) } : failing;
}

async function checkpointOf(
  paste: Paste,
  frame: Frame | undefined,
  { readCheckpoint, freeSpace }: Files,
  folder: string,
): Promise<ErrorEvidence['checkpoint']> {
  const folders = frame && !frame.file.startsWith('<') ? [folder, dirname(placed(frame.file, folder))] : [folder];
  for (const path of pathsIn(paste, frame)) {
    for (const start of new Set(folders)) {
      const checkpoint = await readCheckpoint(placed(path, start));
      if (checkpoint) return { path, checkpoint, free: await freeSpace?.(placed(path, start)) };
    }
  }
  return undefined;
}

const QUOTED_FILE = new RegExp(`(["'])((?:(?!\\1)[^\\n]){1,300}\\.(?:${CHECKPOINT_SUFFIXES.join('|')}))\\1`, 'gi');

/** The model files that the message and the failing line name. */
function pathsIn(paste: Paste, frame: Frame | undefined): string[] {
  const [first] = paste.messages;
  const around = first ? paste.text.slice(Math.max(0, first.start - 200), first.end + 300) : unknownError(paste);
  const places = [frame?.code ?? '', around ?? ''];
  const quoted = places.flatMap((place) => [...place.matchAll(QUOTED_FILE)].map(([, , path = '']) => path));
  const named = first?.parts.path ? [first.parts.path, ...quoted] : quoted;
  // The index beside a missing shard knows all of them.
  return [...new Set(named.flatMap((path) => [path, path.replace(SHARD, '$1.index.json')]))].slice(0, 8);
}

/** The number of a shard, before the file name's ending. */
const SHARD = /-\d{5}-of-\d{5}(\.\w+)$/;

function placed(path: string, folder: string): string {
  if (path.startsWith('~')) return join(homeFolder(), path.slice(1));
  return isAbsolute(path) ? path : resolve(folder, path);
}

/** Lines of Python in pasted text that is not a traceback: from an interactive session, or in a Markdown fence. */
function codeIn(text: string): string[] {
  const typed = [...text.matchAll(/^[^\S\n]*(?:>>>|In \[\d+\]:) ?(.{3,400})$/gm)].map(([, code = '']) => code);
  const fenced = [...text.matchAll(/^```(?:python|py)\b[^\n]*\n([^`]{1,20000})/gm)].flatMap(([, block = '']) =>
    block.split('\n').filter((line) => /\S/.test(line) && line.length < 400),
  );
  return [...typed, ...fenced].slice(0, MOST_STATEMENTS);
}
