import type { EnvironmentFile, EnvironmentKind } from './environmentFile.ts';
import { readConda } from './readers/conda.ts';
import { readPixi } from './readers/pixi.ts';
import { readPyproject } from './readers/pyproject.ts';
import { readRequirementsFile } from './readers/requirementsFile.ts';

const READERS: Partial<Record<EnvironmentKind, (text: string) => EnvironmentFile>> = {
  requirements: readRequirementsFile,
  requirementsIn: readRequirementsFile,
  pyproject: readPyproject,
  conda: readConda,
  pixi: readPixi,
};

/** Reads a file of that kind. Never throws: what cannot be read is among its errors. */
export function readEnvironment(kind: EnvironmentKind, text: string): EnvironmentFile {
  const read = READERS[kind]?.(text);
  return { installations: [], comments: [], errors: [], ...read, kind };
}
