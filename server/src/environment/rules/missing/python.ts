import { wheelsFor } from '../../../fit/wheelTags.ts';
import { knownPackage } from '../../../published/knownPackages.ts';
import { type PublishedRelease, type Pythons, publishedReleases } from '../../../published/releases/publishedWheels.ts';
import { lastEndedPython } from '../../../published/releases/pythonReleases.ts';
import { isAtMost } from '../../../published/versions.ts';
import { memoize } from '../../../python/semantic/memoize.ts';
import type { Knowledge } from '../../../rules/engine/contract.ts';
import { message } from '../../../rules/engine/message.ts';
import type { EnvironmentFile, EnvironmentKind, Installation, Requirement } from '../../environmentFile.ts';
import { systemsOf } from '../../markers.ts';
import { admits, minorsOf } from '../../versions.ts';
import { quotedName, requiredHere } from '../requirements.ts';
import { isPublic, type Missing } from './system.ts';

/** Reports a Python version for which the release has no wheels. */
export function missingPython(
  requirement: Requirement,
  { python }: Pick<Installation, 'python'>,
  note = '',
): Missing | undefined {
  const releases = releasesOf(requirement);
  if (python === undefined || python.isOfImage || releases.length === 0) return undefined;
  const minors = minorsOf(python.specifier);
  const systems = systemsOf(requirement.marker);
  const ranges = releases.flatMap(({ wheels }) =>
    [...wheels].flatMap(([system, range]) => (systems?.includes(system) === false ? [] : [range])),
  );
  const isNewest = releases.at(-1) === publishedReleases(requirement.name)?.at(-1);
  if (wheelsFor(ranges, minors, isNewest).fit !== 'fails') return undefined;
  const stated = `3.${minors[0]}${minors.length > 1 ? ' and newer' : ''}`;
  return {
    message: message`${quotedName(requirement)} has no wheels for Python ${stated}${note}, only for ${described(hullOf(ranges))}.`,
    related: [{ span: python.span, message: 'Python is chosen here.' }],
  };
}

/** Reports a release without wheels for the selected Python, in a file that states none. */
export function missingHere(
  requirement: Requirement,
  { python }: Installation,
  { kind }: EnvironmentFile,
  known: Knowledge | undefined,
): Missing | undefined {
  if (known?.python === undefined || python !== undefined || !OF_ONE_PYTHON.includes(kind)) return undefined;
  if (requirement.marker !== '' || requirement.pin === undefined) return undefined;
  const here = { specifier: `==${known.python}.*`, span: requirement.span };
  const missing = missingPython(requirement, { python: here }, ', which is selected here');
  return missing && { ...missing, severity: 'information', related: [] };
}

/**
 * Reports two pinned packages that do not support any common Python version. If the file states a Python version, each
 * package is compared with that instead.
 */
export function withoutCommonPython(
  requirement: Requirement,
  { requirements, python }: Installation,
  { kind }: EnvironmentFile,
): Missing | undefined {
  // The commands of an image may be for several Python versions.
  if (python !== undefined || kind === 'dockerfile' || kind === 'devcontainer') return undefined;
  const own = pinnedPythons(requirement);
  if (own === undefined) return undefined;
  for (const other of requirements) {
    if (other === requirement) return undefined;
    const its = isFamily(other) && isFamily(requirement) ? undefined : pinnedPythons(other);
    if (its === undefined || (own[0] <= its[1] && its[0] <= own[1])) continue;
    return {
      message: message`No Python has wheels for both ${quotedName(requirement)} (${described(own)}) and ${quotedName(other)} (${described(its)}).`,
      related: [requiredHere(other)],
    };
  }
  return undefined;
}

/** Files that are installed as a whole into one Python. */
const OF_ONE_PYTHON: readonly EnvironmentKind[] = [
  'requirements',
  'requirementsIn',
  'pyproject',
  'pipfile',
  'setupCfg',
  'setupPy',
];

/**
 * Reports a framework whose wheels are all for Python versions past their end of life, if the file does not state a
 * Python version.
 */
export function endedPythons(
  requirement: Requirement,
  { requirements, python }: Installation,
  { kind }: EnvironmentFile,
): Missing | undefined {
  if (python !== undefined || !OF_ONE_PYTHON.includes(kind) || !isEnded(requirement)) return undefined;
  // Only the first one is reported.
  if (requirements.find(isEnded) !== requirement) return undefined;
  const ranges = releasesOf(requirement).flatMap(({ wheels }) => [...wheels.values()]);
  return {
    message: message`${quotedName(requirement)} has wheels only for Python ${described(hullOf(ranges))}, which have reached end of life.`,
    severity: 'information',
  };
}

function isEnded(requirement: Requirement): boolean {
  if (!knownPackage(requirement.name)?.wheel_per_python || requirement.manager !== 'pip') return false;
  if (requirement.specifier === '' || requirement.marker !== '' || requirement.url !== undefined) return false;
  const ranges = releasesOf(requirement).flatMap(({ wheels }) => [...wheels.values()]);
  return ranges.length > 0 && ranges.every(([, newest]) => isAtMost(`3.${newest}`, lastEndedPython()));
}

/** True for packages that GPU601 compares with each other. */
function isFamily({ name }: Requirement): boolean {
  return name === 'torch' || knownPackage(name)?.released_with === 'torch';
}

/** Cached, since each requirement is compared with many others. */
const pinnedPythons = memoize((requirement: Requirement): Pythons | undefined => {
  const { manager, pin, url, marker } = requirement;
  if (manager !== 'pip' || pin === undefined || url !== undefined || marker !== '') return undefined;
  const ranges = releasesOf(requirement).flatMap(({ wheels }) => [...wheels.values()]);
  return ranges.length === 0 ? undefined : hullOf(ranges);
});

/** Returns the allowed releases; none if one can be compiled, or if another index may have more. */
function releasesOf({ name, specifier, marker, sources }: Requirement): PublishedRelease[] {
  if (specifier === undefined || /python/.test(marker) || sources.some(({ url }) => !isPublic(url))) return [];
  const admitted = (publishedReleases(name) ?? []).filter(({ version }) => admits(specifier, version));
  return admitted.some(({ hasSource }) => hasSource) ? [] : admitted;
}

function hullOf(ranges: readonly Pythons[]): Pythons {
  return [Math.min(...ranges.map(([from]) => from)), Math.max(...ranges.map(([, to]) => to))];
}

function described([oldest, newest]: Pythons): string {
  if (newest === Infinity) return `3.${oldest} and newer`;
  return oldest === newest ? `3.${oldest}` : `3.${oldest} to 3.${newest}`;
}
