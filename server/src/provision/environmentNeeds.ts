import { existsSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { EnvironmentKind, Requirement } from '../environment/environmentFile.ts';
import { readEnvironment } from '../environment/read.ts';
import { readBeside } from '../environment/readers/includes.ts';
import { findFiles } from '../files/findFiles.ts';
import { gpuPackages } from '../published/gpuPackages.ts';
import { computesOnGpus, computingModules, packageOfConda } from '../published/knownPackages.ts';
import { markerHolds } from '../published/marker.ts';
import { type WheelSystem, wheelSystemOf } from '../published/platforms.ts';
import { findConfigurations } from '../settings/configuration.ts';
import { isExcluded } from '../settings/settings.ts';
import type { Need, Needs } from '../solver/needs.ts';
import { knownValue, type StackFacts } from '../stack/facts/facts.ts';
import type { Form } from './environmentPlan.ts';
import { importedModules } from './importedModules.ts';

/** The imports of the Python files below a folder, with the installed versions. */
async function needsOfImports(folder: string, facts: StackFacts): Promise<Needs> {
  const { settingsIn } = findConfigurations();
  const { files } = await findFiles([folder], async (of) => {
    const settings = await settingsIn(of);
    return (path) => isExcluded(settings, path);
  });
  const imported = importedModules(files, new Set(computingModules().keys()));
  const packages = [...imported].map(([module, file]): Need => {
    const name = computingModules().get(module) ?? module;
    const inUse = versionInUse(facts, name);
    const because = `imported by ${relative(folder, file)}`;
    return { name, extras: [], specifier: '', because, ...(inUse !== undefined && { inUse }) };
  });
  return { python: null, packages: [...packages, ...pinned(facts, packages)] };
}

/** An imported package may itself require a torch. For packages compiled for torch, the plan chooses the release. */
function pinned(facts: StackFacts, packages: readonly Need[]): Need[] {
  const { torch, wheels, extensions } = gpuPackages();
  const compiled = new Set([...torch, ...wheels].map(({ name }) => name).concat(extensions));
  return (knownValue(facts.packages) ?? []).flatMap(({ name, version, requires = [] }) => {
    if (compiled.has(name) || !packages.some((need) => need.name === name)) return [];
    const because = `required by ${name} ${version}`;
    return requires
      .filter((each) => each.name === 'torch' && each.specifier !== '')
      .map(({ specifier }) => ({ name: 'torch', extras: [], specifier: specifier.replace(/\s+/g, ''), because }));
  });
}

function versionInUse({ frameworks, packages }: StackFacts, name: string): string | undefined {
  const { tfKeras, ...others } = frameworks;
  const fact = name === 'tf-keras' ? tfKeras : others[name as keyof typeof others];
  const installed = fact === undefined ? undefined : knownValue(fact);
  return installed?.version ?? knownValue(packages)?.find((each) => each.name === name)?.version;
}

/** Files that declare a project's requirements, the most reliable first. */
const FILES: readonly (readonly [file: string, kind: EnvironmentKind])[] = [
  ['pixi.toml', 'pixi'],
  ['environment.yml', 'conda'],
  ['environment.yaml', 'conda'],
  ['requirements.txt', 'requirements'],
  ['pyproject.toml', 'pyproject'],
  ['setup.cfg', 'setupCfg'],
];

/**
 * The needs of the project in a folder: from the first of its files that names a package with GPU code, otherwise from
 * the imports of its Python files. Requirements for some systems only are evaluated for the machine, or for the Linux
 * of its containers.
 */
export async function needsOfProject(folder: string, facts: StackFacts, inContainer = false): Promise<Needs> {
  for (const [file, kind] of FILES) {
    const text = readBeside(join(folder, file))(file);
    const needs =
      text === undefined ? undefined : needsOfFile(join(folder, file), kind, text, wheelSystem(facts, inContainer));
    if (needs?.packages.some(({ name }) => computesOnGpus(name))) return needs;
  }
  return needsOfImports(folder, facts);
}

function needsOfFile(place: string, kind: EnvironmentKind, text: string, system: WheelSystem | undefined): Needs {
  const { installations, included = [] } = readEnvironment(kind, text, readBeside(place));
  // Other groups of packages are optional and selected by name.
  const [first] = installations;
  const file = basename(place);
  const python = first?.python && { specifier: first.python.specifier, because: file };
  // Other conda packages are not on PyPI.
  const wanted = (first?.requirements ?? [])
    .filter(({ manager, name }) => manager === 'pip' || isForGpus(name))
    .map((requirement) => ({ ...requirement, applies: appliesTo(requirement, system) }));
  const listOf = ({ span }: Requirement) => included.findLast(({ start }) => span.start >= start);
  const packages = wanted
    .filter(({ applies }) => applies)
    .map(
      (requirement): Need => ({
        name: requirement.name,
        extras: requirement.extras.map((extra) => extra.text),
        specifier: requirement.specifier ?? '',
        because: listOf(requirement)?.path ?? file,
      }),
    );
  const others = wanted
    .filter(({ applies }) => applies === undefined)
    .map((requirement) => {
      const { text: written = '', start } = listOf(requirement) ?? { text, start: 0 };
      const { span, marker } = requirement;
      return `${written.slice(span.start - start, span.end - start).trim()}${marker === '' ? '' : ` (where ${marker})`}`;
    });
  const missing = included.filter((each) => each.text === undefined).map(({ path }) => path);
  const unread = [
    ...(others.length === 0
      ? []
      : [
          `${file} requires these under a condition or from a URL, so add those that apply here: ${others.join(', ')}.`,
        ]),
    ...(missing.length > 0
      ? [`${file} names ${missing.join(' and ')}, which cannot be read, so its contents are not in this plan.`]
      : first?.isPartial
        ? [`${file} refers to other files, which are not in this plan.`]
        : []),
  ];
  return { python: python ?? null, packages, unread };
}

/** True if a requirement applies to a system; undefined if only the installer can decide. */
function appliesTo({ url, marker }: Requirement, system: WheelSystem | undefined): boolean | undefined {
  const holds = markerHolds(marker, { system });
  return holds === true && url !== undefined ? undefined : holds;
}

/** Containers run Linux on any machine, for that machine's processor architecture. */
function wheelSystem(facts: StackFacts, inContainer: boolean): WheelSystem | undefined {
  const os = knownValue(facts.os);
  return wheelSystemOf(inContainer ? 'linux' : os?.family, os?.architecture);
}

/** True if it has GPU code, or depends on a package with GPU code, under one of its names in conda or PyPI. */
function isForGpus(name: string): boolean {
  return computesOnGpus(name) || packageOfConda(name)?.file.computes === true;
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
