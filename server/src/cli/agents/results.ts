/** The structured results of the tools for coding agents, which scripts get with `gpu-doctor mcp --call`. */
import type { Verdict } from '../../diagnosis/diagnosis.ts';
import type { PlanStep } from '../../diagnosis/remedies/remedyPlan.ts';
import type { Explanations } from '../../explain/explanation.ts';
import type { EnvironmentCheck } from '../../provision/check.ts';
import type { EnvironmentPlan } from '../../provision/environmentPlan.ts';
import type { CheckRecord } from '../../report/json.ts';
import type { Severity } from '../../rules/engine/contract.ts';
import type { InspectedFile } from '../inspect.ts';

export interface ReadStack {
  readonly verdicts: readonly Verdict[];
  /** Remedies, in order. */
  readonly plan: readonly PlanStep[];
  /** The facts, each with its source. */
  readonly readout: string;
}

interface JudgedReport extends Omit<ReadStack, 'readout'> {
  /** Null if the text describes no machine. */
  readonly readout: string | null;
  /** The explanation of the error in the text. */
  readonly error: string | null;
}

export interface CheckedCode {
  readonly findings: readonly CheckRecord[];
  /** Number of findings omitted from the list. */
  readonly omitted: number;
  /** Number of hints, which are not listed. */
  readonly hints: number;
  /** The safe fixes of all files, for `git apply` or `patch -p1` in the folder of the project; null without `edits`. */
  readonly diff: string | null;
  /** Sentences about files that could not be read or parsed. */
  readonly troubles: readonly string[];
}

interface ShownRules {
  readonly rules: readonly RuleSummary[];
  /** Markdown; null for a list of all rules. */
  readonly page: string | null;
}

export interface RuleSummary {
  readonly code: string;
  readonly name: string;
  readonly severity: Severity;
  readonly summary: string;
  readonly isOffByDefault: boolean;
}

interface InspectedCheckpoints {
  readonly files: readonly InspectedFile[];
  /** Sentences about files that could not be read or were not read. */
  readonly troubles: readonly string[];
}

interface PlannedEnvironment {
  /** Null with `check`. */
  readonly plan: EnvironmentPlan | null;
  /** Null without `check`. */
  readonly check: EnvironmentCheck | null;
}

export interface Results {
  readonly explain_error: Explanations;
  readonly read_gpu_stack: ReadStack;
  readonly judge_report: JudgedReport;
  readonly check_code: CheckedCode;
  readonly show_rule: ShownRules;
  readonly inspect_checkpoint: InspectedCheckpoints;
  readonly plan_environment: PlannedEnvironment;
}
