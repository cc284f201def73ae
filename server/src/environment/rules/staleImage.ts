import { knownImage, systemOfImage } from '../../published/images.ts';
import { cudaOfTag, torchReleaseOf, torchReleases } from '../../published/releases/torchReleases.ts';
import { fitted, message, quoted } from '../../rules/engine/message.ts';
import { staleImages } from '../catalogue/catalogue.ts';
import type { Image } from '../environmentFile.ts';
import { admits } from '../versions.ts';
import type { EnvironmentRule } from './environmentRule.ts';

/** GPU609: a base image that was removed, and an old key of NVIDIA's repository. */
export const staleImage: EnvironmentRule = {
  code: 'GPU609',
  name: 'stale-image',
  summary: "A base image does not exist, or apt rejects NVIDIA's repository or finds no such Python in it.",
  reports: "base images that do not exist, or in which apt rejects NVIDIA's repository or finds no such Python",
  severity: 'warning',
  check({ image }, report) {
    if (image === undefined) return;
    const { repository, tag } = partsOf(image.text);
    const removed = staleImages().removed.find((row) => row.repository === repository && isWhole(row.tag, tag));
    if (removed !== undefined) {
      const instead = removed.instead === undefined ? '' : `, such as \`${removed.instead}\``;
      report({
        span: image.span,
        level: 'flag',
        message: naming(image, `${removed.why}${instead}`),
      });
    } else if (unbuilt(image.text) !== undefined) {
      report({ span: image.span, level: 'flag', message: naming(image, `does not exist: ${unbuilt(image.text)}`) });
    } else if (hasOldKey(image)) {
      const { updatesPackages } = image;
      if (updatesPackages !== undefined)
        report({
          span: updatesPackages,
          level: 'flag',
          message:
            '`apt-get update` fails: this image has an old NVIDIA key. First fetch `3bf863cc.pub` or remove the repository.',
          related: [{ span: image.span, message: "The image is older than NVIDIA's key change of April 2022." }],
        });
    }
    const python = systemOfImage(image.text)?.python;
    if (image.missingPython !== undefined && python !== undefined)
      report({
        span: image.missingPython.span,
        level: 'flag',
        message: message`apt finds no ${quoted(`\`${image.missingPython.text}\``)}: this image's system has Python ${python}. Add a repository that has it.`,
      });
    if (image.oldKey !== undefined)
      report({
        span: image.oldKey,
        level: 'flag',
        message:
          'apt rejects NVIDIA packages: this key was replaced in April 2022. Install `cuda-keyring`, or fetch `3bf863cc.pub`.',
      });
  },
};

const naming = ({ text }: Image, predicate: string): string =>
  fitted(`\`${text}\` ${predicate}.`, `This image ${predicate}.`);

function partsOf(name: string): { readonly repository: string; readonly tag: string } {
  const [, repository = '', tag = ''] = /^(?:docker\.io\/)?([^:@]+)(?::([^@]*))?$/.exec(name) ?? [];
  return { repository, tag };
}

function isWhole(pattern: string, text: string): boolean {
  return new RegExp(`^(?:${pattern})$`).test(text);
}

/** A clause that says why PyTorch has no such image; undefined if it may have one. */
function unbuilt(name: string): string | undefined {
  const { maker, version, cuda } = knownImage(name) ?? {};
  const release = maker === 'pytorch' && version !== undefined ? torchReleaseOf(version) : undefined;
  if (release === undefined || cuda === undefined || release === torchReleases().at(-1)) return undefined;
  const built = [...release.builds.keys()].map(cudaOfTag);
  return built.includes(cuda) ? undefined : `torch ${release.torch} was built for CUDA ${built.join(', ')}`;
}

function hasOldKey({ text }: Image): boolean {
  const { repository, tag } = partsOf(text);
  return staleImages().old_keys.some((row) => {
    const version = row.repository === repository ? new RegExp(`^(?:${row.tag})$`).exec(tag)?.[1] : undefined;
    return version !== undefined && admits(row.versions, version);
  });
}
