/** The newest framework releases in the tables. Tests use these, so that new releases require no changes. */
import { torchFamilyReleases } from '../server/src/published/releases/torchCompanions.ts';
import { torchReleases } from '../server/src/published/releases/torchReleases.ts';

/** The newest torch, or the newest one with a build such as "cu126" or "rocm7.14": "2.15.0". */
export function newestTorch(tag?: string): string {
  const has = ({ builds, rocm }: ReturnType<typeof torchReleases>[number]) =>
    tag === undefined || builds.has(tag) || rocm.includes(tag.replace(/^rocm/, ''));
  return torchReleases().findLast(has)?.versions.at(-1) ?? '';
}

/** The newest ROCm for which torch has a build, as its tag: "rocm7.14". */
export function newestRocm(): string {
  return `rocm${torchReleases()
    .findLast(({ rocm }) => rocm.length > 0)
    ?.rocm.at(-1)}`;
}

/** PyPI's build of the newest torch: "cu132". */
export function newestBuild(): string {
  return torchReleases().at(-1)?.pypi ?? '';
}

/** The minor release of a package released with a torch: "0.29" for torchvision. */
export function companionOf(torch: string, name: 'torchvision' | 'torchaudio'): string {
  const own =
    torchFamilyReleases()
      .find((release) => release.torch === torch)
      ?.[name].at(-1) ?? '';
  return own.split('.').slice(0, 2).join('.');
}
