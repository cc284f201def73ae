/** The quote characters for new strings, in the style of the file's author. */
import type { Program } from '../../guards/program.ts';
import { isString, type StringLiteral } from '../../python/semantic/literals.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import type { Node } from '../../python/syntax/nodes.ts';
import { walk } from '../../python/syntax/walk.ts';

type Quote = '"' | "'";

/**
 * Returns the quote character that opens a string; undefined for triple-quoted strings, which say nothing about short
 * ones.
 */
function quoteOf(program: Program, string: StringLiteral): Quote | undefined {
  const opening = /^[a-zA-Z]*("""|'''|"|')/.exec(program.text.slice(string.start, string.start + 6))?.[1];
  return opening === '"' || opening === "'" ? opening : undefined;
}

/** Returns the program's most frequent quote character. */
const majority = memoize((program: Program): Quote => {
  let double = 0;
  for (const string of program.index.strings) {
    const quote = quoteOf(program, string);
    if (quote) double += quote === '"' ? 1 : -1;
  }
  return double >= 0 ? '"' : "'";
});

/** Quotes text like the file's other strings, if no string is near. */
export function quotedLikeFile(program: Program, text: string): string {
  const quote = majority(program);
  return `${quote}${text}${quote}`;
}

/**
 * Quotes text like the strings inside `node`, else like the file's; inside an f-string, with the other quote character.
 */
export function quotedNear(program: Program, node: Node, text: string): string {
  let quote: Quote | undefined;
  walk(node, (inner) => {
    if (isString(inner)) quote ??= quoteOf(program, inner);
    return quote === undefined;
  });
  if (!quote) {
    const around = fstringAround(program, node);
    quote = around ? (around === '"' ? "'" : '"') : majority(program);
  }
  return `${quote}${text}${quote}`;
}

/** Returns the quote character of the f-string around the node. */
function fstringAround(program: Program, node: Node): Quote | undefined {
  for (let at = node.parent; at; at = at.parent) {
    if (isString(at)) return quoteOf(program, at) ?? (program.text.slice(at.start, at.end).includes("'''") ? "'" : '"');
  }
  return undefined;
}
