import { type Program, type ProgramOptions, parseProgram } from '../guards/program.ts';
import type { Reason } from '../guards/reason.ts';
import type { Source } from '../python/semantic/source.ts';
import type { SourceText } from '../python/semantic/sourceText.ts';
import { type CheckOptions, checkInProject } from '../rules/engine/check.ts';
import type { Finding } from '../rules/engine/contract.ts';
import { type AppliesFix, type FixAllResult, fixRepeatedly } from '../rules/engine/fixAll.ts';
import { rules } from '../rules/index.ts';
import { judgeText } from './judge.ts';
import { copiedFrom, type Origin } from './vendored.ts';

export interface LintOptions extends CheckOptions, ProgramOptions {
  /** The origin of the file: in code that the project did not write, every finding is a hint. */
  readonly origin?: Origin;
  /** Checks a program's own installations; see `lintInstallations.ts`, which is loaded on demand. */
  readonly judgeInstallations?: ((program: SourceText, options: CheckOptions) => Finding[]) | undefined;
}

export interface Lint {
  readonly program: Program;
  /** In source order. */
  readonly findings: readonly Finding[];
}

/** Parses a source and checks it. */
export function lint(source: Source, options: LintOptions = {}): Lint {
  const program = parseProgram(source, options);
  return { program, findings: judge(program, options) };
}

/** Returns the unsuppressed findings of the selected rules, with hints about suppressions that have no effect. */
export function judge(program: Program, options: LintOptions = {}): Finding[] {
  const find = (given: CheckOptions) => [
    ...checkInProject(program, rules, given),
    ...(options.judgeInstallations?.(program, given) ?? []),
  ];
  return judgeText(program, { rules, aboutFile: aboutFileOf(program, options), find }, options);
}

const aboutFileOf = (program: Program, { origin }: LintOptions): readonly Reason[] =>
  origin ? copiedFrom(program, origin) : [];

/**
 * Applies every preferred fix (by default the safe ones) that no comment suppresses and that `wanted` accepts. Copies of
 * other projects stay as they are.
 */
export function applyFixes(
  source: Source,
  options: LintOptions = {},
  wanted: (finding: Finding, program: Program) => boolean = () => true,
  applies?: AppliesFix,
): FixAllResult {
  return fixRepeatedly(
    source,
    (current) => {
      const program = parseProgram(current, options);
      const isOfOthers = aboutFileOf(program, options).length > 0;
      return { program, findings: isOfOthers ? [] : judge(program, options).filter((each) => wanted(each, program)) };
    },
    applies,
  );
}

/** True for a fix that can be applied. */
export const isNoAdvice: AppliesFix = ({ tier }) => tier !== 'display';
