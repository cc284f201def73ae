/**
 * Finds which of many words a text contains, in one pass: the Aho-Corasick automaton
 * (https://doi.org/10.1145/360825.360855) with a table of transitions. Case is ignored.
 */
interface WordSearch {
  /** The numbers of the words that occur in a text. */
  wordsIn(text: string): ReadonlySet<number>;
  /** True if any of the words occurs in a line. */
  occursIn(line: Uint8Array): boolean;
}

/** The number of bytes that are distinguished; all bytes beyond ASCII count as one. */
const SIGNS = 128;
const OTHER = 0;

export function createWordSearch(words: readonly string[]): WordSearch {
  const size = words.reduce((sum, { length }) => sum + length, 1);
  const next = new Int32Array(size * SIGNS);
  /** The words that end in a state, including those of the states that are suffixes of it. */
  const ends: (number[] | undefined)[] = [];
  let states = 1;
  words.forEach((word, number) => {
    let state = 0;
    for (const sign of word) {
      const slot = state * SIGNS + (sign.charCodeAt(0) & 127);
      if (!next[slot]) next[slot] = states++;
      state = next[slot] ?? 0;
    }
    ends[state] = [...(ends[state] ?? []), number];
  });
  const fallback = new Int32Array(states);
  const queue: number[] = [];
  for (const state of next.subarray(0, SIGNS)) if (state) queue.push(state);
  for (const state of queue) {
    const shorter = fallback[state] ?? 0;
    const endings = ends[shorter];
    if (endings) ends[state] = [...(ends[state] ?? []), ...endings];
    for (let sign = 0; sign < SIGNS; sign++) {
      const slot = state * SIGNS + sign;
      const other = next[shorter * SIGNS + sign] ?? 0;
      const longer = next[slot] ?? 0;
      if (longer) {
        fallback[longer] = other;
        queue.push(longer);
      } else next[slot] = other;
    }
  }
  const isEnd = Uint8Array.from({ length: states }, (_, state) => (ends[state] ? 1 : 0));
  const folded = Uint8Array.from({ length: 256 }, (_, sign) =>
    sign >= 128 ? OTHER : sign >= 65 && sign <= 90 ? sign + 32 : sign,
  );
  const after = (state: number, sign: number) =>
    next[state * SIGNS + (sign < 256 ? (folded[sign] as number) : OTHER)] as number;
  return {
    wordsIn(text) {
      const found = new Set<number>();
      let state = 0;
      for (let at = 0; at < text.length; at++) {
        state = after(state, text.charCodeAt(at));
        if (isEnd[state] === 1) for (const word of ends[state] ?? []) found.add(word);
      }
      return found;
    },
    occursIn(line) {
      let state = 0;
      for (let at = 0; at < line.length; at++) {
        state = after(state, line[at] as number);
        if (isEnd[state] === 1) return true;
      }
      return false;
    },
  };
}
