import { excludesNumpy2, isOfNumpy1 } from '../../fit/numpyAbi.ts';
import { publishedFor } from '../../fit/publishedRequirement.ts';
import { type Clash, clashFor } from '../../fit/versionClash.ts';
import { gpuPackages } from '../../published/gpuPackages.ts';
import { isBareImage } from '../../published/images.ts';
import { condaNameOf, knownPackage, withEditions } from '../../published/knownPackages.ts';
import { publishedReleases } from '../../published/releases/publishedWheels.ts';
import { knowsRequirements } from '../../published/releases/requirements.ts';
import { liesWithin } from '../../published/specifier.ts';
import { compareVersions } from '../../published/versions.ts';
import type { Fix } from '../../rules/edits/fix.ts';
import { message, quoted } from '../../rules/engine/message.ts';
import type { EnvironmentFile, Installation, Requirement } from '../environmentFile.ts';
import { mayMeet } from '../markers.ts';
import { isOpenAbove, reachesNewest } from '../ranges.ts';
import { admits, minorsOf } from '../versions.ts';
import type { EnvironmentRule } from './environmentRule.ts';
import { firstOfEach, pinFix, quotedName, requiredHere, requirementsNamed } from './requirements.ts';
import { impliedTorch } from './torchPinners.ts';

/** GPU606: packages in versions that can be installed together but do not work together. */
export const incompatibleVersions: EnvironmentRule = {
  code: 'GPU606',
  name: 'incompatible-versions',
  summary: 'The required versions of some packages do not work together.',
  reports: 'incompatible versions: NumPy 2 with a torch built for NumPy 1, Keras 3 with add-ons for Keras 2',
  severity: 'warning',
  check(installation, report, file) {
    newerJaxlib(installation, report);
    const refused = refusedByMetadata(installation, report);
    const seen = new Set<string>();
    for (const row of gpuPackages().clashes) {
      for (const other of othersOf(row, installation)) {
        const found = clashOf(row, other, installation, file);
        // Only the first of several entries about one package is reported.
        const key = found && `${found.isCertain ? found.at.span.start : ''} ${row.name}`;
        if (found === undefined || key === undefined || seen.has(key)) continue;
        const { at, isCertain } = found;
        // pip's refusal says the same.
        if (refused.has(`${at.span.start} ${other.name}`)) continue;
        seen.add(key);
        const related = at === other ? [] : [requiredHere(other)];
        report({
          span: at.span,
          level: row.severity === 'information' ? 'hint' : 'flag',
          ...(!isCertain && { severity: 'information' as const }),
          message: found.message,
          related,
          fixes: () => fixesOf(row, at, file),
        });
      }
    }
  },
};

/**
 * Returns the requirements for the other package. If there is none for torch, the torch that a pinned package requires
 * counts.
 */
function othersOf({ with: owner }: Clash, installation: Installation): Requirement[] {
  const found = namesOf(owner).flatMap((name) => requirementsNamed(installation, name));
  if (owner !== 'torch' || found.some(({ pin }) => pin !== undefined)) return found;
  return installation.requirements.flatMap((each) => impliedTorch(each) ?? []);
}

/** Returns the names under which a package is required. */
function namesOf(name: string): readonly string[] {
  const ofConda = condaNameOf(name);
  return [...withEditions(name), ...(ofConda === undefined ? [] : [ofConda])];
}

/** Reports a jaxlib that is newer than JAX, which JAX rejects. */
function newerJaxlib(installation: Installation, report: Parameters<EnvironmentRule['check']>[1]): void {
  const [jax] = requirementsNamed(installation, 'jax');
  const [jaxlib] = requirementsNamed(installation, 'jaxlib');
  if (!jax?.pin || !jaxlib?.pin || !mayMeet(jax.marker, jaxlib.marker)) return;
  if (compareVersions(jaxlib.pin.text, jax.pin.text) <= 0) return;
  report({
    span: jaxlib.span,
    level: 'flag',
    message: message`\`import jax\` fails: ${quotedName(jaxlib)} is newer than ${quotedName(jax)}.`,
    related: [requiredHere(jax)],
    fixes: () => pinFix(jaxlib, jax.pin?.text),
  });
}

/** Reports versions in one list or command that pip refuses, and returns their places and the requiring packages. */
function refusedByMetadata({ requirements }: Installation, report: Parameters<EnvironmentRule['check']>[1]) {
  const refused = new Set<string>();
  const listed = requirements.filter(
    ({ manager, url, isAlone, marker }) => manager === 'pip' && url === undefined && !isAlone && marker === '',
  );
  for (const by of firstOfEach(listed)) {
    const version = by.pin?.text;
    if (version === undefined || !knowsRequirements(by.name)) continue;
    for (const on of listed) {
      if (!on.specifier || on.command !== by.command) continue;
      const found = publishedFor({ name: by.name, version }, { name: on.name, specifier: on.specifier });
      if (found.fit !== 'fails') continue;
      refused.add(`${on.span.start} ${by.name}`);
      report({
        span: on.span,
        level: 'flag',
        message: message`pip refuses ${quotedName(on)}: ${quotedName(by)} requires ${quoted(`\`${found.required}\``)}.`,
        related: [requiredHere(by)],
      });
    }
  }
  return refused;
}

interface FoundClash {
  /** The requirement to change. */
  readonly at: Requirement;
  /** False if the newest release is installed unless something else prevents it. */
  readonly isCertain: boolean;
  readonly message: string;
}

function clashOf(
  row: Clash,
  other: Requirement,
  installation: Installation,
  { kind }: EnvironmentFile,
): FoundClash | undefined {
  const isOther = liesWithin(other.specifier, row.than);
  if (!isOther && !(isOpenAbove(other) && reachesNewest(row.than))) return undefined;
  const others = { specifier: isOther ? (other.specifier ?? '') : row.than };
  const own = requirementsNamed(installation, row.name).find((each) => mayMeet(each.marker, other.marker));
  // Without newer releases, an open requirement selects one of these.
  const owns = row.ended && own && isOpenAbove(own) ? row.versions : own?.specifier;
  const isListed = own !== undefined && own.url === undefined && owns !== undefined;
  if (isListed && clashFor(row, { specifier: owns }, others).fit === 'fails')
    return {
      at: own,
      isCertain: isOther,
      message: message`${row.fails} with ${quotedName(own)} and ${quotedName(other)}: use \`${row.want}\`.`,
    };
  const isOpen = own === undefined ? isInstalledAlong(row, other, installation) : isOpenAbove(own);
  if (!isOpen || !isOther || !reachesNewest(row.versions) || other.manager !== 'pip') return undefined;
  if (row.severity === 'information' || isExcluded(row, other, installation)) return undefined;
  if (hasPreinstalledPackages(installation, kind) || /[a-z]/.test(other.pin?.text ?? '')) return undefined;
  return {
    at: own ?? other,
    isCertain: false,
    message: message`${row.fails} with ${quotedName(other)} and the newest ${row.name}: ${own === undefined && row.want.startsWith(row.name) ? 'add' : 'use'} \`${row.want}\`.`,
  };
}

/**
 * True if the newest release of a package is installed although it is not required by name; torch itself does not
 * require NumPy.
 */
function isInstalledAlong({ name, with: owner }: Clash, other: Requirement, installation: Installation): boolean {
  const pulls = (each: string) => knownPackage(each)?.pulls_in?.includes(name) === true;
  if (other.url !== undefined || pulls(owner)) return other.url === undefined;
  if (other.extras.length > 0 || (name !== 'numpy' && name !== 'protobuf')) return false;
  return owner !== 'torch' || installation.requirements.some((each) => each.manager === 'pip' && pulls(each.name));
}

/**
 * True if packages with unknown versions are installed before pip runs; pip keeps those that satisfy the requirements.
 */
function hasPreinstalledPackages(
  { image, requirements, isIntoOther }: Installation,
  kind: EnvironmentFile['kind'],
): boolean {
  if (kind === 'notebook' || kind === 'shell' || isIntoOther || (image && !isBareImage(image.text))) return true;
  return requirements.some(({ name, manager }) => manager === 'conda' && name !== 'python' && name !== 'pip');
}

/** True if metadata or the Python version exclude the newest release. */
function isExcluded(row: Clash, other: Requirement, { requirements, python }: Installation): boolean {
  const { name, since_python: since } = row;
  const ofPypi = requirements.filter(({ manager, url }) => manager === 'pip' && url === undefined);
  if (isOfNumpy1(row) && ofPypi.some((each) => excludesNumpy2(each.name, each.specifier))) return true;
  const keeping = gpuPackages().clashes.filter((row) => row.name === name);
  const isKept = keeping.some(({ with: owner, kept_away: kept = [] }) =>
    requirements.some(
      (each) => namesOf(owner).includes(each.name) && kept.some((range) => liesWithin(each.specifier, range)),
    ),
  );
  if (isKept || since === undefined) return isKept;
  const lowest = Number(since.split('.')[1]);
  if (python !== undefined && minorsOf(python.specifier).every((minor) => minor < lowest)) return true;
  const known = publishedReleases(other.name) ?? [];
  const wheels = known.filter(({ version }) => admits(other.specifier, version));
  // Unpublished versions are not installed at all.
  if (known.length > 0 && wheels.length === 0) return true;
  return wheels.length > 0 && wheels.every((each) => [...each.wheels.values()].every(([, newest]) => newest < lowest));
}

/** Returns the fix that adds a version bound to an unpinned package in a requirement list. */
function fixesOf(
  { name, want }: Clash,
  { span, specifier, extras, marker, name: own }: Requirement,
  { kind }: EnvironmentFile,
): Fix[] {
  const isList = kind === 'requirements' || kind === 'requirementsIn';
  if (!isList || own !== name || specifier !== '' || extras.length > 0 || marker !== '' || !want.startsWith(`${name}<`))
    return [];
  return [{ title: `Replace with \`${want}\``, tier: 'suggestion', edits: [{ span, newText: want }] }];
}
