import type { Edit, Fix } from '../rules/edits/fix.ts';
import { lineEnd } from '../rules/edits/layout.ts';
import type { Finding } from '../rules/engine/contract.ts';
import type { JudgedText } from './judgedText.ts';
import { linesOf, suppressionsOf } from './suppressions.ts';

/**
 * Returns the fixes that suppress a finding with a comment, on its line or in its whole file. They are only
 * suggestions.
 */
export function suppressionFixes(program: JudgedText, finding: Finding): Fix[] {
  const fixes: Fix[] = [];
  const offer = (title: string, edit: Edit | undefined) => {
    if (edit) fixes.push({ title, tier: 'suggestion', edits: [edit] });
  };
  const whole = program.source.kind === 'notebook' ? 'notebook' : 'file';
  offer(`Ignore ${finding.code} on this line`, lineEdit(program, finding));
  offer(`Ignore ${finding.code} in this ${whole}`, fileEdit(program, finding));
  return fixes;
}

function lineEdit(program: JudgedText, finding: Finding): Edit | undefined {
  if (program.remarks === 'nowhere') return undefined;
  const lines = linesOf(program, finding.span);
  const longer = extended(program, finding, (line) => lines.includes(line), 'line');
  if (longer) return longer;
  const { cell, line } = program.placeOf(finding.span.start);
  if (program.remarks === 'above') {
    const start = program.offsetOf({ cell, line, character: 0 });
    return { span: { start, end: start }, newText: `# gpu-doctor: ignore[${finding.code}]\n` };
  }
  const { strings = [] } = program.modules[cell] ?? {};
  for (const offset of [finding.span.start, Math.max(finding.span.start, finding.span.end - 1)]) {
    const end = lineEnd(program, offset);
    const start = offset + program.text.slice(offset, end).trimEnd().length;
    // A comment is not possible inside a string or after a backslash that joins two lines.
    const inString = strings.some((string) => string.start < end && end < string.end);
    if (inString || program.text[start - 1] === '\\') continue;
    return { span: { start, end }, newText: `  # gpu-doctor: ignore[${finding.code}]` };
  }
  return undefined;
}

function fileEdit(program: JudgedText, finding: Finding): Edit | undefined {
  if (program.remarks === 'nowhere') return undefined;
  const longer = extended(program, finding, () => true, 'file');
  if (longer) return longer;
  // A cell magic has to stay the first line of its cell.
  const cell = program.source.cells.findIndex(({ text }) => !/^\s*%%/.test(text));
  const text = program.source.cells[cell]?.text;
  if (text === undefined) return undefined;
  const head = /^\uFEFF?(?:#!.*(?:\r\n|\r|\n|$))?(?:[ \t\f]*#.*?coding[:=].*(?:\r\n|\r|\n|$))?/.exec(text)?.[0] ?? '';
  const lineBreak = /\r\n|\r|\n/.exec(text)?.[0] ?? '\n';
  const offset = program.offsetOf({ cell, line: 0, character: 0 }) + head.length;
  const before = /[^\uFEFF\r\n]$/.test(head) ? lineBreak : '';
  return {
    span: { start: offset, end: offset },
    newText: `${before}# gpu-doctor: ignore-file[${finding.code}]${lineBreak}`,
  };
}

/** The edit that adds the code to an existing list of codes. */
function extended(
  program: JudgedText,
  finding: Finding,
  isNear: (line: number) => boolean,
  scope: 'line' | 'file',
): Edit | undefined {
  const last = suppressionsOf(program)
    .find((found) => found.scope === scope && found.codes?.length && isNear(found.line))
    ?.codes?.at(-1);
  return last && { span: { start: last.span.end, end: last.span.end }, newText: `, ${finding.code}` };
}
