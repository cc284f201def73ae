/** Containers that get no GPU. */

import { knownImage } from '../../../published/images.ts';
import type { Fix } from '../../../rules/edits/fix.ts';
import type { Installation } from '../../environmentFile.ts';
import type { Contradiction } from './contradiction.ts';

/** Reports a GPU image in a service or dev container that does not request a GPU. */
export const withoutGpu: Contradiction = ({ image, requestsGpu, gpuRequest }, report, { kind }) => {
  if (!image || requestsGpu !== false || !knownImage(image.text)?.isForGpu) return;
  const how = kind === 'compose' ? '`gpus: all` or a device reservation' : '`"runArgs": ["--gpus", "all"]`';
  report({
    span: image.span,
    level: 'hint',
    message: `The container sees no GPU, although its image is for GPUs: add ${how}.`,
    fixes: () => (gpuRequest ? [requestFix(gpuRequest)] : []),
  });
};

function requestFix({ title, at, text }: NonNullable<Installation['gpuRequest']>): Fix {
  return { title, tier: 'suggestion', edits: [{ span: { start: at, end: at }, newText: text }] };
}

/** Reports device reservations that Compose rejects: https://docs.docker.com/reference/compose-file/deploy/#devices */
export const reservation: Contradiction = ({ reservations = [] }, report) => {
  for (const { span, keys } of reservations) {
    if (!keys.includes('capabilities'))
      report({
        span,
        level: 'flag',
        message: 'Compose rejects a device reservation without `capabilities`: add `capabilities: [gpu]`.',
      });
    if (keys.includes('count') && keys.includes('device_ids'))
      report({
        span,
        level: 'flag',
        message: 'Compose rejects a device reservation with both `count` and `device_ids`: keep one of them.',
      });
  }
};
