/** Replaces `node:buffer` in a browser. */
export { Buffer } from 'buffer/index.js';

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes as Uint8Array<ArrayBuffer>);
    return true;
  } catch {
    return false;
  }
}
