import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The files that say which libraries a project requires; the first one in a folder that names torch counts. */
export const REQUIREMENT_FILES = ['requirements.txt', 'pyproject.toml'] as const;

export interface TorchRequirements {
  /**
   * What the project around a folder requires of torch, as a version specifier: `>=2.0,<2.6`. Undefined when no file in
   * the folder or above says it. Never fails.
   */
  requirementIn(folder: string): Promise<string | undefined>;
  /** Forgets what was read, because files changed. */
  forget(): void;
}

/** Finds and keeps what projects require of torch. */
export function findTorchRequirements(): TorchRequirements {
  const known = new Map<string, Promise<string | undefined>>();
  const requirementIn = (folder: string): Promise<string | undefined> => {
    const requirement = known.get(folder) ?? nearest(folder);
    known.set(folder, requirement);
    return requirement;
  };
  const nearest = async (folder: string): Promise<string | undefined> => {
    for (const name of REQUIREMENT_FILES) {
      const requirement = await requirementOf(join(folder, name));
      if (requirement !== undefined) return requirement;
    }
    const parent = dirname(folder);
    return parent === folder ? undefined : requirementIn(parent);
  };
  return { requirementIn, forget: () => known.clear() };
}

async function requirementOf(path: string): Promise<string | undefined> {
  try {
    const text = await readFile(path, 'utf8');
    if (!text.includes('torch')) return undefined;
    const lines = path.endsWith('.toml') ? await dependenciesIn(text) : text.split(/\r\n|\r|\n/);
    return lines.map(specifierOf).find((specifier) => specifier !== undefined);
  } catch {
    return undefined;
  }
}

/** The version specifier of `torch>=2.0,<2.6; python_version < "3.12"  # comment`; undefined for other requirements. */
function specifierOf(line: string): string | undefined {
  return /^\s*torch\s*(?:\[[^\]]*\]\s*)?\(?\s*([<>=!~][^;#)]*)/i.exec(line)?.[1]?.replace(/\s+/g, '');
}

/** What a package needs always, not what it offers as an extra, as lines of requirements. */
async function dependenciesIn(text: string): Promise<string[]> {
  const { locateToml } = await import('./locatedToml.ts');
  const project = locateToml(text, ['project']).value as { dependencies?: unknown } | undefined;
  const own = Array.isArray(project?.dependencies) ? project.dependencies : [];
  const poetry = locateToml(text, ['tool', 'poetry', 'dependencies']).value as { torch?: unknown } | undefined;
  const torch = poetry?.torch;
  // Poetry writes a version without an operator for just that version.
  const specifier = typeof torch === 'string' ? `torch${/^\d/.test(torch) ? '==' : ''}${torch}` : '';
  return [...own.filter((each) => typeof each === 'string'), specifier];
}
