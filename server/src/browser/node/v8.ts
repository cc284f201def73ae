/** Replaces `node:v8` in a browser, which gives a worker about as much memory as Node uses by default. */
export const getHeapStatistics = () => ({ heap_size_limit: 2 * 2 ** 30 });
export const setFlagsFromString = () => {};
