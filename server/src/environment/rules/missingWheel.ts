import { compareVersions } from '../../stack/releases/cudaDriver.ts';
import { tensorflowReleases } from '../../stack/releases/tensorflowReleases.ts';
import { cudaOfTag, type TorchRelease, torchReleaseOf, torchReleases } from '../../stack/releases/torchReleases.ts';
import type { Installation, Requirement } from '../environmentFile.ts';
import { torchBuildOf } from '../torchBuild.ts';
import { admits } from '../versions.ts';
import type { EnvironmentRule } from './environmentRule.ts';
import { pinFix, wanted } from './requirements.ts';

/** GPU604: versions that were never published, for CUDA, for the stated Python or for the stated system. */
export const missingWheel: EnvironmentRule = {
  code: 'GPU604',
  name: 'missing-wheel',
  summary: 'There is no wheel for what is asked for: not of that version, that CUDA, that Python or that system.',
  reports: 'no wheel of that version, for that CUDA, Python or system',
  severity: 'warning',
  check(installation, report) {
    for (const requirement of installation.requirements) {
      if (requirement.manager !== 'pip' || requirement.url !== undefined) continue;
      const missing =
        missingRelease(requirement) ?? missingBuild(requirement) ?? missingPython(requirement, installation);
      const message = missing?.message ?? onAppleSystems(requirement);
      if (message === undefined) continue;
      const related = missing?.related ?? [];
      report({
        span: requirement.span,
        verdict: 'flag',
        message,
        related,
        fixes: () => pinFix(requirement, missing?.version),
      });
    }
  },
};

interface Missing {
  readonly message: string;
  /** What there is instead. */
  readonly version?: string;
  readonly related?: { span: Requirement['span']; message: string }[];
}

/** A patch that there is none of. The newest release may have got one since. */
function missingRelease({ name, pin, sources }: Requirement): Missing | undefined {
  if (name !== 'torch' || pin === undefined || !/^\d+\.\d+\.\d+$/.test(pin.text)) return undefined;
  const release = torchReleaseOf(pin.text);
  if (!release || isNewest(release) || sources.some(({ url }) => !isPublic(url))) return undefined;
  if (release.versions.includes(pin.text)) return undefined;
  const last = release.versions.at(-1);
  return { message: `There is no torch ${pin.text}: the last of ${release.torch} is ${last}.`, version: last ?? '' };
}

function isNewest(release: TorchRelease): boolean {
  return release === torchReleases().at(-1);
}

function isPublic(url: string): boolean {
  return /(?:download(?:-r2)?\.pytorch\.org\/whl\/(?!nightly|test)|pypi\.org)/.test(url);
}

/** A CUDA that is older or newer than all that the release was built for: some builds in between are not announced. */
function missingBuild(requirement: Requirement): Missing | undefined {
  const { name, pin, sources } = requirement;
  const build = torchBuildOf(requirement);
  const release = name === 'torch' && pin ? torchReleaseOf(pin.text) : undefined;
  if (!build || !release || isNewest(release) || !/^cu\d+$/.test(build.tag)) return undefined;
  const isOnlySource = !build.isIndex || sources.some(({ kind, span }) => kind === 'index' && span === build.span);
  const tags = [...release.builds.keys()].map(cudaOfTag).sort(compareVersions);
  const cuda = cudaOfTag(build.tag);
  const isBetween = compareVersions(cuda, tags[0] ?? cuda) >= 0 && compareVersions(cuda, tags.at(-1) ?? cuda) <= 0;
  if (!isOnlySource || isBetween || sources.some(({ url }) => !isPublic(url))) return undefined;
  return {
    message: `There is no torch ${pin?.text} for CUDA ${cuda}: PyTorch has it for ${tags.join(', ')}.`,
    related: build.isIndex ? [{ span: build.span, message: 'The index' }] : [],
  };
}

/** A Python that the release has no wheels for. */
function missingPython(requirement: Requirement, { python }: Installation): Missing | undefined {
  if (python === undefined || /python/.test(requirement.marker)) return undefined;
  const rows = pythonsOf(requirement);
  const newest = rows.at(-1);
  const pythons = PYTHONS.filter((each) => admits(python.specifier, `${each}.20`));
  const [first] = pythons;
  if (newest === undefined || first === undefined) return undefined;
  const hasWheel = rows.some((row) => pythons.some((each) => isWithin(each, row.python)));
  // What is newer than the table may have wheels by now.
  if (hasWheel || (newest.isLast && compareVersions(first, newest.python[1]) > 0)) return undefined;
  const isTooOld = compareVersions(first, newest.python[0]) < 0;
  const [oldest, latest] = (isTooOld ? rows[0] : newest)?.python ?? newest.python;
  return {
    message: `${wanted(requirement)} has no wheels for Python ${first}${pythons.length > 1 ? ' and newer' : ''}: there are some for ${oldest} to ${latest}.`,
    related: [{ span: python.span, message: 'The Python' }],
  };
}

/** The Pythons that there have been wheels for. */
const PYTHONS = Array.from({ length: 15 }, (_, minor) => `3.${minor + 4}`);

interface Row {
  readonly python: readonly [oldest: string, newest: string];
  readonly isLast: boolean;
}

/** The releases that are let through, the oldest first. */
function pythonsOf({ name, specifier }: Requirement): Row[] {
  if (specifier === undefined) return [];
  if (name === 'torch')
    return torchReleases()
      .filter(({ versions }) => versions.some((version) => admits(specifier, version)))
      .map((release) => ({ python: release.python, isLast: isNewest(release) }));
  if (!['tensorflow', 'tensorflow-gpu', 'tensorflow-cpu'].includes(name)) return [];
  const [last] = tensorflowReleases();
  return tensorflowReleases()
    .filter(({ tensorflow }) =>
      Array.from({ length: 6 }, (_, patch) => `${tensorflow}.${patch}`).some((version) => admits(specifier, version)),
    )
    .map((release) => ({ python: release.python, isLast: release === last }))
    .reverse();
}

function isWithin(python: string, [oldest, newest]: Row['python']): boolean {
  return compareVersions(python, oldest) >= 0 && compareVersions(python, newest) <= 0;
}

/** CUDA under a condition that is true on macOS alone. */
function onAppleSystems({ name, marker, local }: Requirement): string | undefined {
  const isApple = /^\(?\s*(?:sys_platform\s*==\s*["']darwin["']|platform_system\s*==\s*["']Darwin["'])[^|]*$/.test(
    marker,
  );
  if (!isApple || / or /.test(marker)) return undefined;
  if (local && /^cu\d+$/.test(local.text)) return `There is no ${name} for CUDA on macOS.`;
  return /^nvidia-.*-cu\d\d$/.test(name) ? `There is no \`${name}\` for macOS.` : undefined;
}
