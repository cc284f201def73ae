/** Checks files that describe an environment, as `lint.ts` checks Python. */
import { basename } from 'node:path';
import type { EnvironmentFile, EnvironmentKind } from '../environment/environmentFile.ts';
import { readEnvironment } from '../environment/read.ts';
import type { ReadBeside } from '../environment/readers/includes.ts';
import { checkEnvironment } from '../environment/rules/check.ts';
import { environmentRules } from '../environment/rules/index.ts';
import type { Source } from '../python/semantic/source.ts';
import { sourceTextOf } from '../python/semantic/sourceText.ts';
import type { CheckOptions } from '../rules/engine/check.ts';
import type { Finding } from '../rules/engine/contract.ts';
import { type AppliesFix, type FixAllResult, fixRepeatedly } from '../rules/engine/fixAll.ts';
import { judgeText } from './judge.ts';
import type { JudgedText } from './judgedText.ts';
import type { Origin } from './vendored.ts';

/** Options for a file, with its origin. */
type EnvironmentOptions = CheckOptions & { readonly origin?: Origin };

/** An environment file with its text. */
export interface EnvironmentText extends JudgedText {
  readonly environment: EnvironmentFile;
}

interface EnvironmentLint {
  readonly program: EnvironmentText;
  /** In source order. */
  readonly findings: readonly Finding[];
}

/** Reads a file of this kind, with the lists that it names if they can be read, and checks it. */
export function lintEnvironment(
  kind: EnvironmentKind,
  source: Source,
  options: EnvironmentOptions = {},
  read?: ReadBeside,
): EnvironmentLint {
  const program = readEnvironmentText(kind, source, read);
  return { program, findings: judgeEnvironment(program, options) };
}

/** Reads a file of this kind, with the lists that it names if they can be read. */
export function readEnvironmentText(kind: EnvironmentKind, source: Source, read?: ReadBeside): EnvironmentText {
  const text = sourceTextOf(source);
  const environment = { ...readEnvironment(kind, text.text, read, source.path), name: basename(source.path) };
  const { comments, errors } = environment;
  return { ...text, modules: [{ comments, strings: [], errors }], environment, remarks: REMARKS[kind] ?? 'behind' };
}

/** Positions of comments, by kind of file. */
const REMARKS: Partial<Record<EnvironmentKind, JudgedText['remarks']>> = {
  dockerfile: 'above',
  devcontainer: 'nowhere',
  shell: 'above',
  workflow: 'above',
};

/** Returns the unsuppressed findings of the selected rules, with hints about suppressions that have no effect. */
export function judgeEnvironment(program: EnvironmentText, options: EnvironmentOptions): Finding[] {
  const { copied } = options.origin ?? {};
  const find = (given: CheckOptions) => checkEnvironment(program.environment, given);
  return judgeText(program, { rules: environmentRules, aboutFile: copied ? [copied] : [], find }, options);
}

/** Applies every preferred fix (by default the safe ones) that no comment suppresses and that `wanted` accepts. */
export function applyEnvironmentFixes(
  kind: EnvironmentKind,
  source: Source,
  options: EnvironmentOptions = {},
  wanted: (finding: Finding, program: JudgedText) => boolean = () => true,
  read?: ReadBeside,
  applies?: AppliesFix,
): FixAllResult {
  return fixRepeatedly(
    source,
    (current) => {
      const { program, findings } = lintEnvironment(kind, current, options, read);
      return { program, findings: findings.filter((finding) => wanted(finding, program)) };
    },
    applies,
  );
}
