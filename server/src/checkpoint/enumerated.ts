/** Joins names for a sentence: `a`, `a and b`, `a, b and c`. */
export function enumerated(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Joins the first names in backticks, with a count of the rest: `a`, `b` and 3 more. */
export function enumeratedCode(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most).map((name) => `\`${name}\``);
  return enumerated(names.length > most ? [...shown, `${names.length - most} more`] : shown);
}
