/** `pyproject.toml`: PEP 621 and 735, and the tables of uv, Poetry, PDM and pixi. */
import { type LocatedToml, locateToml } from '../../located/toml.ts';
import { normalized } from '../../published/packageName.ts';
import { type EnvironmentFile, type Installation, installationOf, type Requirement } from '../environmentFile.ts';
import { readRequirement } from '../requirement.ts';
import type { Includes } from './includes.ts';
import { installedBy, type NamedList } from './pipList.ts';
import { pixiInstallations } from './pixi.ts';
import { poetryInstallations } from './poetry.ts';
import { tableOf, textAt, textsAt } from './texts.ts';
import { type UvSources, uvSources } from './uvSources.ts';

export function readPyproject(text: string, includes: Includes): EnvironmentFile {
  const located = locateToml(text);
  const { comments, errors } = located;
  if (errors.length > 0) return { kind: 'pyproject', installations: [], comments, errors };
  const installations = [
    ...projectInstallations(text, located, includes),
    ...poetryInstallations(text, located),
    ...pixiInstallations(text, located, ['tool', 'pixi']),
  ];
  return { kind: 'pyproject', installations, comments, errors };
}

/** The project's dependencies by themselves, and combined with each extra and group. */
function projectInstallations(text: string, located: LocatedToml, { listAt }: Includes): Installation[] {
  const root = tableOf(located.value);
  const project = tableOf(root.project);
  const tool = tableOf(root.tool);
  const uv = tableOf(tool.uv);
  const sources = uvSources(located);
  const isBuiltHere = builtWithWhatIsThere(uv);
  const read = (path: readonly string[], value: unknown, group?: string) =>
    readList(text, located, path, value, sources, isBuiltHere, group);
  const groups: [name: string, requirements: Requirement[]][] = [];
  for (const [table, path] of [
    [project['optional-dependencies'], ['project', 'optional-dependencies']],
    [root['dependency-groups'], ['dependency-groups']],
    [tableOf(tool.pdm)['dev-dependencies'], ['tool', 'pdm', 'dev-dependencies']],
  ] as const)
    for (const [name, value] of Object.entries(tableOf(table))) groups.push([name, read([...path, name], value, name)]);
  groups.push(['dev', read(['tool', 'uv', 'dev-dependencies'], uv['dev-dependencies'])]);
  const dynamicPath = ['tool', 'setuptools', 'dynamic'];
  const dynamicTable = tableOf(tableOf(tool.setuptools).dynamic);
  const listed = filesAt(text, located, [...dynamicPath, 'dependencies'], dynamicTable.dependencies, listAt);
  const extras = [...dynamicPath, 'optional-dependencies'];
  for (const [name, value] of Object.entries(tableOf(dynamicTable['optional-dependencies'])))
    groups.push([name, filesAt(text, located, [...extras, name], value, listAt).requirements]);
  const pythonText = textAt(text, located, ['project', 'requires-python'], project['requires-python']);
  const python = pythonText && { specifier: pythonText.text, span: pythonText.span };
  // Overridden or dynamic dependencies differ from those in the file.
  const dynamic = Array.isArray(project.dynamic) && project.dynamic.includes('dependencies');
  const isRead = listed.requirements.length > 0 && !listed.isPartial;
  const isPartial = (dynamic && !isRead) || 'override-dependencies' in uv || 'constraint-dependencies' in uv;
  const own = (group?: string) => [
    ...read(['project', 'dependencies'], project.dependencies, group),
    ...listed.requirements,
  ];
  const nonEmpty = groups.filter(([, requirements]) => requirements.length > 0);
  return [
    installationOf(own(), { isPartial, python }),
    ...nonEmpty.map(([name, requirements]) => installationOf([...own(name), ...requirements], { isPartial, python })),
  ];
}

/** Packages that uv builds in the environment itself, or with declared build dependencies. */
function builtWithWhatIsThere(uv: Readonly<Record<string, unknown>>): (name: string) => boolean {
  const listed = uv['no-build-isolation-package'];
  const names = [...(Array.isArray(listed) ? listed : []), ...Object.keys(tableOf(uv['extra-build-dependencies']))].map(
    (each) => normalized(String(each)),
  );
  return (name) => uv['no-build-isolation'] === true || names.includes(name);
}

/** Requirement lists that setuptools reads: `{ file = ["requirements.txt"] }`. */
function filesAt(text: string, located: LocatedToml, path: readonly string[], value: unknown, listAt: NamedList) {
  const { file } = tableOf(value);
  const one = textAt(text, located, [...path, 'file'], file);
  const lists = (one ? [one] : textsAt(text, located, [...path, 'file'], file)).map((each) =>
    listAt(each.text, each.span),
  );
  return { requirements: lists.flatMap(installedBy), isPartial: lists.some(({ isPartial }) => isPartial) };
}

function readList(
  text: string,
  located: LocatedToml,
  path: readonly string[],
  value: unknown,
  sources: UvSources,
  isBuiltHere: (name: string) => boolean,
  group: string | undefined,
): Requirement[] {
  return textsAt(text, located, path, value).flatMap(({ text: line, span }) => {
    const requirement = readRequirement(line, span.start);
    if (requirement === undefined) return [];
    const isThere = isBuiltHere(requirement.name);
    return [
      { ...requirement, sources: sources(requirement.name, group), ...(isThere && { isIsolated: false as const }) },
    ];
  });
}
