import { codeSpan } from '../markdown.ts';

/** A finding in a hover. */
export interface HoveredFinding {
  readonly code: string;
  readonly name: string;
  /** The code that the finding is about. */
  readonly excerpt: string;
  /** Title of the first fix. */
  readonly fix?: string | undefined;
  /** The reasons why it is only a hint, as Markdown clauses. */
  readonly causes: readonly string[];
}

export interface RulePage {
  /** Markdown of the rule's page, if available. */
  readonly text: string | undefined;
  readonly address: string;
}

/** Maximum number of findings of one rule that are listed separately. */
const MOST_SHOWN = 3;

/** Maximum number of characters of the code that distinguishes findings. */
const LONGEST_EXCERPT = 60;

/**
 * Returns the consequence, the fix and the documentation link for each rule, in a few lines. Findings at the same place
 * are distinguished by their code.
 */
export function findingsMarkdown(findings: readonly HoveredFinding[], pageOf: (code: string) => RulePage): string {
  const codes = [...new Set(findings.map(({ code }) => code))];
  return codes
    .map((code) => {
      const its = findings.filter((finding) => finding.code === code);
      const page = pageOf(code);
      const lines = [
        `**${code}** · ${its[0]?.name}`,
        consequenceIn(page.text ?? ''),
        ...stepsOf(its, findings.length > 1),
        ...causesOf(its),
        `[Read more about ${code}](${page.address})`,
      ];
      return lines.filter((line) => line !== '').join('\n\n');
    })
    .join('\n\n---\n\n');
}

/** The first paragraph of a rule's page gives the consequence and the reason. */
function consequenceIn(page: string): string {
  const [, first = ''] = page.split(/\n{2,}/);
  return first.replaceAll('\n', ' ');
}

function stepsOf(findings: readonly HoveredFinding[], isOneOfSeveral: boolean): string[] {
  const shown = findings.slice(0, MOST_SHOWN).flatMap(({ excerpt, fix }) => {
    const step = fix === undefined ? '' : `**Fix:** ${fix}`;
    if (!isOneOfSeveral) return step === '' ? [] : [step];
    return [`${codeSpan(shortened(excerpt))}${step && ` · ${step}`}`];
  });
  const more = findings.length - MOST_SHOWN;
  return more > 0 ? [...shown, `and ${more} more`] : shown;
}

function causesOf(findings: readonly HoveredFinding[]): string[] {
  const causes = [...new Set(findings.flatMap((finding) => finding.causes))];
  return causes.length === 0 ? [] : [`Only a hint here because ${causes.join(', and because ')}.`];
}

function shortened(text: string): string {
  const [line = '', ...more] = text.split('\n');
  return line.length > LONGEST_EXCERPT || more.length > 0 ? `${line.slice(0, LONGEST_EXCERPT)}…` : line;
}
