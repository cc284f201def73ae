/** `pixi.toml`, and pixi's tables in `pyproject.toml`. */

import { type LocatedToml, locateToml } from '../../located/toml.ts';
import { condaVersion } from '../condaSpec.ts';
import {
  type EnvironmentFile,
  type Installation,
  installationOf,
  type PackageSource,
  type Requirement,
  type SpannedText,
} from '../environmentFile.ts';
import { versionIn } from '../requirement.ts';
import { sourcesOfOption } from './sourceOptions.ts';
import { tableOf, textsAt } from './texts.ts';
import { tomlDependency } from './tomlDependency.ts';

export function readPixi(text: string): EnvironmentFile {
  const located = locateToml(text);
  const { comments, errors } = located;
  const installations = errors.length > 0 ? [] : pixiInstallations(text, located, []);
  return { kind: 'pixi', installations, comments, errors };
}

/** The default feature, and each other feature combined with it. */
export function pixiInstallations(text: string, located: LocatedToml, base: readonly string[]): Installation[] {
  let root = tableOf(located.value);
  for (const part of base) root = tableOf(root[part]);
  if (Object.keys(root).length === 0) return [];
  const workspace = 'workspace' in root ? 'workspace' : 'project';
  const { channels, platforms } = tableOf(root[workspace]);
  const list = (key: string, value: unknown) => textsAt(text, located, [...base, workspace, key], value);
  const more = { channels: list('channels', channels), platforms: list('platforms', platforms) };
  const sources = pypiSources(located, base, root);
  const own = readFeature(text, located, base, root, sources);
  const features = Object.entries(tableOf(root.feature)).map(([name, value]) => {
    const [place, feature] = [[...base, 'feature', name], tableOf(value)];
    const further = [...sources, ...pypiSources(located, place, feature)];
    return installationOf([...own, ...readFeature(text, located, place, feature, further)], more);
  });
  return [installationOf(own, more), ...features];
}

function readFeature(
  text: string,
  located: LocatedToml,
  path: readonly string[],
  feature: Record<string, unknown>,
  general: readonly PackageSource[],
): Requirement[] {
  const ofPypi = readTable(text, located, [...path, 'pypi-dependencies'], feature['pypi-dependencies'], 'pip');
  return [
    ...readTable(text, located, [...path, 'dependencies'], feature.dependencies, 'conda'),
    ...ofPypi.map((each) => ({ ...each, sources: each.sources.length > 0 ? each.sources : general })),
  ];
}

/** Sources for PyPI packages that do not name an index. */
function pypiSources(located: LocatedToml, path: readonly string[], feature: Record<string, unknown>): PackageSource[] {
  const options = tableOf(feature['pypi-options']);
  const place = [...path, 'pypi-options'];
  return [
    ...sourcesOfOption(located, place, options, 'index-url', 'index'),
    ...sourcesOfOption(located, place, options, 'extra-index-urls', 'index'),
    ...sourcesOfOption(located, place, options, 'find-links', 'links'),
  ];
}

function readTable(
  text: string,
  located: LocatedToml,
  path: readonly string[],
  table: unknown,
  manager: Requirement['manager'],
): Requirement[] {
  return Object.entries(tableOf(table)).map(([key, value]): Requirement => {
    const place = [...path, key];
    const { index, build, channel } = tableOf(value);
    return {
      ...tomlDependency(text, located, place, place, value, (version) => versionOf(version, manager)),
      manager,
      marker: '',
      ...(typeof build === 'string' && { build }),
      ...(typeof channel === 'string' && { channel }),
      sources:
        typeof index === 'string' ? [{ url: index, kind: 'index', span: located.valueAt([...place, 'index']) }] : [],
    };
  });
}

function versionOf(
  version: SpannedText | undefined,
  manager: Requirement['manager'],
): Pick<Requirement, 'specifier' | 'pin' | 'local'> {
  if (version === undefined) return { specifier: undefined };
  if (version.text.trim() === '*') return { specifier: '' };
  const { start } = version.span;
  return manager === 'conda' ? condaVersion(version.text, start) : versionIn(version.text, start);
}
