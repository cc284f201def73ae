import { shownPath } from '../files/paths.ts';
import { printable } from '../printable.ts';
import type { Severity } from '../rules/engine/contract.ts';
import { type Link, UNLINKED } from './links.ts';
import type { Paint, Style } from './paint.ts';
import type { ExcerptLine, Problem, ProblemReason } from './problem.ts';

const STYLES: Record<Severity, Style> = { error: 'red', warning: 'yellow', information: 'blue', hint: 'dim' };

/** Maximum number of columns of a source line; if a line is longer, the part around the problem is shown. */
const SHOWN_WIDTH = 160;

/** Terminal features beyond plain text. */
interface Ink {
  readonly paint: Paint;
  readonly link?: Link;
  /** True to also mark fixes that may change what a program does. */
  readonly unsafe?: boolean;
}

/** The problems, each on one line. */
export function renderConcise(problems: readonly Problem[], ink: Ink): string {
  return problems.map((problem) => `${headerOf(problem, ink)}\n`).join('');
}

/** `train.py:3:9: GPU101 (warning) [*] Message. (torch-load-map-location)`, with `[*]` if `--fix` fixes it. */
function headerOf(problem: Problem, { paint, link = UNLINKED, unsafe = false }: Ink): string {
  const { severity, code, name, message, url, fix } = problem;
  const style = STYLES[severity];
  const place = `${paint('bold', printable(shownPath(problem.filename)))}${placeIn(problem)}:`;
  const isFixed = fix?.applicability === 'safe' || (unsafe && fix?.applicability === 'unsafe');
  const star = isFixed ? ` [${paint('cyan', '*')}]` : '';
  return `${place} ${link(paint(style, code), url)} (${severity})${star} ${message} ${paint('dim', `(${name})`)}`;
}

/** Returns the number of columns that text occupies in a terminal. */
type WidthOf = (text: string) => number;

/** The problems as text: position, rule, message, and the line with a caret. Ends with an empty line. */
export async function renderText(problems: readonly Problem[], ink: Ink): Promise<string> {
  const isPlain = problems.every(({ excerpt }) => excerpt.every(({ text }) => PLAIN.test(text)));
  const widthOf: WidthOf = isPlain ? (text) => text.length : (await import('string-width')).default;
  return problems.map((problem) => `${renderProblem(problem, ink, widthOf)}\n`).join('');
}

/** Text in which each character uses one column. */
const PLAIN = /^[ -~\t]*$/;

function renderProblem(problem: Problem, ink: Ink, widthOf: WidthOf): string {
  const { paint } = ink;
  const style = STYLES[problem.severity];
  const lines = [headerOf(problem, ink)];
  const gutter = Math.max(...problem.excerpt.map(({ row }) => String(row).length));
  const bar = paint('blue', '|');
  const margin = `${' '.repeat(gutter)} ${bar}`;
  lines.push(margin);
  for (const line of problem.excerpt) {
    const { text, before, marked } = clip(line);
    lines.push(`${paint('blue', String(line.row).padStart(gutter))} ${bar} ${printable(text)}`.trimEnd());
    lines.push(
      `${margin} ${blank(before, widthOf)}${paint(style, '^'.repeat(Math.max(1, widthOf(printable(marked)))))}`,
    );
  }
  if (problem.end_location.row > (problem.excerpt.at(-1)?.row ?? 0)) lines.push(`${margin} ...`);
  // The reasons themselves name the places in other files.
  const related = problem.related.filter(({ filename }) => filename === undefined || problem.reasons.length === 0);
  const notes = related.map(({ filename, message, ...range }) => {
    const place =
      filename === undefined ? placeIn(range).slice(1) : `${printable(shownPath(filename))}${placeIn(range)}`;
    return `note: ${message} (${place})`;
  });
  notes.push(...problem.reasons.map(reasonIn));
  if (problem.fix) notes.push(`fix: ${problem.fix.message}`);
  for (const note of notes) lines.push(`${' '.repeat(gutter)} ${paint('blue', '=')} ${note}`);
  return `${lines.join('\n')}\n`;
}

/** `hint because the program saves this file itself (train.py:12:5)` */
function reasonIn({ because, at }: ProblemReason): string {
  if (at === null) return `hint because ${because}`;
  const file = at.filename === null ? '' : `${printable(shownPath(at.filename))}:`;
  return `hint because ${because} (${file}${placeIn(at).slice(1)})`;
}

function placeIn({ cell, location }: Pick<Problem, 'cell' | 'location'>): string {
  return `${cell === null ? '' : `:cell ${cell}`}:${location.row}:${location.column}`;
}

/** The part of a line that is shown, the part before the marked range, and the marked range. */
function clip({ text, start, end }: ExcerptLine): { text: string; before: string; marked: string } {
  if (text.length <= SHOWN_WIDTH) return { text, before: text.slice(0, start), marked: text.slice(start, end) };
  const from = wholeCharacter(text, Math.max(0, Math.min(start - SHOWN_WIDTH / 4, text.length - SHOWN_WIDTH)));
  const to = wholeCharacter(text, from + SHOWN_WIDTH + 1);
  const lead = from > 0 ? '…' : '';
  return {
    text: `${lead}${text.slice(from, to)}${to < text.length ? '…' : ''}`,
    before: lead + text.slice(from, start),
    marked: text.slice(start, Math.min(end, to)),
  };
}

/** The offset, moved back if it is inside a surrogate pair. */
function wholeCharacter(text: string, offset: number): number {
  const unit = text.charCodeAt(offset);
  return unit >= 0xdc00 && unit <= 0xdfff ? offset - 1 : offset;
}

/**
 * White space that is as wide as the text on a terminal; tabs remain tabs, so that they end at the same columns as in
 * the line.
 */
function blank(text: string, widthOf: WidthOf): string {
  return printable(text)
    .split('\t')
    .map((part) => ' '.repeat(widthOf(part)))
    .join('\t');
}
