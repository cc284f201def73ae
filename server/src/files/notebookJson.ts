import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** Replaces each NaN and Infinity outside strings with a number of the same length. */
export function maskNonFinite(json: string): string {
  const parts: string[] = [];
  let offset = 0;
  while (offset < json.length) {
    const quote = json.indexOf('"', offset);
    const end = quote === -1 ? json.length : quote;
    parts.push(json.slice(offset, end).replace(/-?Infinity|NaN/g, (word) => '0'.padEnd(word.length)));
    offset = quote === -1 ? end : jsonStringEnd(json, quote);
    parts.push(json.slice(end, offset));
  }
  return parts.join('');
}

function jsonStringEnd(json: string, start: number): number {
  for (let quote = json.indexOf('"', start + 1); quote !== -1; quote = json.indexOf('"', quote + 1)) {
    let slash = quote;
    while (json[slash - 1] === '\\') slash--;
    if ((quote - slash) % 2 === 0) return quote + 1;
  }
  return json.length;
}

/** Returns where and why a text stops being JSON, in words: "line 3, column 7: comma expected". */
export function whereJsonBreaks(text: string): string {
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true });
  const first = errors[0];
  if (!first) return 'JSON expected';
  const before = text.slice(0, first.offset).split(/\r\n|\r|\n/);
  const why = printParseErrorCode(first.error)
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim();
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${why}`;
}

/** Returns the offset in the JSON text for each UTF-16 unit of a string's value, and for its end. */
export function rawOffsets(json: string, node: Node, length: number): number[] {
  const offsets: number[] = [];
  let offset = node.offset + 1;
  for (let unit = 0; unit < length; unit++) {
    offsets.push(offset);
    if (json[offset] !== '\\') offset++;
    else offset += json[offset + 1] === 'u' ? 6 : 2;
  }
  offsets.push(offset);
  return offsets;
}
