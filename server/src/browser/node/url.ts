/** Replaces `node:url` in a browser. */

/** Throws for an address that is not a file URL. */
export function fileURLToPath(address: string | URL): string {
  const { protocol, host, pathname } = new URL(address);
  if (protocol !== 'file:' || host !== '' || /%2f/i.test(pathname)) throw new TypeError(`${address} is not a file`);
  return decodeURIComponent(pathname);
}

export function pathToFileURL(path: string): URL {
  // The parser encodes other characters, but treats these as syntax.
  return new URL(`file://${path.replaceAll(/[%\\\n\r\t?#]/g, encodeURIComponent)}`);
}
