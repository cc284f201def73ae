/** The name of a package as names compare: without case, and with runs of "-", "_" and "." alike (PEP 503). */
export function normalized(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}
