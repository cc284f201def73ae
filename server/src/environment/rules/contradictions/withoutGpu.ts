import type { Fix } from '../../../rules/edits/fix.ts';
import type { Installation } from '../../environmentFile.ts';
import { knownImage } from '../../image.ts';
import type { Contradiction } from './contradiction.ts';

/** An image for GPUs in a service or dev container that asks for none. */
export const withoutGpu: Contradiction = ({ image, asksForGpu, gpuRequest }, report, { kind }) => {
  if (!image || asksForGpu !== false || !knownImage(image.text)?.isForGpu) return;
  const how = kind === 'compose' ? '`gpus: all`, or a reservation below `deploy`,' : '`"runArgs": ["--gpus", "all"]`';
  report({
    span: image.span,
    level: 'hint',
    message: `The image is for GPUs, and none is asked for: without ${how} no GPU is seen in the container.`,
    fixes: () => (gpuRequest ? [asking(gpuRequest)] : []),
  });
};

function asking({ title, at, text }: NonNullable<Installation['gpuRequest']>): Fix {
  return { title, tier: 'suggestion', edits: [{ span: { start: at, end: at }, newText: text }] };
}
