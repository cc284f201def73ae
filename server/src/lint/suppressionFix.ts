import type { Edit, Fix } from '../rules/edits/fix.ts';
import { lineEnd } from '../rules/edits/layout.ts';
import type { Finding } from '../rules/engine/contract.ts';
import type { JudgedText } from './judgedText.ts';
import { lineStartsOf, suppressionsOf } from './suppressions.ts';

/**
 * Returns the suggestion that suppresses findings at one place with a comment on the line of the first; undefined if no
 * comment is possible there.
 */
export function suppressionFix(program: JudgedText, findings: readonly Finding[]): Fix | undefined {
  const [first] = findings;
  const codes = [...new Set(findings.map(({ code }) => code))];
  const edit = first && lineEdit(program, first, codes.join(', '));
  return edit && { title: `Ignore ${codes.join(' and ')} on this line`, tier: 'suggestion', edits: [edit] };
}

function lineEdit(program: JudgedText, finding: Finding, codes: string): Edit | undefined {
  if (program.remarks === 'nowhere') return undefined;
  const lines = lineStartsOf(program, finding.span);
  const listed = suppressionsOf(program)
    .find(({ scope, codes, line }) => scope === 'line' && codes?.length && lines.includes(line))
    ?.codes?.at(-1)?.span;
  if (listed) return { span: { start: listed.end, end: listed.end }, newText: `, ${codes}` };
  const { cell, line } = program.placeOf(finding.span.start);
  if (program.remarks === 'above') {
    const start = program.offsetOf({ cell, line, character: 0 });
    return { span: { start, end: start }, newText: `# gpu-doctor: ignore[${codes}]\n` };
  }
  const { strings = [] } = program.modules[cell] ?? {};
  for (const offset of [finding.span.start, Math.max(finding.span.start, finding.span.end - 1)]) {
    const end = lineEnd(program, offset);
    const start = offset + program.text.slice(offset, end).trimEnd().length;
    // A comment is not possible inside a string or after a backslash that joins two lines.
    const inString = strings.some((string) => string.start < end && end < string.end);
    if (inString || program.text[start - 1] === '\\') continue;
    return { span: { start, end }, newText: `  # gpu-doctor: ignore[${codes}]` };
  }
  return undefined;
}
