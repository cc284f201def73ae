/** Joins names for a sentence: `a`, `a and b`, `a, b and c`. */
export function enumerated(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
