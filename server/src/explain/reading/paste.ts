import { type FoundMessage, findMessages } from '../../messages/find.ts';
import type { Rank } from '../../messages/schema.ts';
import { compilerPlace } from './compiler.ts';
import { plainText } from './plainText.ts';
import { type Frame, failingFrame, framesIn, isOwn } from './traceback.ts';

/** What was read out of a pasted text. */
export interface Paste {
  /** As messages are looked for in it. */
  readonly text: string;
  /** The same with its lines as they were written, where those that a console had cut were joined for that. */
  readonly lines: string;
  readonly frames: readonly Frame[];
  /** The known messages, the cause first. */
  readonly messages: readonly FoundMessage[];
}

/** Longer text is no paste but a log, of which `condense` leaves the parts that matter. */
export const LONGEST_PASTE = 2 ** 20;

/** Reads a pasted text of any kind. */
export function readPaste(pasted: string): Paste {
  const text = plainText(pasted.slice(0, LONGEST_PASTE)).replace(CUT_PATH, '$1');
  const messages = findMessages(text);
  const unwrapped = text.replace(CUT, '$1');
  const inUnwrapped = messages.length > 0 ? [] : findMessages(unwrapped);
  if (inUnwrapped.length === 0) return { text, lines: text, frames: framesIn(text), messages };
  return { text: unwrapped, lines: text, frames: framesIn(unwrapped), messages: inUnwrapped };
}

/** Ends of lines at which a console has cut a long one, within a word, and not before the name of an exception. */
const CUT = /^(.{58,})\n(?=\S)(?!(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception|Warning|Interrupt)\b)/gm;

/** Ends of lines at which a console has cut the path of a call. */
const CUT_PATH = /^(\s{0,40}File "[^"\n]{50,300})\n(?=[^"\n]{1,300}", line \d)/gm;

/** The user's own line that ended in a message: a line that a compiler complains of, or the innermost call. */
export function frameOf(paste: Paste, message: FoundMessage | undefined): Frame | undefined {
  const compiled = message && compilerPlace(paste.text, message.start);
  if (compiled && isOwn(compiled)) return compiled;
  return failingFrame(paste.text, paste.frames, message?.start ?? paste.text.length);
}

/**
 * The line of the text in which a message stands: where the same words stand several times, such as in the code that
 * raised them, the line with which Python tells the exception.
 */
export function lineOf({ text }: Paste, { start, end }: FoundMessage): string {
  const words = text.slice(start, end);
  for (let at = start, looked = 0; at >= 0 && looked < MOST_PLACES; at = text.indexOf(words, at + 1), looked++) {
    const line = lineAt(text, at, at + words.length);
    if (EXCEPTION.test(line)) return line;
  }
  return lineAt(text, exceptionWithin(text, start, end) ?? start, end);
}

/** Where the line of the exception begins in words that begin before it, such as in the calls that led there. */
function exceptionWithin(text: string, start: number, end: number): number | undefined {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const offsets = [...text.slice(from, end).matchAll(/\n/g)].map(({ index }) => from + index + 1);
  return offsets.findLast((offset) =>
    EXCEPTION.test(text.slice(offset, offset + LONGEST_LINE).split('\n', 1)[0] ?? ''),
  );
}

/** Places of the same words that are looked at. */
const MOST_PLACES = 20;

function lineAt(text: string, start: number, end: number): string {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const to = text.indexOf('\n', Math.min(end, start + LONGEST_LINE));
  const line = text.slice(from, to < 0 ? undefined : to);
  // A traceback on one line: what it says stands far from its beginning.
  const before = start - from - BEFORE_WORDS;
  return before <= LONGEST_LINE / 2 ? shortened(line) : shortened(`… ${line.slice(before)}`);
}

const LONGEST_LINE = 400;

/** Characters of a long line that are shown before the words that count. */
const BEFORE_WORDS = 60;

function shortened(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)} …` : line;
}

/** An exception's last line, as Python prints it. */
const EXCEPTION =
  /^(?:\S.{0,80}: )?(?:[A-Za-z_][\w.]*\.)?[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Exit|Fault)\b(?:: .*)?$/;

/** The exception of which nothing is known, where all that is known of the text is what it warned of besides. */
export function unknownException({ text, messages }: Paste): string | undefined {
  if (!messages.every(({ rank }) => BESIDES.has(rank))) return undefined;
  const known = messages.map(({ start, end }) => text.slice(start, end).split('\n', 1)[0] ?? '');
  const found = text
    .split('\n')
    .find((line) => EXCEPTION.test(line) && !WARNING.test(line) && !known.some((words) => line.includes(words)));
  return found === undefined ? undefined : shortened(found);
}

/** What a program says and goes on. */
const BESIDES: ReadonlySet<Rank> = new Set(['warning', 'harmless']);

const WARNING = /^(?:\S.{0,80}: )?[\w.]*Warning\b/;

/** Of a text in which nothing is known, the line that looks most like the error, or else the last one. */
export function unknownError(paste: Paste): string | undefined {
  return complaintIn(paste) ?? linesOf(paste).map(shortened).at(-1);
}

/** The first exception, or else the first complaint. */
export function complaintIn(paste: Paste): string | undefined {
  const lines = linesOf(paste);
  const exception = lines.find((line) => EXCEPTION.test(line));
  const found = exception ?? lines.find((line) => /\b(?:error|fatal|failed|cannot|could not)\b/i.test(line));
  return found === undefined ? undefined : shortened(found);
}

function linesOf({ text }: Paste): string[] {
  return text.split('\n').filter((line) => line.trim() !== '' && line.length < 4000);
}
