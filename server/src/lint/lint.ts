import { type ParseOptions, type Program, parseProgram } from '../guards/program.ts';
import type { Reason } from '../guards/reason.ts';
import type { Source } from '../python/semantic/source.ts';
import type { SourceText } from '../python/semantic/sourceText.ts';
import { asHint, type CheckOptions, check, isSelected } from '../rules/engine/check.ts';
import type { Finding } from '../rules/engine/contract.ts';
import { type AppliesFix, type FixAllResult, fixAll, fixRepeatedly } from '../rules/engine/fixAll.ts';
import { withoutReplaced } from '../rules/engine/replaced.ts';
import { rules } from '../rules/index.ts';
import { UNUSED_SUPPRESSION } from './ruleNames.ts';
import { isSuppressed } from './suppressions.ts';
import { unusedSuppressions } from './unusedSuppressions.ts';
import { copiedFrom, type Origin } from './vendored.ts';

export interface LintOptions extends CheckOptions, ParseOptions {
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
  const judged = new Set(rules.filter((rule) => isSelected(rule, options)).map(({ code }) => code));
  // Without facts about a machine, a rule about machines cannot report anything, so its silence proves nothing.
  for (const { code, replaces, isAboutFiles } of rules)
    if (isAboutFiles || (replaces && !options.known?.visibleGpus)) judged.delete(code);
  const aboutFile = aboutFileOf(program, options);
  const findings = check(program, rules, {
    ...options,
    aboutFile,
    onRuleError(code, error) {
      judged.delete(code);
      options.onRuleError?.(code, error);
    },
  });
  const installed = options.judgeInstallations?.(program, options) ?? [];
  const ofInstalled = aboutFile.length > 0 ? installed.map((finding) => asHint(finding, aboutFile)) : installed;
  const kept = [...findings, ...ofInstalled].filter((finding) => !isSuppressed(program, finding));
  const unused = isSelected({ code: UNUSED_SUPPRESSION }, options) ? unusedSuppressions(program, findings, judged) : [];
  return [...withoutReplaced([...kept, ...unused], rules)].sort(
    (a, b) => a.span.start - b.span.start || a.span.end - b.span.end,
  );
}

const aboutFileOf = (program: Program, { origin, aboutFile = [] }: LintOptions): readonly Reason[] => [
  ...aboutFile,
  ...(origin ? copiedFrom(program, origin) : []),
];

/** Applies every safe preferred fix that no comment suppresses and that `wanted` accepts. */
export function applySafeFixes(
  source: Source,
  options: LintOptions = {},
  wanted: (finding: Finding, program: Program) => boolean = () => true,
): FixAllResult {
  return fixAll(source, rules, options, (findings, program) =>
    aboutFileOf(program, options).length > 0
      ? []
      : withoutReplaced(
          findings.filter((finding) => !isSuppressed(program, finding)),
          rules,
        ).filter((finding) => wanted(finding, program)),
  );
}

/**
 * Applies preferred fixes, including those that may change a program's behavior, for findings that `wanted` accepts.
 */
export function applyUnsafeFixes(
  source: Source,
  options: LintOptions,
  wanted: (finding: Finding) => boolean,
): FixAllResult {
  return fixRepeatedly(
    source,
    (current) => {
      const program = parseProgram(current, options);
      const isOfOthers = aboutFileOf(program, options).length > 0;
      return { program, findings: isOfOthers ? [] : judge(program, options).filter(wanted) };
    },
    isNoAdvice,
  );
}

/** True for a fix that can be applied. */
export const isNoAdvice: AppliesFix = ({ tier }) => tier !== 'display';
