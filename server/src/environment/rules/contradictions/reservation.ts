import type { Contradiction } from './contradiction.ts';

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
