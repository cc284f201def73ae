/** Text -> statements, from those of the text before an edit where there was one. */
import { hasBrokenLayout } from './brokenLayout.ts';
import { type Difference, difference } from './difference.ts';
import { once } from './once.ts';
import { readStatements } from './read.ts';
import { type EditedFunction, type EditedModule, reparse } from './reparse.ts';
import { shift } from './shift.ts';
import type * as py from './syntax.ts';

/** A parsed text. */
export interface Parsed {
  readonly text: string;
  /** The offset of its first character. */
  readonly base: number;
  /** True when some part of the text is not Python. */
  readonly hasErrors: boolean;
  /** Of a broken text, made when it is first asked for. */
  readonly body: readonly py.Statement[];
  /** All that the edit since the last text that could be read made another thing of, where that is a function. */
  readonly editedFunction?: EditedFunction;
  /** The same, where that is outside of functions and classes. */
  readonly editedModule?: EditedModule;
  /** That last text, where this one is broken. */
  readonly whole?: Parsed;
}

/**
 * Parses `text`, whose first character gets the offset `base`. What an edit of `previous`, or of the last text before it
 * that could be read, leaves alone is taken over; `previous` must not be used afterwards.
 */
export function parse(text: string, base: number, previous?: Parsed): Parsed {
  if (!previous) return parseAfresh(text, base);
  const source = moved(previous.whole ?? previous, base);
  if (source.text === text) return source;
  const edit = difference(previous.text, text);
  const isTurned = turnsStrings(previous.text, text, edit);
  // A text that never could be read is no nearer to it where lines that are whole took the place of others.
  const sinceWhole = source.text === previous.text ? edit : difference(source.text, text);
  const again = source.hasErrors && isTurned ? undefined : reparse(source, text, sinceWhole);
  if (again && again !== 'broken') return { text, base, hasErrors: source.hasErrors, ...again };
  if (again === 'broken' && !source.hasErrors && !isTurned) return broken(text, base, source);
  const fresh = parseAfresh(text, base);
  return fresh.hasErrors && !source.hasErrors ? broken(text, base, source) : fresh;
}

/** The same text with another base. */
export function moved(parsed: Parsed, base: number): Parsed {
  const { text, hasErrors, whole } = parsed;
  if (whole) return broken(text, base, whole);
  for (const statement of parsed.body) shift(statement, base - parsed.base);
  return { text, base, hasErrors, body: parsed.body };
}

function parseAfresh(text: string, base: number): Parsed {
  const { statements = [], hasErrors } = readStatements(text, { base });
  return { text, base, hasErrors: hasErrors || hasBrokenLayout(text), body: statements };
}

/** A text that is broken for now: hardly anyone asks for its statements, and none of them is taken over later. */
function broken(text: string, base: number, whole: Parsed): Parsed {
  const read = once(() => parseAfresh(text, base).body);
  return {
    text,
    base,
    hasErrors: true,
    whole,
    get body() {
      return read();
    },
  };
}

/**
 * True for an edit that makes strings of code, or code of strings, all the way to the next triple quotes: what looks
 * broken where it was edited may be whole as a whole.
 */
function turnsStrings(before: string, after: string, { start, oldEnd, newEnd }: Difference): boolean {
  const quotesIn = (text: string, end: number) =>
    text.slice(Math.max(0, start - 2), end + 2).match(/"""|'''/g)?.length ?? 0;
  return quotesIn(before, oldEnd) !== quotesIn(after, newEnd);
}
