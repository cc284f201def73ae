import type { StackFacts } from './facts.ts';
import type { Verdict } from './verdicts.ts';

export type StackState = 'probing' | 'healthy' | 'warning' | 'noGpu' | 'unknown';

/** What the status bar shows. */
export interface StackSummary {
  /** Plain text without icons, such as "RTX 3090 · CUDA 12.4 · cuDNN 9.1". */
  text: string;
  state: StackState;
  /** Markdown: the verdicts, then a table of what is known. */
  tooltip: string;
}

export declare function summarizeStack(facts: StackFacts, verdicts: Verdict[]): StackSummary;
