import { gpuPackages } from '../../../published/gpuPackages.ts';
import { isTorchCompanion, torchFamilyReleases } from '../../../published/releases/torchCompanions.ts';
import { message } from '../../../rules/engine/message.ts';
import type { Requirement } from '../../environmentFile.ts';
import { knownImage } from '../../image.ts';
import { isOpenAbove } from '../../ranges.ts';
import { admits } from '../../versions.ts';
import { quotedName, requirementsNamed } from '../requirements.ts';
import { impliedTorch } from '../torchPinners.ts';
import type { Contradiction } from './contradiction.ts';

/** Reports a package that makes pip replace the base image's torch. */
export const replacedInImage: Contradiction = ({ image, requirements, ...rest }, report) => {
  const known = image && knownImage(image.text);
  if (image === undefined || known === undefined || !/pytorch$/.test(known.maker)) return;
  if (
    image.uninstalled?.includes('torch') ||
    requirementsNamed({ ...rest, requirements }, 'torch').some(({ pin }) => pin)
  )
    return;
  const found = requirements.flatMap((each) => {
    const needed = torchNeeded(each);
    return needed === undefined || isSame(needed, known.version) ? [] : [{ each, needed }];
  });
  const [first] = found;
  if (first === undefined) return;
  const own =
    known.version === undefined ? 'the torch that NVIDIA built for this image' : `the image's torch ${known.version}`;
  report({
    span: first.each.span,
    level: 'flag',
    message: message`pip replaces ${own} with torch ${first.needed}, which ${quotedName(first.each)} needs.`,
    related: [{ span: image.span, message: 'The image is chosen here.' }],
  });
};

/**
 * Returns the torch version that a package's metadata requires; for an unpinned package, the metadata of its newest
 * release.
 */
function torchNeeded(requirement: Requirement): string | undefined {
  const { name, manager, pin, specifier, isUpgrade } = requirement;
  if (manager !== 'pip' || requirement.marker !== '') return undefined;
  const implied = impliedTorch(requirement)?.pin?.text;
  if (implied !== undefined) return implied;
  const releases = torchFamilyReleases();
  // The image includes these packages, so only a pin or an upgrade replaces them.
  if (isTorchCompanion(name))
    return pin && releases.findLast((each) => each[name].some((version) => admits(specifier, version)))?.torch;
  const newest = releases.at(-1)?.torch;
  if (name === 'torch') return isUpgrade && isOpenAbove(requirement) ? newest : undefined;
  const last = gpuPackages().torch.findLast((row) => row.name === name);
  return last && isOpenAbove(requirement) ? /^==([\d.]+)$/.exec(last.needs)?.[1] : undefined;
}

/** NVIDIA's own builds have different version numbers. */
function isSame(torch: string, inImage: string | undefined): boolean {
  return (
    inImage !== undefined && (torch === inImage || torch.startsWith(`${inImage}.`) || inImage.startsWith(`${torch}.`))
  );
}
