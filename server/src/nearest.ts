/** Returns the name that a misspelled or unfinished one most likely means; undefined if none is close. */
export function nearest(input: string, names: readonly string[]): string | undefined {
  const lower = input.toLowerCase();
  const byPrefix = lower.length < 3 ? undefined : names.find((name) => name.toLowerCase().startsWith(lower));
  if (byPrefix) return byPrefix;
  let best: string | undefined;
  // Digits identify: GPU999 does not mean GPU609.
  const letters = lower.replaceAll(/\d/g, '').length;
  let bestDistance = Math.max(1, Math.floor(letters / 3)) + 1;
  for (const name of names) {
    const distance = editDistance(lower, name.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

/** The Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(substituted, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
