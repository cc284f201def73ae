/**
 * An address as a person reads it, with `%2B` as the plus of a local version; one with a broken escape stays as it is
 * written.
 */
export function readable(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
