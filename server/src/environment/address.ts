/**
 * Returns a readable address, with the plus of a local version for `%2B`. An address with a broken escape is returned
 * unchanged.
 */
export function readable(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
