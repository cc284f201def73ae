/** `pyproject.toml`: PEP 621 and 735, and the tables of uv, Poetry, PDM and pixi. */
import { type LocatedToml, locateToml } from '../../located/toml.ts';
import { type EnvironmentFile, type Installation, installationOf, type Requirement } from '../environmentFile.ts';
import { readRequirement } from '../requirement.ts';
import { pixiInstallations } from './pixi.ts';
import { poetryInstallations } from './poetry.ts';
import { tableOf, textAt, textsAt } from './texts.ts';
import { type UvSources, uvSources } from './uvSources.ts';

export function readPyproject(text: string): EnvironmentFile {
  const located = locateToml(text);
  const { comments, errors } = located;
  if (errors.length > 0) return { kind: 'pyproject', installations: [], comments, errors };
  const installations = [
    ...projectInstallations(text, located),
    ...poetryInstallations(text, located),
    ...pixiInstallations(text, located, ['tool', 'pixi']),
  ];
  return { kind: 'pyproject', installations, comments, errors };
}

/** What the project needs; and with it each of its extras and groups. */
function projectInstallations(text: string, located: LocatedToml): Installation[] {
  const root = tableOf(located.value);
  const project = tableOf(root.project);
  const tool = tableOf(root.tool);
  const uv = tableOf(tool.uv);
  const sources = uvSources(located);
  const read = (path: readonly string[], value: unknown, group?: string) =>
    readList(text, located, path, value, sources, group);
  const groups: [name: string, requirements: Requirement[]][] = [];
  for (const [table, path] of [
    [project['optional-dependencies'], ['project', 'optional-dependencies']],
    [root['dependency-groups'], ['dependency-groups']],
    [tableOf(tool.pdm)['dev-dependencies'], ['tool', 'pdm', 'dev-dependencies']],
  ] as const)
    for (const [name, value] of Object.entries(tableOf(table))) groups.push([name, read([...path, name], value, name)]);
  groups.push(['dev', read(['tool', 'uv', 'dev-dependencies'], uv['dev-dependencies'])]);
  const pythonText = textAt(text, located, ['project', 'requires-python'], project['requires-python']);
  const python = pythonText && {
    specifier: pythonText.text,
    span: { start: pythonText.start, end: pythonText.start + pythonText.text.length },
  };
  // What is overridden, or named when the package is built, is not what is written here.
  const dynamic = Array.isArray(project.dynamic) && project.dynamic.includes('dependencies');
  const isPartial = dynamic || 'override-dependencies' in uv || 'constraint-dependencies' in uv;
  const own = (group?: string) => read(['project', 'dependencies'], project.dependencies, group);
  const wanted = groups.filter(([, requirements]) => requirements.length > 0);
  return [
    installationOf(own(), { isPartial, ...(python && { python }) }),
    ...wanted.map(([name, requirements]) =>
      installationOf([...own(name), ...requirements], { isPartial, ...(python && { python }) }),
    ),
  ];
}

function readList(
  text: string,
  located: LocatedToml,
  path: readonly string[],
  value: unknown,
  sources: UvSources,
  group: string | undefined,
): Requirement[] {
  return textsAt(text, located, path, value).flatMap(({ text: line, start }) => {
    const requirement = readRequirement(line, start);
    return requirement ? [{ ...requirement, sources: sources(requirement.name, group) }] : [];
  });
}
