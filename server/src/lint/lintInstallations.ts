/** Checks the installations of programs: `install_requires` in `setup.py`, `!pip install` in notebooks. */
import type { EnvironmentKind } from '../environment/environmentFile.ts';
import { namesGpuPackages } from '../environment/kinds.ts';
import { readEnvironment } from '../environment/read.ts';
import type { ReadBeside } from '../environment/readers/includes.ts';
import { checkEnvironment } from '../environment/rules/check.ts';
import { environmentRules } from '../environment/rules/index.ts';
import type { SourceText } from '../python/semantic/sourceText.ts';
import { type CheckOptions, isSelected } from '../rules/engine/check.ts';
import type { Finding } from '../rules/engine/contract.ts';
import { installingKind } from './installing.ts';

/**
 * Returns the unsuppressed findings of the selected rules for a program's installations, in source order; `read` reads
 * the lists that the program names.
 */
export function judgeInstallations(
  { source, text }: SourceText,
  options: CheckOptions = {},
  read?: ReadBeside,
): Finding[] {
  const kind: EnvironmentKind | undefined = installingKind(source);
  if (kind === undefined || !namesGpuPackages(Buffer.from(text))) return [];
  const selected = environmentRules.filter((rule) => isSelected(rule, options));
  return checkEnvironment(readEnvironment(kind, text, read), selected, options);
}
