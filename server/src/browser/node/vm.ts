/** Stands in for `node:vm` in a browser, where nothing collects garbage on request. */
export const runInNewContext = () => undefined;
