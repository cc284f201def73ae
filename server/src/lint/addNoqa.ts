import type { Edit } from '../rules/edits/fix.ts';
import { lineEnd } from '../rules/edits/layout.ts';
import type { Finding } from '../rules/engine/contract.ts';
import { applyEdits, type FixAllResult } from '../rules/engine/fixAll.ts';
import type { JudgedText } from './judgedText.ts';
import { UNUSED_SUPPRESSION } from './ruleNames.ts';
import { lineStartsOf, noqaAt } from './suppressions.ts';

/**
 * Suppresses findings with a `# noqa` on each of their lines, or with another code in an existing one. In files where
 * comments must be on lines of their own, such as Dockerfiles, adds GPU Doctor's own comment above. Findings that no
 * comment can suppress remain.
 */
export function addNoqa(program: JudgedText, findings: readonly Finding[]): FixAllResult {
  const codesByPlace = new Map<number, Set<string>>();
  let fixed = 0;
  for (const finding of findings) {
    const place = finding.code === UNUSED_SUPPRESSION ? undefined : placeFor(program, finding);
    if (place === undefined) continue;
    codesByPlace.set(place, (codesByPlace.get(place) ?? new Set()).add(finding.code));
    fixed++;
  }
  const edits = [...codesByPlace]
    .sort(([a], [b]) => a - b)
    .map(
      ([place, codes]): Edit => ({
        span: { start: place, end: place },
        newText: remark(program, place, [...codes].sort()),
      }),
    );
  return { source: applyEdits(program, edits), fixed };
}

/** Returns the offset for a comment about the finding; undefined if there is no place for one. */
function placeFor(program: JudgedText, finding: Finding): number | undefined {
  const { remarks = 'behind', modules, text } = program;
  if (remarks === 'nowhere') return undefined;
  if (remarks === 'above') return lineStartsOf(program, finding.span)[0];
  const codes = lineStartsOf(program, finding.span).flatMap((line) =>
    noqaAt(program, line).flatMap((noqa) => noqa.codes ?? []),
  );
  const last = codes.at(-1);
  if (last) return last.span.end;
  const strings = modules[program.toCell(finding.span).cell]?.strings ?? [];
  for (const line of lineStartsOf(program, finding.span)) {
    const end = lineEnd(program, line);
    const place = line + text.slice(line, end).trimEnd().length;
    // A comment is not possible inside a string or after a backslash that joins two lines.
    const isInString = strings.some((string) => string.start < end && end < string.end);
    if (!isInString && text[place - 1] !== '\\') return place;
  }
  return undefined;
}

function remark(program: JudgedText, place: number, codes: readonly string[]): string {
  if (program.remarks === 'above') return `# gpu-doctor: ignore[${codes.join(', ')}]\n`;
  const [line = 0] = lineStartsOf(program, { start: place, end: place });
  const isLonger = noqaAt(program, line).some((noqa) => noqa.codes?.at(-1)?.span.end === place);
  return isLonger ? `, ${codes.join(', ')}` : `  # noqa: ${codes.join(', ')}`;
}
