import type { JudgedText } from '../lint/judgedText.ts';
import type { Finding } from '../rules/engine/contract.ts';
import { difference } from './difference.ts';
import type { Opened } from './opened.ts';

/** What was found in a cell when it could be read last, moved to where it stands in its text by now. */
interface CellFindings {
  /** As it was parsed. */
  readonly text: string;
  /** With offsets into the cell's text, and without fixes: those were for another text. */
  readonly findings: readonly Finding[];
}

/** By address of the cell's document; none for a cell that could never be read. */
export type LastFindings = ReadonlyMap<string, CellFindings>;

export interface Shown {
  /** In source order. */
  readonly findings: readonly Finding[];
  /** The cells, by index, whose findings are those of an earlier text. */
  readonly stale: ReadonlySet<number>;
  readonly last: LastFindings;
}

/**
 * What to show of a program of which some cells may be broken just now. After an unclosed bracket, definitions and
 * guards are lost, so that what the present text says of such a cell cannot be trusted: its findings of `before` are
 * kept, each until an edit touches it, and those of new text come when it can be read. `judge` is asked for the
 * findings of the present text only where there is a cell to show them for.
 */
export function keepLastFindings(
  { uri, documents }: Opened,
  program: JudgedText,
  judge: () => readonly Finding[],
  before: LastFindings,
): Shown {
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

/** The findings outside of what differs between their text and `after`, moved along. */
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
