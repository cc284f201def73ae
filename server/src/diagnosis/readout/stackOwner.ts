/** Describes the Python whose packages the stack is read from, and who selected it. */
import { type Interpreter, knownValue, type StackFacts } from '../../stack/facts/facts.ts';

/** The origin of an interpreter that a client selects. */
export type SelectedBy = 'user' | 'setting' | 'kernel' | 'pythonExtension';

export interface StackOwner {
  /** `Python 3.11.7`, without the version if it is unknown. */
  readonly python: string;
  /** `kernel of the notebook`, `selected in the Python extension`. */
  readonly selectedBy: string;
  readonly path: string;
}

/** Returns the Python that the stack belongs to; undefined while none is known. */
export function stackOwner({ interpreter }: StackFacts, selectedBy?: SelectedBy): StackOwner | undefined {
  const python = knownValue(interpreter);
  if (!python) return undefined;
  const { path, version } = python;
  return {
    python: version === null ? 'Python' : `Python ${version}`,
    selectedBy: selectorText(python, selectedBy),
    path,
  };
}

/** Returns a description of who selected an interpreter. */
export function selectorText({ chosenBy }: Interpreter, selectedBy?: SelectedBy): string {
  if (chosenBy === 'selected') return SELECTORS[selectedBy ?? 'setting'];
  if (chosenBy.startsWith('kernel ')) return `${chosenBy} of the notebook`;
  return CHOICES[chosenBy] ?? chosenBy;
}

const SELECTORS: Readonly<Record<SelectedBy, string>> = {
  user: 'selected by you',
  setting: 'the setting gpuDoctor.interpreter',
  kernel: 'kernel of the notebook',
  pythonExtension: 'selected in the Python extension',
};

const CHOICES: Readonly<Record<string, string>> = {
  'workspace folder': 'environment in the workspace folder',
  VIRTUAL_ENV: 'activated environment (VIRTUAL_ENV)',
  CONDA_PREFIX: 'activated environment (CONDA_PREFIX)',
  PATH: 'first on PATH',
};
