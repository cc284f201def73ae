/** Replaces `node:timers/promises` in a browser. */
import { setImmediate as immediately } from './timers.ts';

export const setImmediate = () => new Promise<void>((resolve) => void immediately(resolve));

export function setTimeout<T>(milliseconds: number, value: T): Promise<T> {
  return new Promise((resolve) => void globalThis.setTimeout(() => resolve(value), milliseconds));
}
