import { noCodeIn } from './comments.ts';
import { columnOf, lineStart } from './semantic/lines.ts';
import type { Span } from './semantic/source.ts';

/** Lines without code that the parser is left to go through as they are. */
const LONGEST_RUN = 20;

const LONG_RUN = new RegExp(`^(?:[ \\t\\f]*(?:#.*)?\\r?\\n){${LONGEST_RUN}}`, 'm');

/**
 * The text with blanks for most comments of long runs, at equal length. To know which block a comment is in, tree-sitter's
 * scanner looks through all lines up to the next one with code, for each comment anew: 4,000 lines of code that were
 * commented out took it six seconds. Those that are left tell where the blocks end as all of them would.
 */
export function thinCommentRuns(text: string): string {
  if (!LONG_RUN.test(text)) return text;
  const pieces: string[] = [];
  let copied = 0;
  for (const run of commentRunsIn(text)) {
    if (run.length <= LONGEST_RUN) continue;
    const telling = tellingOf(run, text);
    for (const { start, end } of run) {
      if (telling.has(start)) continue;
      pieces.push(text.slice(copied, start), ' '.repeat(end - start));
      copied = end;
    }
  }
  return pieces.join('') + text.slice(copied);
}

/** The starts of those comments of a run with which a block begins or ends: the first, each that is further left, the last. */
function tellingOf(run: readonly Span[], text: string): ReadonlySet<number> {
  const telling = new Set<number>();
  let leftmost = Number.POSITIVE_INFINITY;
  let above: Span | undefined;
  for (const span of run) {
    const column = columnOf(text, lineStart(text, span.start), span.start);
    if (column < leftmost) {
      if (above) telling.add(above.start);
      telling.add(span.start);
      leftmost = column;
    }
    above = span;
  }
  if (above) telling.add(above.start);
  return telling;
}

/** Comments that have lines for themselves, with nothing but blank lines between those of a run. */
function commentRunsIn(text: string): Span[][] {
  const runs: Span[][] = [];
  let runEnd = -1;
  for (const span of noCodeIn(text, 0)) {
    const isAlone = text[span.start] === '#' && isBlank(text, lineStart(text, span.start), span.start);
    if (!isAlone) continue;
    const run = runs.at(-1);
    if (run && isBlank(text, runEnd, span.start)) run.push(span);
    else runs.push([span]);
    runEnd = span.end;
  }
  return runs;
}

function isBlank(text: string, start: number, end: number): boolean {
  return text.slice(start, end).trim() === '';
}
