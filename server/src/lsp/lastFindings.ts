import type { JudgedText } from '../lint/judgedText.ts';
import type { Finding } from '../rules/engine/contract.ts';
import type { Opened } from './opened.ts';

/** Texts are compared in chunks of this length first, then by character. */
const CHUNK = 1024;

/** A replacement in a text, from `start` to `oldEnd` in the old text and to `newEnd` in the new one. */
export interface TextReplacement {
  readonly start: number;
  readonly oldEnd: number;
  readonly newEnd: number;
}

/** The findings of a cell when it last parsed, moved to their current positions. */
interface CellFindings {
  /** The text that parsed. */
  readonly text: string;
  /** With offsets into the cell's text, and without fixes, which were for another text. */
  readonly findings: readonly Finding[];
}

/** Indexed by the address of the cell's document; has no entry for a cell that never parsed. */
export type LastFindings = ReadonlyMap<string, CellFindings>;

export interface ShownFindings {
  /** In source order. */
  readonly findings: readonly Finding[];
  /** Indexes of the cells whose findings are from an earlier text. */
  readonly stale: ReadonlySet<number>;
  readonly last: LastFindings;
}

/**
 * Returns the findings to show for a program whose cells may be broken at the moment. After an unclosed bracket,
 * definitions and guards are lost, so findings in the current text of such a cell are not reliable. The cell keeps its
 * findings from `before`, each until an edit touches it, and gets new ones when it parses again. Calls `judge` for the
 * findings in the current text only if there is a cell for which to show them.
 */
export function keepLastFindings(
  { uri, documents }: Opened,
  program: JudgedText,
  judge: () => readonly Finding[],
  before: LastFindings,
): ShownFindings {
  const cells = program.modules.map(({ errors }, cell) => {
    const address = documents[cell]?.uri ?? uri;
    const known = before.get(address);
    const text = program.source.cells[cell]?.text ?? '';
    return { address, known, base: program.starts[cell] ?? 0, text, isBroken: errors.length > 0 };
  });
  const fresh = cells.map((): Finding[] => []);
  if (cells.some(({ isBroken, known }) => !isBroken || !known))
    for (const finding of judge()) fresh[program.placeOf(finding.span.start).cell]?.push(finding);
  const shown: (readonly Finding[])[] = [];
  const stale = new Set<number>();
  const last = new Map<string, CellFindings>();
  for (const [cell, { address, base, text, known, isBroken }] of cells.entries()) {
    const own = fresh[cell] ?? [];
    if (isBroken && known) {
      const kept = carried(known, text);
      stale.add(cell);
      last.set(address, { text, findings: kept });
      shown.push(kept.map((finding) => movedBy(finding, base)));
    } else {
      if (!isBroken) last.set(address, { text, findings: own.map((finding) => movedBy(finding, -base)) });
      shown.push(own);
    }
  }
  return { findings: shown.flat(), stale, last };
}

/** Returns the findings outside the difference between their text and `after`, at their new positions. */
function carried({ text, findings }: CellFindings, after: string): Finding[] {
  if (text === after) return [...findings];
  const { start, oldEnd, newEnd } = difference(text, after);
  return findings.flatMap((finding) => {
    if (finding.span.end <= start) return [finding];
    return finding.span.start >= oldEnd ? [movedBy(finding, newEnd - oldEnd)] : [];
  });
}

const NONE: readonly never[] = [];
const noFixes = () => NONE;

function movedBy({ code, severity, span: { start, end }, message }: Finding, by: number): Finding {
  const span = { start: start + by, end: end + by };
  return { code, severity, span, message, related: NONE, reasons: NONE, fixes: noFixes };
}

/** Returns the single replacement that turns `before` into `after`, with whole lines if possible. */
export function difference(before: string, after: string): TextReplacement {
  const found = replacementIn(before, after);
  if (found.oldEnd === found.start) return ofWholeLines(found, after);
  return found.newEnd === found.start ? ofWholeLines(found, before) : found;
}

/** Returns the smallest replacement that turns `before` into `after`; of several ones, the last. */
export function replacementIn(before: string, after: string): TextReplacement {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start + CHUNK <= most && before.slice(start, start + CHUNK) === after.slice(start, start + CHUNK))
    start += CHUNK;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  const rest = most - start;
  let tail = 0;
  const fromEnd = (text: string) => text.slice(text.length - tail - CHUNK, text.length - tail);
  while (tail + CHUNK <= rest && fromEnd(before) === fromEnd(after)) tail += CHUNK;
  while (tail < rest && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail))
    tail++;
  return { start, oldEnd: before.length - tail, newEnd: after.length - tail };
}

/**
 * Moves a difference of whole lines to the start of a line. If lines are inserted or removed above a line with the same
 * indentation, that line is then not touched. `text` is the text that contains the lines.
 */
function ofWholeLines({ start, oldEnd, newEnd }: TextReplacement, text: string): TextReplacement {
  const end = Math.max(oldEnd, newEnd);
  let by = 0;
  while (/^[ \t]$/.test(text.charAt(start - 1 - by)) && text[start - 1 - by] === text[end - 1 - by]) by++;
  const isOfLines = by > 0 && (start === by || text[start - 1 - by] === '\n') && text[end - 1 - by] === '\n';
  return isOfLines ? { start: start - by, oldEnd: oldEnd - by, newEnd: newEnd - by } : { start, oldEnd, newEnd };
}
