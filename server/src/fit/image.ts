/** The relation between what a container image brings, by its name and tag, and what is needed in it. */
import { knownImage, pythonInImage } from '../published/images.ts';
import { overlap } from '../published/specifier.ts';
import { cudaBeside } from './cudaFamily.ts';
import type { Fit } from './relation.ts';

/** A framework, its CUDA, or Python. */
type ImagePart = 'torch' | 'tensorflow' | 'cuda' | 'python';

/** Returns whether an image brings what a version, or a range of Python, is compatible with; `packages` are the system's. */
export function imageFor(
  image: string,
  part: ImagePart,
  needed: string,
  packages: readonly string[] = [],
): Fit<{ readonly brings: string }> {
  const brings = part === 'python' ? pythonInImage(image, packages) : broughtBy(image, part);
  if (brings === undefined) return { fit: 'unknown', missing: `the ${part} of the image` };
  if (part === 'cuda') return { fit: cudaBeside(needed, brings).fit === 'fails' ? 'fails' : 'holds', brings };
  if (part === 'python') return { fit: overlap(`==${brings}.*`, needed) ? 'holds' : 'fails', brings };
  const isSame = needed === brings || needed.startsWith(`${brings}.`) || brings.startsWith(`${needed}.`);
  return { fit: isSame ? 'holds' : 'fails', brings };
}

/** NVIDIA's own builds have version numbers of their own. */
function broughtBy(image: string, part: 'torch' | 'tensorflow' | 'cuda'): string | undefined {
  const { maker, version, cuda } = knownImage(image) ?? {};
  if (part === 'cuda') return cuda;
  return maker === (part === 'torch' ? 'pytorch' : 'tensorflow') ? version : undefined;
}
