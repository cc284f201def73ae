/** The needs in one file that declares requirements. */

import type { EnvironmentKind, Installation, Requirement } from '../environment/environmentFile.ts';
import { readEnvironment } from '../environment/read.ts';
import { readBeside } from '../environment/readers/includes.ts';
import { isCondaNameOfPackage, knownPackage, packageOfConda } from '../published/knownPackages.ts';
import { markerHolds } from '../published/marker.ts';
import { normalized } from '../published/packageName.ts';
import { WHEEL_SYSTEMS, type WheelSystem } from '../published/platforms.ts';
import { preferredPythons } from '../published/releases/pythonReleases.ts';
import type { CondaNeed, LeftOut, Need, Needs } from '../solver/needs.ts';
import { comesWithBuilds, isForGpus } from './completeNeeds.ts';

/** A file that declares requirements. */
export interface DeclaringFile {
  /** Its absolute path. */
  readonly place: string;
  /** Its name in plans. */
  readonly name: string;
  readonly kind: EnvironmentKind;
  readonly text: string;
}

/** The needs in a file on a system, and the lists that it includes, as absolute or relative paths. */
export interface FileNeeds extends Needs {
  readonly included: readonly string[];
}

/** Files whose first installation is the project itself, and whose others are optional. */
const WITH_GROUPS: readonly EnvironmentKind[] = ['pyproject', 'pipfile', 'pixi', 'setupCfg', 'setupPy'];

/** Reads the needs of a file. Conditions are evaluated for the system; those on Python's version remain. */
export function needsOfFile({ place, name, kind, text }: DeclaringFile, system: WheelSystem | undefined): FileNeeds {
  const { installations, included = [], errors } = readEnvironment(kind, text, readBeside(place));
  const main = mainOf(installations, kind);
  const packages: Need[] = [];
  const conditional: Need[] = [];
  const conda: CondaNeed[] = [];
  const leftOut: LeftOut[] = [];
  const listOf = (start: number) => included.findLast((each) => start >= each.start);
  const written = ({ start, end }: Requirement['span']) => {
    const { text: own = '', start: from } = listOf(start) ?? { text, start: 0 };
    return own.slice(start - from, end - from).trim();
  };
  for (const requirement of main?.requirements ?? []) {
    const { marker, manager, span, url, specifier, extras, sources } = requirement;
    const planned = manager === 'pip' ? requirement.name : plannedFromConda(requirement.name);
    const origin = url ?? sources.find(({ isPackage }) => isPackage)?.url;
    if (origin !== undefined) {
      if (markerHolds(marker, { system }) !== false)
        leftOut.push({ requirement: written(span), reason: reasonOfOrigin(origin, name) });
      continue;
    }
    if (planned === undefined) {
      conda.push({ name: requirement.name, version: condaVersionOf(specifier) });
      continue;
    }
    const need: Need = {
      name: planned,
      extras: extras.map((extra) => extra.text),
      specifier: specifier ?? '',
      because: listOf(span.start)?.path ?? name,
    };
    const holds = markerHolds(marker, { system });
    if (holds === true) packages.push(need);
    else if (holds === undefined && dependsOnPython(marker, system)) conditional.push({ ...need, marker });
    else if (holds === undefined)
      leftOut.push({
        requirement: `${written(span)} (where ${marker})`,
        reason: `${name} requires it under a condition`,
      });
  }
  for (const { text: unnamed } of main?.unnamed ?? [])
    leftOut.push({ requirement: unnamed, reason: reasonOfOrigin(unnamed, name) });
  leftOut.push(...ofGroups(installations, main, kind, name), ...unreadIn(included, main, name));
  if (errors[0] !== undefined) leftOut.push({ requirement: name, reason: `it cannot be read: ${errors[0].message}` });
  return {
    python: main?.python ? { specifier: main.python.specifier, because: name } : null,
    packages,
    conditional,
    conda,
    condaChannels: conda.length === 0 ? [] : (main?.channels ?? []).map((channel) => channel.text),
    leftOut,
    included: included.map(({ path }) => path),
  };
}

/** The first installation with a package for GPUs, otherwise the first; of an image's stages, the last. */
function mainOf(installations: readonly Installation[], kind: EnvironmentKind): Installation | undefined {
  const hasGpuPackages = ({ requirements }: Installation) => requirements.some(({ name }) => isForGpus(name));
  return kind === 'dockerfile'
    ? (installations.findLast(hasGpuPackages) ?? installations.at(-1))
    : (installations.find(hasGpuPackages) ?? installations[0]);
}

/** The name on PyPI of a conda package that a plan knows; undefined for other packages, which stay with conda. */
function plannedFromConda(name: string): string | undefined {
  const known = packageOfConda(name)?.name;
  if (known !== undefined || isCondaNameOfPackage(name) || comesWithBuilds(name)) return known ?? name;
  return knownPackage(name)?.by_name ? name : undefined;
}

/** A version in conda's syntax: "0.22.*", ">=3.9", or "*" for any. */
function condaVersionOf(specifier: string | undefined): string {
  if (specifier === undefined || specifier === '') return '*';
  return specifier.replace(/^==(.*\.\*)$/, '$1');
}

function reasonOfOrigin(origin: string, file: string): string {
  if (/^git\+|\.git(?:@|$)|^git@|^hg\+|^svn\+/.test(origin))
    return `${file} takes it from a repository: install it after the plan`;
  if (/^[\w+]+:\/\//.test(origin)) return `${file} takes it from a URL: install it after the plan`;
  return `${file} takes it from a folder: install it after the plan`;
}

/** True if the condition holds for some Python and not for another one. */
function dependsOnPython(marker: string, system: WheelSystem | undefined): boolean {
  if (!/python_(?:full_)?version/.test(marker)) return false;
  const systems = system === undefined ? WHEEL_SYSTEMS : [system];
  const [python = ''] = preferredPythons();
  return systems.every((each) => markerHolds(marker, { system: each, python }) !== undefined);
}

/** Requirements of optional groups, which are selected by name. */
function ofGroups(
  installations: readonly Installation[],
  main: Installation | undefined,
  kind: EnvironmentKind,
  file: string,
): LeftOut[] {
  if (!WITH_GROUPS.includes(kind)) return [];
  const own = new Set(main?.requirements.map(({ name }) => name));
  const others = installations.flatMap(({ requirements }) => requirements.map(({ name }) => name));
  return [...new Set(others)]
    .filter((name) => !own.has(name))
    .map((requirement) => ({ requirement: normalized(requirement), reason: `it is in an optional group of ${file}` }));
}

/** Lists and files that cannot be read. */
function unreadIn(
  included: readonly { readonly path: string; readonly text: string | undefined }[],
  main: Installation | undefined,
  file: string,
): LeftOut[] {
  const missing = included.filter((each) => each.text === undefined);
  if (missing.length > 0)
    return missing.map(({ path }) => ({ requirement: path, reason: `${file} names it, but it cannot be read` }));
  // Each `-e` is listed by itself.
  const isListed = (main?.unnamed ?? []).length > 0;
  return main?.isPartial && !isListed
    ? [{ requirement: 'other files', reason: `${file} refers to them, but they cannot be read` }]
    : [];
}
