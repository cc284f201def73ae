/** Replaces Node's global names in a browser. */
export { Buffer } from './node/buffer.ts';
export { clearTimeout, setImmediate, setTimeout } from './node/timers.ts';

export const process = { platform: 'linux', env: {}, cwd: () => '/' };
