/** The commands of installers, for both remedies and plans. */

import { parseRequirement, specifierOf } from '../published/requirement.ts';
import { type PackageIndex, PROJECT_TOOLS, type ProjectToolName } from './projectTools.ts';
import { quotedRequirement, type Shell } from './shells.ts';

/** Packages to install, and their source. */
export interface Wanted {
  /** Requirements in PEP 508 syntax, without quotes. */
  readonly requirements: readonly string[];
  readonly index?: PackageIndex | undefined;
  /** Options that pip and uv share. */
  readonly options?: readonly string[] | undefined;
}

/** The arguments of `pip install` and `uv pip install`. */
export function installArguments({ requirements, index, options = [] }: Wanted): string {
  return [...requirements.map(quotedRequirement), ...(index ? ['--index-url', index.url] : []), ...options].join(' ');
}

/** The names of required packages, each once. */
export function namesOf(requirements: readonly string[]): string[] {
  return [...new Set(requirements.flatMap((each) => each.match(/^[\w.-]+/)?.[0] ?? []))];
}

/** A requirement in pixi's file, such as `torch = { version = "==2.6.0", index = "https://..." }`. */
export function pixiEntry(requirement: string, index: string | null): string {
  const { written, extras = [], clauses } = parseRequirement(requirement) ?? {};
  const version = JSON.stringify(specifierOf(clauses?.text ?? '') || '*');
  const parts = [
    `version = ${version}`,
    ...(extras.length > 0 ? [`extras = ${JSON.stringify(extras.map(({ text }) => text))}`] : []),
    ...(index === null ? [] : [`index = ${JSON.stringify(index)}`]),
  ];
  return `${written?.text ?? requirement} = ${parts.length > 1 ? `{ ${parts.join(', ')} }` : version}`;
}

/** Adds packages to a project's own file, from an index that is declared first. At most two commands. */
export function addToProject(name: ProjectToolName, { requirements, index }: Wanted, shell: Shell): string[] {
  const { source, add } = PROJECT_TOOLS[name];
  const known = index && source(index, namesOf(requirements), shell);
  return [...(known ? [known] : []), add(requirements.map(quotedRequirement).join(' '), index)];
}
