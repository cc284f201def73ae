import { existsSync, readdirSync } from 'node:fs';
import { join, posix, relative, resolve } from 'node:path';
import type { EnvironmentKind } from '../environment/environmentFile.ts';
import { environmentKind, kindOfNamed } from '../environment/kinds.ts';
import { decodedText } from '../environment/text.ts';
import { isNotebookPath, readDocument } from '../files/document.ts';
import { findFiles } from '../files/findFiles.ts';
import { slashed } from '../files/paths.ts';
import { type ProjectFileKind, readProjectFile } from '../projectFile.ts';
import { gpuPackages } from '../published/gpuPackages.ts';
import { computingModules } from '../published/knownPackages.ts';
import { normalized } from '../published/packageName.ts';
import { type WheelSystem, wheelSystemOf } from '../published/platforms.ts';
import { sourceTextOf } from '../python/semantic/sourceText.ts';
import { parseModule } from '../python/syntax/parse.ts';
import { walk } from '../python/syntax/walk.ts';
import { findConfigurations, usableSettings } from '../settings/configuration.ts';
import { choiceOf } from '../settings/settings.ts';
import type { LeftOut, Need, Needs } from '../solver/needs.ts';
import { requirementsOf } from '../stack/builds/installedPackages.ts';
import { knownValue, type StackFacts } from '../stack/facts/facts.ts';
import { installedVersion } from './check.ts';
import { isForGpus, joinedPython } from './completeNeeds.ts';
import type { Form } from './environmentPlan.ts';
import { type DeclaringFile, type FileNeeds, needsOfFile } from './fileNeeds.ts';
import { LOCKS } from './locks.ts';

/** Files that declare a project's requirements, the most reliable first. */
const FILES: readonly (readonly [file: string, kind: EnvironmentKind])[] = [
  ['pixi.toml', 'pixi'],
  ['environment.yml', 'conda'],
  ['environment.yaml', 'conda'],
  ['requirements.txt', 'requirements'],
  ['pyproject.toml', 'pyproject'],
  ['Pipfile', 'pipfile'],
  ['setup.cfg', 'setupCfg'],
  ['setup.py', 'setupPy'],
];

/**
 * The needs of the project in a folder: from the first of its files that names a package with GPU code, otherwise from
 * the imports of its Python files. Environment markers are evaluated for the machine, or for Linux in a container.
 */
export async function needsOfProject(folder: string, facts: StackFacts, inContainer = false): Promise<Needs> {
  const system = wheelSystem(facts, inContainer);
  const read = filesOf(folder).map((file) => ({ file, needs: needsOfFile(file, system) }));
  const included = new Set(
    read.flatMap(({ file, needs }) => needs.included.map((path) => resolve(file.place, '..', path))),
  );
  const own = read.filter(({ file }) => !included.has(file.place));
  const declared = own.find(({ needs }) => isAboutGpus(needs)) ?? read.find(({ needs }) => isAboutGpus(needs));
  const first = declared?.needs ?? own[0]?.needs ?? NOTHING;
  const imported = declared === undefined ? await needsOfImports(folder, facts) : [];
  const locked = lockOf(folder);
  const packages = [...imported, ...first.packages].map((need): Need => {
    const inUse = need.inUse ?? locked?.versions.get(need.name);
    return inUse === undefined ? need : { ...need, inUse };
  });
  const others = own.filter(({ needs }) => needs !== first && !repeats(needs, first));
  const leftOut = others.map(
    ({ file: { name } }): LeftOut => ({ requirement: name, reason: 'it is another list: name it to plan for it' }),
  );
  return {
    ...first,
    python: pythonOf(folder, first, read),
    packages,
    leftOut: [...(first.leftOut ?? []), ...leftOut],
    ...(locked && { lock: locked.name }),
  };
}

/** The needs in a file that is named; a clause that says what is wrong with it, if it declares none. */
export function needsOfNamedFile(
  folder: string,
  path: string,
  facts: StackFacts,
  inContainer = false,
): Needs | { readonly trouble: string } {
  const place = resolve(folder, path);
  if (LOCKS.some(([lock]) => lock === posix.basename(slashed(place))))
    return { trouble: 'is a lock file, which its own tool installs: name the file that it locks' };
  const kind = kindOfList(place);
  if (kind === undefined) return { trouble: 'is no file that declares requirements' };
  const file = declaringFile(place, path, kind);
  if (file === undefined) return { trouble: existsSync(place) ? 'cannot be read' : 'does not exist' };
  const needs = needsOfFile(file, wheelSystem(facts, inContainer));
  return { ...needs, python: needs.python ?? pythonOf(folder, needs, []) };
}

/** Returns the kind of a file that is named as one that declares requirements. */
export function kindOfList(path: string): EnvironmentKind | undefined {
  return /(?:^|[\\/])setup\.py$/.test(path) ? 'setupPy' : kindOfNamed(path);
}

const NOTHING: FileNeeds = { python: null, packages: [], leftOut: [], included: [] };

function isAboutGpus({ packages, conditional = [] }: Needs): boolean {
  return [...packages, ...conditional].some(({ name }) => isForGpus(name));
}

/** True if everything in one file is in another one too, or if the file declares nothing. */
function repeats({ packages, conda = [], leftOut = [] }: Needs, other: Needs): boolean {
  const names = new Set(
    [...other.packages, ...(other.conditional ?? []), ...(other.conda ?? [])].map(({ name }) => name),
  );
  return leftOut.length === 0 && [...packages, ...conda].every(({ name }) => names.has(name));
}

/** Lists for other purposes than running the project. */
const FOR_DEVELOPERS = /(?:^|[-_./])(?:dev|develop|test|tests|testing|doc|docs|lint|ci|constraints?)(?:[-_./]|$)/i;

/** The files of a project that declare requirements, the most reliable first. */
function filesOf(folder: string): DeclaringFile[] {
  const fixed = FILES.flatMap(([name, kind]) => declaringFile(join(folder, name), name, kind) ?? []);
  const listed = ['', 'requirements', 'requirement'].flatMap((inner) =>
    namesIn(join(folder, inner)).map((name) => posix.join(inner, name)),
  );
  const further = listed
    .filter((name) => !FILES.some(([file]) => file === name))
    .sort(
      (one, other) => Number(FOR_DEVELOPERS.test(one)) - Number(FOR_DEVELOPERS.test(other)) || (one < other ? -1 : 1),
    )
    .flatMap((name) => {
      const kind = environmentKind(name);
      const isList = kind === 'requirements' || kind === 'requirementsIn' || kind === 'conda';
      return isList || name === 'Dockerfile'
        ? (declaringFile(join(folder, name), name, kind ?? 'requirements') ?? [])
        : [];
    });
  return [
    ...fixed,
    ...further.filter(({ kind }) => kind !== 'dockerfile'),
    ...further.filter(({ kind }) => kind === 'dockerfile'),
  ];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function declaringFile(
  place: string,
  name: string,
  kind: EnvironmentKind,
  limit: ProjectFileKind = 'requirements',
): DeclaringFile | undefined {
  try {
    return { place, name, kind, text: decodedText(readProjectFile(place, limit)) };
  } catch {
    return undefined;
  }
}

/** The Python of the file itself and of the other files that state one, which all apply. */
function pythonOf(folder: string, { python }: Needs, read: readonly { readonly needs: Needs }[]): Needs['python'] {
  const named = declaringFile(join(folder, '.python-version'), '.python-version', 'requirements')?.text.trim();
  const minor = /^3\.\d+/.exec(named ?? '')?.[0];
  const project = read.length > 0 ? [] : filesOf(folder).filter(({ name }) => name === 'pyproject.toml');
  return joinedPython([
    python,
    ...read.map(({ needs }) => needs.python),
    ...project.map((file) => needsOfFile(file, undefined).python),
    minor === undefined ? null : { specifier: `==${minor}.*`, because: '.python-version' },
  ]);
}

/** The project's lock file, with the versions in it if it is a TOML list of packages. */
function lockOf(folder: string): { readonly name: string; readonly versions: ReadonlyMap<string, string> } | undefined {
  for (const [name] of LOCKS) {
    const text = declaringFile(join(folder, name), name, 'requirements', 'program')?.text.trim();
    if (text === undefined || text === '') continue;
    const pairs = text.matchAll(/^name = "([^"\n]+)"\nversion = "([^"\n]+)"/gm);
    return { name, versions: new Map([...pairs].map(([, each = '', version = '']) => [normalized(each), version])) };
  }
  return undefined;
}

/** The imports of the Python files below a folder, with the installed versions. */
async function needsOfImports(folder: string, facts: StackFacts): Promise<Need[]> {
  // Settings only exclude files here: a broken file must not stop the plan.
  const { of: settingsIn } = findConfigurations(usableSettings);
  const { files } = await findFiles([folder], async (of) => {
    const settings = await settingsIn(of);
    return (path) => choiceOf(settings, path);
  });
  const imported = importedModules(files, new Set(computingModules().keys()));
  const packages = [...imported].map(([module, file]): Need => {
    const name = computingModules().get(module) ?? module;
    const inUse = installedVersion(facts, name) ?? undefined;
    const because = `imported by ${relative(folder, file)}`;
    return { name, extras: [], specifier: '', because, inUse };
  });
  return [...packages, ...pinned(facts, packages)];
}

/** An imported package may itself require a torch. For packages compiled for torch, the plan chooses the release. */
function pinned(facts: StackFacts, packages: readonly Need[]): Need[] {
  const { torch, wheels, extensions } = gpuPackages();
  const compiled = new Set([...torch, ...wheels].map(({ name }) => name).concat(extensions));
  return (knownValue(facts.packages) ?? []).flatMap(({ name, version }) => {
    if (compiled.has(name) || !packages.some((need) => need.name === name)) return [];
    const because = `required by ${name} ${version}`;
    return requirementsOf(facts, name)
      .filter((each) => each.name === 'torch' && each.specifier !== '')
      .map(({ specifier }) => ({ name: 'torch', extras: [], specifier, because }));
  });
}

/** Containers run Linux on any machine, for that machine's processor architecture. */
function wheelSystem(facts: StackFacts, inContainer: boolean): WheelSystem | undefined {
  const os = knownValue(facts.os);
  return wheelSystemOf(inContainer ? 'linux' : os?.family, os?.architecture);
}

/** Files that identify the installer of a project's environment, the most reliable first. */
const SIGNS: readonly (readonly [file: string, form: Form])[] = [
  ['pixi.lock', 'pixi'],
  ['pixi.toml', 'pixi'],
  ['uv.lock', 'uv'],
  ['uv.toml', 'uv'],
  ['poetry.lock', 'poetry'],
  ['pdm.lock', 'pdm'],
  ['Pipfile', 'pipenv'],
  ['environment.yml', 'conda'],
  ['environment.yaml', 'conda'],
  ['conda-lock.yml', 'conda'],
];

/** The default form of a plan for this project. */
export function formOfProject(folder: string): Form {
  return SIGNS.find(([file]) => existsSync(join(folder, file)))?.[1] ?? 'pip';
}

/** The top-level module of each import, with the first file that imports it. */
type ImportedModules = ReadonlyMap<string, string>;

/**
 * The imports of the given modules in Python files, except those in a `try` that handles their failure: the program
 * works without them.
 */
function importedModules(files: readonly string[], wanted: ReadonlySet<string>): ImportedModules {
  const found = new Map<string, string>();
  const words = new RegExp(`\\b(?:${[...wanted].join('|')})\\b`);
  for (const file of files) {
    for (const module of importsOf(file, words)) if (wanted.has(module) && !found.has(module)) found.set(module, file);
  }
  return found;
}

function importsOf(file: string, words: RegExp): Set<string> {
  const modules = new Set<string>();
  try {
    const bytes = readProjectFile(file, 'importedProgram');
    if (!words.test(bytes.toString('latin1'))) return modules;
    const { text } = sourceTextOf(readDocument(file, bytes).source);
    const add = (dotted: string | undefined) => dotted !== undefined && modules.add(dotted.split('.')[0] ?? dotted);
    for (const statement of parseModule(text, { notebook: isNotebookPath(file) }).body)
      walk(statement, (node) => {
        if (node.kind === 'Try' && node.handlers.length > 0) return false;
        if (node.kind === 'Import') for (const { name } of node.names) add(name);
        if (node.kind === 'ImportFrom' && node.level === 0) add(node.module);
        return undefined;
      });
  } catch {
    // Unreadable files import nothing.
  }
  return modules;
}
