import { readData } from '../../dataFiles.ts';

const dates = new Map<string, string>();

/** The month in which a table of releases was last compared with its sources, such as "2026-11". */
export function asOf(name: string): string {
  const known = dates.get(name) ?? readData<{ as_of: string }>(import.meta.dirname, name).as_of;
  dates.set(name, known);
  return known;
}

/** "sm_80" and "compute_90" for the words in "80 +90". */
export function architecturesOf(code: string): string[] {
  return String(code)
    .split(' ')
    .map((each) => (each.startsWith('+') ? `compute_${each.slice(1)}` : `sm_${each}`));
}
