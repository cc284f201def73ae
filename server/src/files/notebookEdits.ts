import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import type { Source } from '../python/semantic/source.ts';
import { sourceLines } from './notebook.ts';
import { maskNonFinite, rawOffsets } from './notebookJson.ts';

interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Rewrites the cells that differ between `before` and `after` in a notebook's JSON text. Every other byte stays:
 * indentation, key order, outputs, metadata, the form of each source (text or list of lines), escapes, line endings.
 */
export function rewriteNotebook(json: string, before: Source, after: Source): string {
  const changed = after.cells.filter((cell, index) => cell.text !== before.cells[index]?.text);
  if (changed.length === 0) return json;
  const mark = json.startsWith('\uFEFF') ? 1 : 0;
  const text = json.slice(mark);
  const root = parseTree(maskNonFinite(text));
  const asciiOnly = !/[\u0080-\uffff]/.test(text);
  const splices: Splice[] = [];
  for (const cell of changed) {
    const node = root && findNodeAtLocation(root, ['cells', cell.index, 'source']);
    if (!node) throw new Error(`cell ${cell.index + 1} has no source`);
    splices.push(...spliceSource(text, node, cell.text, asciiOnly));
  }
  let result = text;
  for (const splice of splices.sort((a, b) => b.start - a.start)) {
    result = result.slice(0, splice.start) + splice.text + result.slice(splice.end);
  }
  return json.slice(0, mark) + result;
}

function spliceSource(json: string, node: Node, text: string, asciiOnly: boolean): Splice[] {
  if (node.type === 'string') return [spliceString(json, node, text, asciiOnly)];
  const nodes = node.children ?? [];
  const old = sourceLines(nodes.map((child) => child.value)) ?? [];
  const lines = splitLines(text);
  let head = 0;
  while (head < Math.min(old.length, lines.length) && old[head] === lines[head]) head++;
  let tail = 0;
  while (tail < Math.min(old.length, lines.length) - head && old.at(-1 - tail) === lines.at(-1 - tail)) tail++;
  const oldNodes = nodes.slice(head, nodes.length - tail);
  const newLines = lines.slice(head, lines.length - tail);
  if (oldNodes.length === newLines.length) {
    return oldNodes.map((child, index) => spliceString(json, child, newLines[index] ?? '', asciiOnly));
  }
  const separator = separatorOf(json, node, nodes);
  const written = newLines.map((line) => quote(line, asciiOnly));
  const [first, last, next, previous] = [oldNodes[0], oldNodes.at(-1), nodes[head], nodes[head - 1]];
  if (first && last && written.length > 0) {
    return [{ start: first.offset, end: last.offset + last.length, text: written.join(separator) }];
  }
  if (first && last) {
    // Removes all of these lines and one of the separators around them.
    const following = nodes[nodes.length - tail];
    if (following && tail > 0) return [{ start: first.offset, end: following.offset, text: '' }];
    const start = previous ? previous.offset + previous.length : first.offset;
    return [{ start, end: last.offset + last.length, text: '' }];
  }
  if (next) return [{ start: next.offset, end: next.offset, text: written.map((line) => line + separator).join('') }];
  const start = previous ? previous.offset + previous.length : node.offset + 1;
  return [{ start, end: start, text: (previous ? separator : '') + written.join(separator) }];
}

/** Returns the text between two lines of a list: a comma with this notebook's line ending and indentation. */
function separatorOf(json: string, list: Node, lines: readonly Node[]): string {
  const [first, second] = lines;
  if (first && second) return json.slice(first.offset + first.length, second.offset);
  if (first) return `,${json.slice(list.offset + 1, first.offset)}`;
  return ', ';
}

/** Replaces the difference inside a JSON string; other escapes stay unchanged. */
function spliceString(json: string, node: Node, text: string, asciiOnly: boolean): Splice {
  const old = String(node.value);
  const least = Math.min(old.length, text.length);
  let head = 0;
  while (head < least && old[head] === text[head]) head++;
  if (isHighSurrogate(old, head - 1)) head--;
  let tail = 0;
  while (tail < least - head && old[old.length - 1 - tail] === text[text.length - 1 - tail]) tail++;
  if (tail > 0 && isHighSurrogate(old, old.length - tail - 1)) tail--;
  const offsets = rawOffsets(json, node, old.length);
  return {
    start: offsets[head] ?? node.offset + 1,
    end: offsets[old.length - tail] ?? node.offset + node.length - 1,
    text: quote(text.slice(head, text.length - tail), asciiOnly).slice(1, -1),
  };
}

function quote(text: string, asciiOnly: boolean): string {
  const json = JSON.stringify(text);
  if (!asciiOnly) return json;
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function isHighSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Lines with their line endings, as Jupyter keeps them. */
function splitLines(text: string): string[] {
  return text === '' ? [] : (text.match(/[^\n]*\n|[^\n]+$/g) ?? []);
}
