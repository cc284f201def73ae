import { parseProgram, type Program } from '../python/program.ts';
import type { Cell, Source } from '../python/source.ts';
import { type CheckOptions, check } from './check.ts';
import type { Edit, Finding } from './contract.ts';

/** Rounds of judging and fixing after which a program that still changes is left as it is. */
const MOST_ROUNDS = 20;

/** The edits of the safe preferred fixes of `findings`, in source order, overlapping fixes left for the next round. */
export function compose(findings: readonly Finding[]): Edit[] {
  const taken: Edit[] = [];
  const overlaps = (a: Edit, b: Edit) =>
    a.span.start === b.span.start || (a.span.start < b.span.end && b.span.start < a.span.end);
  for (const finding of findings) {
    const fix = finding.fixes()[0];
    if (fix?.tier !== 'safe') continue;
    // Two findings may ask for the same definition or import: written once, it serves both.
    const fresh = fix.edits.filter(
      (edit) => !taken.some((t) => t.span.start === edit.span.start && t.span.end === edit.span.end && t.newText === edit.newText),
    );
    if (fresh.some((edit) => taken.some((t) => overlaps(t, edit)))) continue;
    taken.push(...fresh);
  }
  return taken.sort((a, b) => a.span.start - b.span.start);
}

/** Applies edits (program offsets, in source order) to a program's cells and returns the new source. */
export function applyEdits(program: Program, edits: readonly Edit[]): Source {
  const cells = program.source.cells.map((cell, index): Cell => {
    let text = cell.text;
    for (const edit of [...edits].reverse()) {
      const local = program.toCell(edit.span);
      if (local.cell !== index) continue;
      text = text.slice(0, local.start) + edit.newText + text.slice(local.end);
    }
    return text === cell.text ? cell : { index: cell.index, text };
  });
  return { ...program.source, cells };
}

export interface FixAllResult {
  readonly source: Source;
  /** How many findings were mended. */
  readonly fixed: number;
}

/** Applies every safe preferred fix of the findings that `wanted` lets through, until nothing changes. */
export function fixAll(
  source: Source,
  options: CheckOptions = {},
  wanted: (finding: Finding, program: Program) => boolean = () => true,
): FixAllResult {
  let fixed = 0;
  let current = source;
  let program: Program | undefined;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    program = parseProgram(current, program);
    const now: Program = program;
    const findings = check(now, options).filter((finding) => wanted(finding, now));
    const edits = compose(findings);
    if (edits.length === 0) break;
    fixed += findings.filter((finding) => finding.fixes()[0]?.tier === 'safe').length;
    current = applyEdits(now, edits);
  }
  return { source: current, fixed };
}
