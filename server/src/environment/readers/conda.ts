/** Conda environments: `environment.yml`. */
import { commentsInYaml, locateYaml } from '../../located/located.ts';
import { readCondaSpec } from '../condaSpec.ts';
import { type EnvironmentFile, installationOf, type Requirement, type SpannedText } from '../environmentFile.ts';
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
    if (own) add(readCondaSpec(own.text, own.span.start));
    const lines = textsAt(text, located, [...path, 'pip'], tableOf(item).pip);
    const list = readPipList(
      lines.map(({ text: line, span }) => ({ line, start: span.start })),
      listAt,
    );
    requirements.push(...installedBy(list));
    unnamed.push(...(list.unnamed ?? []));
    isPartial ||= list.isPartial || lines.some(({ text: line }) => /^\s*-e/.test(line));
  }
  const installation = installationOf(requirements, {
    channels: textsAt(text, located, ['channels'], listed),
    platforms: textsAt(text, located, ['platforms'], systems),
    isPartial,
    unnamed,
  });
  return { kind: 'conda', installations: [installation], comments, errors: [] };
}
