/**
 * The words that a text must contain for a pattern of the message catalogue to match, derived from the parsed
 * expression.
 */

import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { knownMessages } from '../server/src/messages/catalogue.ts';
import type { RequiredWords } from '../server/src/messages/requiredWords.ts';

/** Minimum number of characters in a word that is worth searching for. */
const SHORTEST = 3;

/** Part of an alternative: literal characters, or a group that must match. */
type Piece = { readonly word: string } | { readonly group: readonly AST.Alternative[] };

const parser = new RegExpParser();

/** Returns the words that a pattern requires, in lower case. */
export function requiredWordsOf(pattern: string): RequiredWords {
  const { alternatives } = parser.parsePattern(pattern);
  return {
    anchors: anchorsOf(alternatives),
    alternatives: alternatives.map(({ elements }) => wordsOf(piecesOf(elements)).filter(isLong)),
  };
}

/** Returns the generated table: the required words of each pattern of each message. */
export function requiredWordsTable(): string {
  const rows = knownMessages().map(
    ({ id, patterns }) => `${JSON.stringify(id)}:${JSON.stringify(patterns.map(requiredWordsOf))}`,
  );
  return `{\n${rows.join(',\n')}\n}\n`;
}

/**
 * Words of which a matching text contains at least one: the longest word of each alternative. Empty if an alternative
 * has none.
 */
function anchorsOf(alternatives: readonly AST.Alternative[]): readonly string[] {
  const found = alternatives.map(({ elements }) => anchorsOfPieces(piecesOf(elements)));
  return found.some(({ length }) => length === 0) ? [] : found.flat();
}

function anchorsOfPieces(pieces: readonly Piece[]): readonly string[] {
  const longest = wordsOf(pieces).reduce((best, word) => (word.length > best.length ? word : best), '');
  if (longest.length >= SHORTEST + 2) return [longest];
  const groups = pieces.flatMap((piece) => ('group' in piece ? [anchorsOf(piece.group)] : []));
  const choices = [[longest].filter(isLong), ...groups].filter(({ length }) => length > 0);
  // The longer a word is, the fewer lines of a log contain it.
  return choices.reduce<readonly string[]>((best, words) => (shortestOf(words) > shortestOf(best) ? words : best), []);
}

function shortestOf(words: readonly string[]): number {
  return words.length === 0 ? 0 : Math.min(...words.map(({ length }) => length));
}

function wordsOf(pieces: readonly Piece[]): readonly string[] {
  return pieces.flatMap((piece) => ('word' in piece ? [piece.word] : []));
}

function isLong(word: string): boolean {
  return word.length >= SHORTEST;
}

function piecesOf(elements: readonly AST.Element[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let word = '';
  const end = () => {
    if (word !== '') pieces.push({ word });
    word = '';
  };
  for (const element of elements) {
    const isRepeated = element.type === 'Quantifier';
    const isOptional = isRepeated && element.min === 0;
    const atom = isRepeated ? element.element : element;
    if (atom.type === 'Character' && isPlain(atom.value) && !isOptional) {
      word += String.fromCharCode(atom.value).toLowerCase();
      if (isRepeated) end();
    } else {
      end();
      const isGroup = atom.type === 'Group' || atom.type === 'CapturingGroup';
      if (isGroup && !isOptional) pieces.push({ group: atom.alternatives });
    }
  }
  end();
  return pieces;
}

/** A space in a pattern matches any white space, and the search only knows ASCII. */
function isPlain(character: number): boolean {
  return character > 0x20 && character < 0x7f;
}
