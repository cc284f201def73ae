import { codeSpan } from '../markdown.ts';

export interface HoveredFinding {
  readonly code: string;
  readonly name: string;
  /** The address of the rule's page. */
  readonly page: string;
  /** Absent if the editor shows it above the hover. */
  readonly message?: string | undefined;
  /** The code that the finding is about. */
  readonly excerpt: string;
  /** Title of the first fix. */
  readonly fix?: string | undefined;
  /** The reasons why it is only a hint, as Markdown clauses. */
  readonly causes: readonly string[];
}

/** Maximum number of findings that are shown. */
const MAX_FINDINGS = 3;

/** Maximum number of characters of the code that distinguishes findings. */
const MAX_EXCERPT = 60;

/** Returns what is so at a place, the fix, and the rule with its link. Several findings are distinguished by their code. */
export function findingsMarkdown(findings: readonly HoveredFinding[]): string {
  const blocks = findings.slice(0, MAX_FINDINGS).map(({ code, name, page, message, excerpt, fix, causes }) =>
    [
      findings.length > 1 ? codeSpan(shortened(excerpt)) : '',
      message ?? '',
      causes.length === 0 ? '' : `Only a hint here because ${causes.join(', and because ')}.`,
      fix === undefined ? '' : `**Fix:** ${fix}`,
      // Where the editor shows the message, the code follows it.
      message === undefined ? `[${name}](${page})` : `[${code}](${page}) · ${name}`,
    ]
      .filter((line) => line !== '')
      .join('\n\n'),
  );
  const more = findings.length - MAX_FINDINGS;
  return [...blocks, ...(more > 0 ? [`and ${more} more`] : [])].join('\n\n---\n\n');
}

function shortened(text: string): string {
  const [line = '', ...more] = text.split('\n');
  return line.length > MAX_EXCERPT || more.length > 0 ? `${line.slice(0, MAX_EXCERPT)}…` : line;
}
