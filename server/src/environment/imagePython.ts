import { pythonInImage } from '../published/images.ts';
import type { SpannedText, VersionRange } from './environmentFile.ts';

/** Returns the Python that commands use in an image with these system packages, if it is known. */
export function pythonOfImage(
  { text, span }: SpannedText,
  packages: readonly SpannedText[] = [],
): VersionRange | undefined {
  const version = pythonInImage(
    text,
    packages.map((each) => each.text),
  );
  return version === undefined ? undefined : { specifier: `==${version}.*`, span };
}
