/** Conda environments: `environment.yml`. */
import { commentsInYaml, locateYaml } from '../../located/located.ts';
import { readCondaSpec } from '../condaSpec.ts';
import { type EnvironmentFile, installationOf, type Requirement, type SpannedText } from '../environmentFile.ts';
import { spannedText } from '../requirement.ts';
import type { Includes } from './includes.ts';
import { installedBy, readPipList } from './pipList.ts';
import { tableOf, textAt, textsAt } from './texts.ts';

export function readConda(text: string, { listAt }: Includes): EnvironmentFile {
  const located = locateYaml(text);
  const comments = commentsInYaml(text);
  if (located.errors.length > 0) return { kind: 'conda', installations: [], comments, errors: located.errors };
  const { dependencies, channels: listed, platforms: systems } = tableOf(located.value);
  const requirements: Requirement[] = [];
  const add = (requirement: Requirement | undefined) => requirement && requirements.push(requirement);
  const unnamed: SpannedText[] = [];
  let isPartial = false;
  for (const [index, item] of (Array.isArray(dependencies) ? dependencies : []).entries()) {
    const path = ['dependencies', index];
    const own = textAt(text, located, path, item);
    if (own) add(readCondaSpec(own.text, own.start));
    const lines = textsAt(text, located, [...path, 'pip'], tableOf(item).pip);
    const list = readPipList(
      lines.map(({ text: line, start }) => ({ line, start })),
      listAt,
    );
    requirements.push(...installedBy(list));
    unnamed.push(...(list.unnamed ?? []));
    isPartial ||= list.isPartial || lines.some(({ text: line }) => /^\s*-e/.test(line));
  }
  const channels = textsAt(text, located, ['channels'], listed).map(({ text: each, start }) =>
    spannedText(each, start),
  );
  const platforms = textsAt(text, located, ['platforms'], systems).map(({ text: each, start }) =>
    spannedText(each, start),
  );
  const installation = installationOf(
    requirements.filter(({ name, manager }) => !(name === 'python' && manager === 'conda')),
    { channels, isPartial, unnamed, ...(platforms.length > 0 && { platforms }), ...requiredPython(requirements) },
  );
  return { kind: 'conda', installations: [installation], comments, errors: [] };
}

/** Returns the Python that is required as a package. */
export function requiredPython(requirements: readonly Requirement[]): {
  python?: { specifier: string; span: SpannedText['span'] };
} {
  const python = requirements.find(({ name, manager }) => name === 'python' && manager === 'conda');
  return python?.specifier ? { python: { specifier: python.specifier, span: python.span } } : {};
}
