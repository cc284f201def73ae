/** Replaces `node:vm` in a browser, where garbage cannot be collected on request. */
export const runInNewContext = () => undefined;
