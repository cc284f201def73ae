import type { Span } from '../python/semantic/source.ts';
import type { Edit, Fix } from '../rules/edits/fix.ts';
import type { Finding, RuleMetadata } from '../rules/engine/contract.ts';
import type { JudgedText } from './judgedText.ts';
import { nearestRule, prefixOfRules, UNUSED_SUPPRESSION } from './ruleNames.ts';
import { coversRule, type Suppression, suppressing, suppressionsOf, type WrittenCode } from './suppressions.ts';

/**
 * Returns hints about GPU Doctor's own suppressions that suppress none of `findings`. Only codes in `judged` are known
 * not to occur: if a rule is off or failed, nothing is known about its suppressions. `among` contains the codes that
 * could apply to the file. `noqa` belongs to other tools.
 */
export function unusedSuppressions(
  program: JudgedText,
  findings: readonly Finding[],
  judged: ReadonlySet<string>,
  among: readonly RuleMetadata[],
): Finding[] {
  const own = suppressionsOf(program);
  if (own.length === 0) return [];
  const used = new Map<Suppression, Set<string>>();
  for (const finding of findings) {
    for (const suppression of suppressing(program, finding)) {
      used.set(suppression, (used.get(suppression) ?? new Set()).add(finding.code));
    }
  }
  // A rule that another is omitted for reports nothing where the other would not, and a rule about files rarely
  // reports. Nobody suppresses a rule that is off.
  const isJudged = ({ code, outranks = {}, isAboutFiles, isOffByDefault }: RuleMetadata) =>
    Object.values(outranks).includes('omitted') || isAboutFiles || isOffByDefault || judged.has(code);
  const everyRuleJudged = among.every(isJudged);
  return own.flatMap((suppression): Finding[] => {
    const { span, codes, malformed } = suppression;
    if (malformed) {
      return [
        hint(
          span,
          'This comment is not understood: write `# gpu-doctor: ignore[CODE]` or `# gpu-doctor: ignore-file[CODE]`.',
          [],
        ),
      ];
    }
    const remove = () => [removeSuppression(program, suppression)];
    if (codes === undefined || codes.length === 0) {
      if (used.has(suppression) || (codes === undefined && !everyRuleJudged)) return [];
      return [hint(span, 'This comment suppresses nothing.', remove)];
    }
    const isIdle = ({ code }: WrittenCode) => {
      if (isUnknown(code)) return true;
      const isUsed = [...(used.get(suppression) ?? [])].some((found) => coversRule(code, found));
      const covered = among.filter((rule) => rule.code !== code && coversRule(code, rule.code));
      return !isUsed && (covered.length > 0 ? covered.every(isJudged) : judged.has(code));
    };
    const idle = codes.filter(isIdle);
    if (idle.length === codes.length) return [hint(span, idleMessage(idle), remove)];
    return idle.map((written) => hint(written.span, idleMessage([written]), () => [removeCode(codes, written)]));
  });
}

function hint(span: Span, message: string, fixes: readonly Fix[] | (() => readonly Fix[])): Finding {
  const get = typeof fixes === 'function' ? fixes : () => fixes;
  return { code: UNUSED_SUPPRESSION, severity: 'hint', span, message, related: [], reasons: [], fixes: get };
}

function isUnknown(code: string): boolean {
  return prefixOfRules(code) === undefined;
}

function idleMessage(idle: readonly WrittenCode[]): string {
  const unknown = idle.find(({ code }) => isUnknown(code));
  if (!unknown) {
    const names = idle.map(({ code }) => `\`${code}\``).join(', ');
    return `There is no ${names} here to suppress.`;
  }
  const likely = nearestRule(unknown.code);
  return `There is no rule \`${unknown.code}\`${likely ? `: did you mean \`${likely}\`?` : '.'}`;
}

function removeCode(codes: readonly WrittenCode[], written: WrittenCode): Fix {
  const index = codes.indexOf(written);
  const next = codes[index + 1];
  const previous = codes[index - 1];
  const span = next
    ? { start: written.span.start, end: next.span.start }
    : { start: previous?.span.end ?? written.span.start, end: written.span.end };
  return { title: `Remove \`${written.code}\` from the comment`, tier: 'suggestion', edits: [{ span, newText: '' }] };
}

function removeSuppression(program: JudgedText, { span, comment }: Suppression): Fix {
  return {
    title: 'Remove the comment',
    tier: 'suggestion',
    edits: [{ span: removedSpan(program, span, comment), newText: '' }],
  };
}

/**
 * Returns the span to remove together with a remark: the spaces before it, or its whole line if nothing else is on the
 * line.
 */
function removedSpan(program: JudgedText, span: Span, comment: Span): Edit['span'] {
  const { text } = program;
  if (span.end < comment.end && text.slice(span.end, comment.end).trim() !== '') {
    const rest = text.slice(span.end, comment.end);
    return { start: span.start, end: span.end + rest.length - rest.trimStart().length };
  }
  const { cell, line } = program.placeOf(span.start);
  const lineStart = program.offsetOf({ cell, line, character: 0 });
  const before = text.slice(lineStart, span.start);
  if (before.replace('\uFEFF', '').trim() !== '')
    return { start: lineStart + before.trimEnd().length, end: comment.end };
  const nextLine = program.offsetOf({ cell, line: line + 1, character: 0 });
  const start = before.startsWith('\uFEFF') ? lineStart + 1 : lineStart;
  return { start, end: nextLine > comment.end ? nextLine : comment.end };
}
