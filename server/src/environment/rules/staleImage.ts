import { staleImages } from '../catalogue/staleImages.ts';
import type { Image } from '../environmentFile.ts';
import { admits } from '../versions.ts';
import type { EnvironmentRule } from './environmentRule.ts';

/** GPU609: a base image that is gone, and a key of NVIDIA's repository that was replaced. */
export const staleImage: EnvironmentRule = {
  code: 'GPU609',
  name: 'stale-image',
  summary: 'A base image is gone, or apt refuses the repository of NVIDIA in it.',
  reports: 'base images that are gone, and those in which apt refuses the repository of NVIDIA',
  severity: 'warning',
  check({ image }, report) {
    if (image === undefined) return;
    const { repository, tag } = partsOf(image.text);
    const gone = staleImages().gone.find((row) => row.repository === repository && isWhole(row.tag, tag));
    if (gone !== undefined) {
      const instead = gone.instead === undefined ? '' : `, such as \`${gone.instead}\``;
      report({ span: image.span, level: 'flag', message: `\`${image.text}\` ${gone.why}${instead}.` });
    } else if (hasOldKey(image)) {
      const { updatesPackages } = image;
      if (updatesPackages !== undefined)
        report({
          span: updatesPackages,
          level: 'flag',
          message: `\`apt-get update\` fails: the image is from before NVIDIA replaced the key of its repository in April 2022. Remove that repository, or fetch its new key \`3bf863cc.pub\`, first.`,
          related: [{ span: image.span, message: 'The image' }],
        });
    }
    if (image.oldKey !== undefined)
      report({
        span: image.oldKey,
        level: 'flag',
        message:
          'NVIDIA replaced this key in April 2022, and apt refuses what the new one signs: install `cuda-keyring`, or fetch `3bf863cc.pub`.',
      });
  },
};

function partsOf(name: string): { readonly repository: string; readonly tag: string } {
  const [, repository = '', tag = ''] = /^(?:docker\.io\/)?([^:@]+)(?::([^@]*))?$/.exec(name) ?? [];
  return { repository, tag };
}

function isWhole(pattern: string, text: string): boolean {
  return new RegExp(`^(?:${pattern})$`).test(text);
}

function hasOldKey({ text }: Image): boolean {
  const { repository, tag } = partsOf(text);
  return staleImages().old_keys.some((row) => {
    const version = row.repository === repository ? new RegExp(`^(?:${row.tag})$`).exec(tag)?.[1] : undefined;
    return version !== undefined && admits(row.versions, version);
  });
}
