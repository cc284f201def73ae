/**
 * A package name normalized for comparison: without case, and with runs of "-", "_" and "." treated alike (PEP 503).
 */
export function normalized(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}
