/**
 * Returns a readable address, with `%2B` decoded to the plus of a local version. An address with a broken escape is
 * returned unchanged.
 */
export function readable(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
