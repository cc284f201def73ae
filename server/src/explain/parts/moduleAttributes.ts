import { packagesWith } from '../../published/knownPackages.ts';

/** For an `attribute` of a module: `torchBelow` or `timmBelow`, the release that added it. */
export function attributeParts({ attribute = '' }: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    packagesWith('attributes').flatMap(({ name, file }) => {
      const release = Object.hasOwn(file.attributes ?? {}, attribute) ? file.attributes?.[attribute] : undefined;
      return release === undefined ? [] : [[`${name}Below`, release]];
    }),
  );
}
