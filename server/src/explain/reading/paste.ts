import { type FoundMessage, findMessages } from '../../messages/find.ts';
import type { Rank } from '../../messages/schema.ts';
import { compilerPlace } from './compiler.ts';
import { plainText } from './plainText.ts';
import { type Frame, failingFrame, framesIn, isOwn } from './traceback.ts';

/** The result of reading pasted text. */
export interface Paste {
  /** The text in which messages are searched for. */
  readonly text: string;
  /** The original lines, where lines that a console had wrapped were joined for the search. */
  readonly lines: string;
  readonly frames: readonly Frame[];
  /** The known messages, the root message first. */
  readonly messages: readonly FoundMessage[];
}

/** Longer text is a log, which `condense` shortens to the relevant parts. */
export const LONGEST_PASTE = 2 ** 20;

/** Reads pasted text of any kind. */
export function readPaste(pasted: string): Paste {
  const text = plainText(pasted.slice(0, LONGEST_PASTE)).replace(CUT_PATH, '$1');
  const messages = findMessages(text);
  const unwrapped = text.replace(CUT, '$1');
  const inUnwrapped = messages.length > 0 ? [] : findMessages(unwrapped);
  if (inUnwrapped.length === 0) return { text, lines: text, frames: framesIn(text), messages };
  return { text: unwrapped, lines: text, frames: framesIn(unwrapped), messages: inUnwrapped };
}

/** Line ends at which a console wrapped a long line inside a word, and not before the name of an exception. */
const CUT = /^(.{58,})\n(?=\S)(?!(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception|Warning|Interrupt)\b)/gm;

/** Line ends at which a console wrapped the path of a call. */
const CUT_PATH = /^(\s{0,40}File "[^"\n]{50,300})\n(?=[^"\n]{1,300}", line \d)/gm;

/** The user's own line that caused a message: the line in a compiler error, or the innermost call. */
export function frameOf(paste: Paste, message: FoundMessage | undefined): Frame | undefined {
  const compiled = message && compilerPlace(paste.text, message.start);
  if (compiled && isOwn(compiled)) return compiled;
  return failingFrame(paste.text, paste.frames, message?.start ?? paste.text.length);
}

/**
 * The line of the text that contains a message. If the same words occur several times, as in the code that raised the
 * message, it is the line with which Python reports the exception.
 */
export function lineOf({ text }: Paste, { start, end }: FoundMessage): string {
  const words = text.slice(start, end);
  for (let at = start, looked = 0; at >= 0 && looked < MOST_PLACES; at = text.indexOf(words, at + 1), looked++) {
    const line = lineAt(text, at, at + words.length);
    if (EXCEPTION.test(line)) return line;
  }
  return lineAt(text, exceptionWithin(text, start, end) ?? start, end);
}

/** The start of the exception's line, if the matched words begin before it, as in the calls above. */
function exceptionWithin(text: string, start: number, end: number): number | undefined {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const offsets = [...text.slice(from, end).matchAll(/\n/g)].map(({ index }) => from + index + 1);
  return offsets.findLast((offset) =>
    EXCEPTION.test(text.slice(offset, offset + LONGEST_LINE).split('\n', 1)[0] ?? ''),
  );
}

/** Maximum number of places that have the same words. */
const MOST_PLACES = 20;

function lineAt(text: string, start: number, end: number): string {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const to = text.indexOf('\n', Math.min(end, start + LONGEST_LINE));
  const line = text.slice(from, to < 0 ? undefined : to);
  // A traceback on one line: the words are far from its start.
  const before = start - from - BEFORE_WORDS;
  return before <= LONGEST_LINE / 2 ? shortened(line) : shortened(`… ${line.slice(before)}`);
}

const LONGEST_LINE = 400;

/** Characters of a long line shown before the relevant words. */
const BEFORE_WORDS = 60;

function shortened(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)} …` : line;
}

/** An exception's last line, as Python prints it. */
const EXCEPTION =
  /^(?:\S.{0,80}: )?(?:[A-Za-z_][\w.]*\.)?[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Exit|Fault)\b(?:: .*)?$/;

/** The unknown exception, if the only known messages in the text are unrelated warnings. */
export function unknownException({ text, messages }: Paste): string | undefined {
  if (!messages.every(({ rank }) => OTHER_CAUSES.has(rank))) return undefined;
  const known = messages.map(({ start, end }) => text.slice(start, end).split('\n', 1)[0] ?? '');
  const found = text
    .split('\n')
    .find((line) => EXCEPTION.test(line) && !WARNING.test(line) && !known.some((words) => line.includes(words)));
  return found === undefined ? undefined : shortened(found);
}

/** Messages after which a program continues. */
const OTHER_CAUSES: ReadonlySet<Rank> = new Set(['warning', 'harmless']);

const WARNING = /^(?:\S.{0,80}: )?[\w.]*Warning\b/;

/** In a text without known messages, the line that looks most like the error, otherwise the last one. */
export function unknownError(paste: Paste): string | undefined {
  return complaintIn(paste) ?? linesOf(paste).map(shortened).at(-1);
}

/** True for a line that reports an error, in contrast to other output and to a person's words. */
export function isComplaint(line: string): boolean {
  return EXCEPTION.test(line) || COMPLAINT.test(line);
}

const COMPLAINT = /\b(?:error|fatal|failed|cannot|could not)\b/i;

/** The first exception, otherwise the first error message. */
export function complaintIn(paste: Paste): string | undefined {
  const lines = linesOf(paste);
  const exception = lines.find((line) => EXCEPTION.test(line));
  const found = exception ?? lines.find((line) => COMPLAINT.test(line));
  return found === undefined ? undefined : shortened(found);
}

function linesOf({ text }: Paste): string[] {
  return text.split('\n').filter((line) => line.trim() !== '' && line.length < 4000);
}
