import { codeSpan } from '../markdown.ts';

/** A finding as a hover shows it. */
export interface HoveredFinding {
  readonly code: string;
  readonly name: string;
  /** The code that the finding is about. */
  readonly excerpt: string;
  /** Title of the fix that is offered first. */
  readonly fix?: string | undefined;
  /** Clauses that say why it is only a hint, as Markdown. */
  readonly causes: readonly string[];
}

export interface RulePage {
  /** Markdown of the rule's page, if it is shipped. */
  readonly text: string | undefined;
  readonly address: string;
}

/** Findings of one rule that are shown one by one. */
const MOST_SHOWN = 3;

/** Characters of the code that tells findings apart. */
const LONGEST_EXCERPT = 60;

/**
 * Returns what a person needs at a finding: for each rule the consequence, what to do and where to read on, in a few lines.
 * Findings at the same place are told apart by their code.
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

/** The first paragraph of a rule's page says what happens, and why. */
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
