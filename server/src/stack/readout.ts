import type { StackFacts } from './facts.ts';
import type { Verdict } from './verdicts.ts';

/** The read-out as a Markdown document, for the editor. */
export declare function stackMarkdown(facts: StackFacts, verdicts: Verdict[]): string;

/** The read-out as plain text without colours, for the terminal. */
export declare function stackText(facts: StackFacts, verdicts: Verdict[]): string;
