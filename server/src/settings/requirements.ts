import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { decodedText } from '../environment/text.ts';
import { readProjectFile } from '../projectFile.ts';
import { parseRequirement, specifierOf } from '../published/requirement.ts';
import { type ByFolder, cachedByFolder } from './byFolder.ts';

/** Files with a project's requirements; for each library, the first one in a folder that names it counts. */
export const REQUIREMENT_FILES = ['requirements.txt', 'pyproject.toml'] as const;

/** The versions of frameworks that a project requires, each as a specifier: `>=2.0,<2.6`. */
interface Requirements {
  readonly torchRequirement?: string;
  readonly tensorflowRequirement?: string;
  readonly lightningRequirement?: string;
  readonly wantsTensorflowGpu?: boolean;
}

/** Finds and caches the requirements of projects, from the files in a folder and above. Never fails. */
export const findRequirements = (): ByFolder<Requirements> =>
  cachedByFolder<Requirements>(
    () => ({}),
    async (folder, above) => {
      const around = await above();
      // Earlier files in the list take precedence.
      const own = await Promise.all(REQUIREMENT_FILES.toReversed().map((name) => requirementsOf(join(folder, name))));
      return Object.assign({}, around, ...own);
    },
  );

async function requirementsOf(path: string): Promise<Requirements> {
  if (!existsSync(path)) return {};
  try {
    const text = decodedText(readProjectFile(path, 'requirements'));
    if (!/torch|tensorflow|lightning/i.test(text)) return {};
    const lines = path.endsWith('.toml') ? await dependenciesIn(text) : text.split(/\r\n|\r|\n/);
    const torch = specifierIn(lines, TORCH);
    const tensorflow = specifierIn(lines, TENSORFLOW);
    const lightning = specifierIn(lines, LIGHTNING);
    return {
      ...(torch !== undefined && { torchRequirement: torch }),
      ...(tensorflow !== undefined && { tensorflowRequirement: tensorflow }),
      ...(lightning !== undefined && { lightningRequirement: lightning }),
      ...(lines.some((line) => TENSORFLOW_GPU.test(line)) && { wantsTensorflowGpu: true }),
    };
  } catch {
    return {};
  }
}

const TORCH = /^torch$/i;
/** TensorFlow's names on PyPI. */
const TENSORFLOW = /^tensorflow(-gpu|-cpu|-macos)?$/i;

/** TensorFlow with CUDA's libraries. */
const TENSORFLOW_GPU = /^\s*tensorflow(-gpu|\[[\w,\s-]*and-cuda[\w,\s-]*\])(?![\w-])/i;
/** Both names of Lightning, which have the same versions. */
const LIGHTNING = /^(pytorch[-_.])?lightning$/i;

/** Returns the version specifier in `torch>=2.0,<2.6; python_version < "3.12"  # comment`. */
function specifierIn(lines: readonly string[], library: RegExp): string | undefined {
  for (const line of lines) {
    const parsed = parseRequirement(withoutComment(line));
    const specifier = specifierOf(parsed?.clauses.text ?? '');
    if (parsed !== undefined && specifier !== '' && library.test(parsed.written.text)) return specifier;
  }
  return undefined;
}

/** Returns a line of a requirements list without its comment, pip options and line continuation. */
function withoutComment(line: string): string {
  return line.replace(/\s+(?:#|--|\\$).*$/, '');
}

/** Returns the required dependencies of a package, without its extras, as lines of requirements. */
async function dependenciesIn(text: string): Promise<string[]> {
  const { locateToml } = await import('../located/toml.ts');
  const project = locateToml(text, ['project']).value as { dependencies?: unknown } | undefined;
  const own = Array.isArray(project?.dependencies) ? project.dependencies : [];
  const poetry = locateToml(text, ['tool', 'poetry', 'dependencies']).value as Record<string, unknown> | undefined;
  // In Poetry, a version without an operator means exactly that version.
  const ofPoetry = Object.entries(poetry ?? {}).flatMap(([name, version]) =>
    typeof version === 'string' ? [`${name}${/^\d/.test(version) ? '==' : ''}${version}`] : [],
  );
  return [...own.filter((each) => typeof each === 'string'), ...ofPoetry];
}
