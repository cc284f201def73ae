/** The relation between what a container image brings, by its name and tag, and what is needed in it. */
import { knownImage } from '../published/images.ts';
import { cudaBeside } from './cudaFamily.ts';
import type { Fit } from './relation.ts';

/** Returns whether an image brings the torch, or a CUDA, that a version is compatible with. */
export function imageFor(image: string, part: 'torch' | 'cuda', needed: string): Fit<{ readonly brings: string }> {
  const { maker, version, cuda } = knownImage(image) ?? {};
  // NVIDIA's own builds have version numbers of their own.
  const ownTorch = maker === 'pytorch' ? version : undefined;
  const brings = part === 'cuda' ? cuda : ownTorch;
  if (brings === undefined) return { fit: 'unknown', missing: `the ${part} of the image` };
  if (part === 'cuda') return { fit: cudaBeside(needed, brings).fit === 'fails' ? 'fails' : 'holds', brings };
  const isSame = needed === brings || needed.startsWith(`${brings}.`) || brings.startsWith(`${needed}.`);
  return { fit: isSame ? 'holds' : 'fails', brings };
}
