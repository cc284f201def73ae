/** The patterns of the catalogue as regular expressions, and the words that a text must have for one to fit. */

/** The most characters that one repeated atom of a pattern matches, so that no text makes an expression hang. */
const LONGEST_RUN = 160;

/**
 * Blanks of a pattern fit line ends and indents, too: terminals, boxes and people wrap messages. What a pattern repeats
 * without a bound gets one.
 */
export function compilePattern(pattern: string): RegExp {
  const bounded = pattern
    .replace(LEADING_RUN, '$1(?<!$2)$2{1,}')
    .replace(/(\[(?:\\.|[^\]\\])*\]|\\.|[ .])([+*?])?/g, (_, atom: string, repeated = '') => {
      const isBlank = atom === ' ';
      const sign = isBlank ? '\\s' : atom;
      if (repeated === '+' || (isBlank && repeated === '')) return `${sign}{1,${isBlank ? 80 : LONGEST_RUN}}`;
      if (repeated === '*' || (isBlank && repeated === '?')) return `${sign}{0,${isBlank ? 80 : LONGEST_RUN}}`;
      return `${sign}${repeated}`;
    });
  return new RegExp(bounded, 'im');
}

/**
 * A repetition at the start of a pattern matches from the start of a run of such characters if it matches from anywhere
 * within it, so it is only tried there.
 */
const LEADING_RUN = /^(\((?:\?<\w+>|\?:))?(\[(?:\\.|[^\]\\])*\]|\\[wS])\+(?!\?)/;

/** The fewest characters of a word that is worth looking for. */
const SHORTEST = 3;

/**
 * Returns words of which a matching text has at least one, in lower case: the longest of each alternative. Only
 * required parts of the pattern count. Empty if an alternative has no such word.
 */
export function anchorsOf(pattern: string): readonly string[] {
  const anchors: string[] = [];
  for (const alternative of alternativesIn(pattern)) {
    const found = anchorsOfAlternative(alternative);
    if (found.length === 0) return [];
    anchors.push(...found);
  }
  return anchors;
}

/**
 * Returns for each alternative of a pattern all words that a matching text must have, in lower case; there may be none.
 */
export function wordsOf(pattern: string): readonly (readonly string[])[] {
  return alternativesIn(pattern).map((alternative) =>
    piecesOf(alternative).flatMap((piece) => ('word' in piece && piece.word.length >= SHORTEST ? [piece.word] : [])),
  );
}

/** A piece of a pattern: literal characters, or a group with what is in it; quantifiers that allow none make it optional. */
type Piece = { readonly word: string } | { readonly group: string };

function anchorsOfAlternative(alternative: string): readonly string[] {
  const pieces = piecesOf(alternative);
  const words = pieces.flatMap((piece) => ('word' in piece ? [piece.word] : []));
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '');
  if (longest.length >= SHORTEST + 2) return [longest];
  const groups = pieces.flatMap((piece) => ('group' in piece ? [anchorsOf(piece.group)] : []));
  const choices = [longest.length >= SHORTEST ? [longest] : [], ...groups].filter((words) => words.length > 0);
  // The longer a word, the fewer lines of a log have it.
  return choices.reduce<readonly string[]>((best, words) => (shortestOf(words) > shortestOf(best) ? words : best), []);
}

function shortestOf(words: readonly string[]): number {
  return words.length === 0 ? 0 : Math.min(...words.map(({ length }) => length));
}

function piecesOf(pattern: string): Piece[] {
  const pieces: Piece[] = [];
  let word = '';
  const end = () => {
    if (word !== '') pieces.push({ word });
    word = '';
  };
  for (let at = 0; at < pattern.length; ) {
    const sign = pattern[at] ?? '';
    const next = endOfAtom(pattern, at);
    const quantifier = /^(?:[*+?]|\{\d+,?\d*\})\??/.exec(pattern.slice(next))?.[0] ?? '';
    const mayBeAbsent = /^(?:[*?]|\{0)/.test(quantifier);
    const literal = literalOf(pattern.slice(at, next));
    if (literal !== undefined && !mayBeAbsent) {
      word += literal.toLowerCase();
      if (quantifier !== '') end();
    } else {
      end();
      const isLookaround = /^\((?:\?[=!]|\?<[=!])/.test(pattern.slice(at));
      if (sign === '(' && !mayBeAbsent && !isLookaround)
        pieces.push({ group: pattern.slice(at + 1, next - 1).replace(/^\?(?::|<\w+>)/, '') });
    }
    at = next + quantifier.length;
  }
  end();
  return pieces;
}

/** The character that an atom stands for; undefined for classes, groups, blanks and the rest. */
function literalOf(atom: string): string | undefined {
  if (atom.length === 1) return /[\s.^$([|]/.test(atom) ? undefined : isPlain(atom);
  return /^\\[^\w\s]$/.test(atom) ? isPlain(atom[1] ?? '') : undefined;
}

/** Beyond ASCII, texts are not looked through. */
function isPlain(sign: string): string | undefined {
  return sign > ' ' && sign < '\x7F' ? sign : undefined;
}

/** A character by its code, a group by its name, or what one sign stands for. */
const ESCAPE = /^\\(?:u[\da-f]{4}|x[\da-f]{2}|k<\w+>|.)/i;

function endOfAtom(pattern: string, start: number): number {
  const sign = pattern[start];
  if (sign === '\\') return start + (ESCAPE.exec(pattern.slice(start))?.[0].length ?? 2);
  if (sign === '[') {
    for (let at = start + 1; at < pattern.length; at++) {
      if (pattern[at] === '\\') at++;
      else if (pattern[at] === ']' && at > start + 1) return at + 1;
    }
  }
  if (sign !== '(') return start + 1;
  let at = start + 1;
  while (at < pattern.length && pattern[at] !== ')') at = endOfAtom(pattern, at);
  return at + 1;
}

function alternativesIn(pattern: string): string[] {
  const alternatives: string[] = [];
  let start = 0;
  for (let at = 0; at < pattern.length; ) {
    if (pattern[at] === '|') {
      alternatives.push(pattern.slice(start, at));
      start = ++at;
    } else at = endOfAtom(pattern, at);
  }
  return [...alternatives, pattern.slice(start)];
}
