/** Applies many fixes to one file: in each round, all fixes that do not touch each other, until nothing changes. */

import type { Cell, Source } from '../../python/semantic/source.ts';
import type { SourceText } from '../../python/semantic/sourceText.ts';
import { countBelow } from '../../python/syntax/ascending.ts';
import type { Edit, Fix } from '../edits/fix.ts';
import type { Finding } from './contract.ts';

/** The maximum number of rounds; a program that still changes afterward is returned as it is. */
const MOST_ROUNDS = 20;

interface Composition {
  /** In source order, not overlapping. */
  readonly edits: readonly Edit[];
  /** The findings that the edits fix. */
  readonly fixedFindings: readonly Finding[];
}

/** True for a fix that is to be applied. */
export type AppliesFix = (fix: Fix) => boolean;

const isSafe: AppliesFix = ({ tier }) => tier === 'safe';

/**
 * Joins the applicable preferred fixes of `findings`. A fix that touches a change made by another waits for the next
 * round.
 */
export function compose(findings: readonly Finding[], applies = isSafe): Composition {
  const accepted = new EditSet();
  const fixedFindings: Finding[] = [];
  for (const finding of findings) {
    const fix = finding.fixes()[0];
    if (!fix || !applies(fix) || fix.edits.length === 0) continue;
    // Two findings may need the same definition or import, which is written only once.
    const fresh = fix.edits.filter((edit) => !accepted.has(edit));
    if (fresh.some((edit) => accepted.touches(edit))) continue;
    for (const edit of fresh) accepted.add(edit);
    fixedFindings.push(finding);
  }
  return { edits: accepted.inOrder(), fixedFindings };
}

/** Edits that do not touch each other, ordered by their start. */
export class EditSet {
  readonly #edits: Edit[] = [];

  /** Returns the index of the first edit that does not start before the offset. */
  #indexOf(offset: number): number {
    return countBelow(this.#edits, offset, ({ span }) => span.start);
  }

  has({ span, newText }: Edit): boolean {
    const same = this.#edits[this.#indexOf(span.start)];
    return (
      same !== undefined && same.span.start === span.start && same.span.end === span.end && same.newText === newText
    );
  }

  /** True if applying the two edits in either order could give different results. */
  touches({ span }: Edit): boolean {
    const index = this.#indexOf(span.start);
    const before = this.#edits[index - 1];
    const after = this.#edits[index];
    const isInside = before !== undefined && before.span.end > span.start;
    return isInside || (after !== undefined && (after.span.start === span.start || after.span.start < span.end));
  }

  add(edit: Edit): void {
    this.#edits.splice(this.#indexOf(edit.span.start), 0, edit);
  }

  inOrder(): readonly Edit[] {
    return this.#edits;
  }
}

/** Applies edits (program offsets, in source order, not overlapping) to a program's cells and returns the new source. */
export function applyEdits(program: SourceText, edits: readonly Edit[]): Source {
  const byCell = new Map<number, { start: number; end: number; newText: string }[]>();
  for (const { span, newText } of edits) {
    const { cell, start, end } = program.toCell(span);
    const ofCell = byCell.get(cell) ?? [];
    ofCell.push({ start, end, newText });
    byCell.set(cell, ofCell);
  }
  const cells = program.source.cells.map((cell, index): Cell => {
    const pieces: string[] = [];
    let copied = 0;
    for (const { start, end, newText } of byCell.get(index) ?? []) {
      pieces.push(cell.text.slice(copied, start), newText);
      copied = end;
    }
    return pieces.length === 0 ? cell : { index: cell.index, text: pieces.join('') + cell.text.slice(copied) };
  });
  return { ...program.source, cells };
}

export interface FixAllResult {
  readonly source: Source;
  /** The number of fixed findings. */
  readonly fixed: number;
}

/** Applies every applicable preferred fix of a source's findings, until nothing changes. */
export function fixRepeatedly(
  source: Source,
  judge: (source: Source) => { readonly program: SourceText; readonly findings: readonly Finding[] },
  applies = isSafe,
): FixAllResult {
  let fixed = 0;
  let current = source;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { program, findings } = judge(current);
    const { edits, fixedFindings } = compose(findings, applies);
    if (edits.length === 0) return { source: current, fixed };
    fixed += fixedFindings.length;
    current = applyEdits(program, edits);
  }
  return { source, fixed: 0 };
}
