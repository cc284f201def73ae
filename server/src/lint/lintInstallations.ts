/** Checks the installations of programs: `install_requires` in `setup.py`, `!pip install` in notebooks. */
import type { EnvironmentKind } from '../environment/environmentFile.ts';
import { namesGpuPackages } from '../environment/kinds.ts';
import { readEnvironment } from '../environment/read.ts';
import type { ReadBeside } from '../environment/readers/includes.ts';
import { checkEnvironment } from '../environment/rules/check.ts';
import type { SourceText } from '../python/semantic/sourceText.ts';
import type { CheckOptions } from '../rules/engine/check.ts';
import type { Finding } from '../rules/engine/contract.ts';
import { installingKind } from './installing.ts';

/** Returns what the selected rules find in a program's installations; `read` reads the lists that the program names. */
export function judgeInstallations(
  { source, text }: SourceText,
  options: CheckOptions = {},
  read?: ReadBeside,
): Finding[] {
  const kind: EnvironmentKind | undefined = installingKind(source);
  if (kind === undefined || !namesGpuPackages(Buffer.from(text))) return [];
  return checkEnvironment(readEnvironment(kind, text, read), options);
}
