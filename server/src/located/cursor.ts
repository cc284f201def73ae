/**
 * The place of the cursor in the data of a YAML or TOML file, from the lines around it: a file that is being edited
 * rarely parses.
 */
import type { LocatedSpan, Path } from './located.ts';

export interface LocatedCursor {
  /** Path of the value at the cursor, or of the mapping whose key is at the cursor; items of lists have the index 0. */
  readonly path: Path;
  /** Undefined for an item that begins a line of YAML: it may be a value, or the first key of a mapping. */
  readonly isKey: boolean | undefined;
  /** True in the header of a TOML table. */
  readonly isHeader?: boolean;
  /** The key or value at the cursor, without quotes; empty if nothing is written yet. */
  readonly word: string;
  /** The span of that word with its quotes. */
  readonly span: LocatedSpan;
}

/** A key, bare or quoted, with the colon or equals sign after it. */
const YAML_KEY = /^("[^"]*"|'[^']*'|[^\s"'#\-[\]{},:][^#:]*?)\s*:(?:\s|$)/;
const TOML_KEY = /^((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*=/;
const TOML_HEADER = /^\s*\[\[?([^\]]*)\]?\]?/;

/** Returns the place of the cursor in YAML; undefined in a comment. */
export function cursorInYaml(text: string, offset: number): LocatedCursor | undefined {
  const { start, before, end } = lineAround(text, offset);
  if (/(?:^|\s)#/.test(before)) return undefined;
  const lines = text.slice(0, start).split(/\r?\n/).slice(0, -1);
  const [, indent = '', rest = ''] = /^(\s*(?:-\s+|-$)*)(.*)$/s.exec(before) ?? [];
  const parents = yamlParents(lines, indent);
  const [keyText, key] = YAML_KEY.exec(rest) ?? [];
  if (keyText === undefined || key === undefined)
    return flowCursor(
      text,
      offset,
      [...parents, ...itemsIn(indent)],
      rest,
      end,
      indent.includes('-') ? undefined : true,
    );
  return flowCursor(
    text,
    offset,
    [...parents, ...itemsIn(indent), unquoted(key)],
    rest.slice(keyText.length),
    end,
    false,
  );
}

/** Returns the place of the cursor in a table of TOML; undefined outside of it and in a comment. */
export function cursorInToml(text: string, offset: number, table: readonly string[]): LocatedCursor | undefined {
  const { start, before, end } = lineAround(text, offset);
  if (/(?:^|\s)#/.test(before)) return undefined;
  const inTable = (path: Path): Path | undefined =>
    table.every((name, index) => path[index] === name) ? path.slice(table.length) : undefined;
  const ownHeader = /^\s*\[\[?([^\]]*)$/.exec(before);
  if (ownHeader) {
    const path = inTable(dotted(ownHeader[1] ?? '').slice(0, -1));
    if (!path) return undefined;
    const { span } = wordAt(text, offset, end);
    const dot = text.lastIndexOf('.', offset - 1) + 1;
    const word = { start: Math.max(span.start, dot), end: span.end };
    return { path, isKey: true, isHeader: true, word: text.slice(word.start, word.end), span: word };
  }
  const lines = text.slice(0, start).split(/\r?\n/).slice(0, -1);
  const headerAt = lines.findLastIndex((line) => /^\s*\[[^,"']*\]\s*(?:#.*)?$/.test(line) && !line.includes('='));
  const [header = '', name = ''] = TOML_HEADER.exec(lines[headerAt] ?? '') ?? [];
  const base = [...dotted(name), ...(header.includes('[[') ? [0] : [])];
  const found = TOML_KEY.exec(before.trimStart());
  if (found) {
    const path = inTable([...base, ...dotted(found[1] ?? '')]);
    return path && flowCursor(text, offset, path, before.trimStart().slice(found[0].length), end, false);
  }
  // Inside an array that spans several lines.
  const body = lines.slice(headerAt + 1);
  const keyAt = body.findLastIndex((line) => TOML_KEY.test(line.trimStart()));
  const keyLine = body[keyAt]?.trimStart() ?? '';
  const [keyText = '', key = ''] = TOML_KEY.exec(keyLine) ?? [];
  const since = [keyLine.slice(keyText.length), ...body.slice(keyAt + 1), before].join('\n');
  const isOpen = keyAt >= 0 && count(since, '[') > count(since, ']');
  const path = inTable(isOpen ? [...base, ...dotted(key)] : base);
  return path && flowCursor(text, offset, path, isOpen ? since : before.trimStart(), end, !isOpen);
}

function lineAround(text: string, offset: number): { start: number; before: string; end: number } {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const next = /\r?\n|$/.exec(text.slice(offset));
  return { start, before: text.slice(start, offset), end: offset + (next?.index ?? 0) };
}

/** Returns the path of the mapping or list around a line with this indentation, from the lines above. */
function yamlParents(lines: readonly string[], indent: string): Path {
  const path: PropertyKey[] = [];
  // A list's items may have the same indentation as its key.
  let limit = indent.includes('-') ? indent.indexOf('-') + 1 : indent.length;
  let isItem = indent.includes('-');
  for (const line of lines.toReversed()) {
    if (limit === 0) break;
    const [, itsIndent = '', rest = ''] = /^(\s*(?:-\s+)*)(.*)$/.exec(line) ?? [];
    const key = YAML_KEY.exec(rest)?.[1];
    if (rest === '' || rest.startsWith('#')) continue;
    const column = itsIndent.length;
    const dash = itsIndent.indexOf('-');
    if (key !== undefined && column < limit) {
      path.unshift(unquoted(key));
      if (dash >= 0) path.unshift(0);
      limit = dash >= 0 ? dash + 1 : column;
      isItem = dash >= 0;
    } else if (column === limit && dash >= 0 && !isItem) {
      // Another key of a mapping that is an item.
      path.unshift(0);
      limit = dash + 1;
      isItem = true;
    }
  }
  return path;
}

/** Returns a list item for each dash of an indentation. */
function itemsIn(indent: string): Path {
  return Array.from({ length: count(indent, '-') }, () => 0);
}

/** Returns the cursor after a text in which lists and mappings may be open, such as ` [GPU101, `. */
function flowCursor(
  text: string,
  offset: number,
  around: Path,
  written: string,
  end: number,
  isKey: boolean | undefined,
): LocatedCursor {
  const path = [...around];
  const open: string[] = [];
  let part = '';
  for (const character of withoutTexts(written)) {
    if (character === '[' || character === '{') {
      if (character === '[') path.push(0);
      open.push(character);
      part = '';
    } else if (character === ']' || character === '}') {
      if (open.pop() === '[') path.pop();
      part = '';
    } else if (character === ',') part = '';
    else part += character;
  }
  if (open.at(-1) !== '{') return { path, isKey: open.length > 0 ? false : isKey, ...wordAt(text, offset, end) };
  const [, key] = /^\s*([^\s:=]+)\s*[:=]/.exec(part) ?? [];
  return { path: key === undefined ? path : [...path, key], isKey: key === undefined, ...wordAt(text, offset, end) };
}

/** Replaces each closed quoted text by one letter, so that its content is not parsed as syntax. */
function withoutTexts(written: string): string {
  return written.replace(/"[^"\n]*"|'[^'\n]*'/g, 'x');
}

function wordAt(text: string, offset: number, end: number): { word: string; span: LocatedSpan } {
  const before = /["']?[^\s"'[\]{},:=]*$/.exec(text.slice(0, offset))?.[0] ?? '';
  const after = /^[^\s"'[\]{},:=]*["']?/.exec(text.slice(offset, end))?.[0] ?? '';
  // A quote that opens the next quoted text does not close this one.
  const isQuoted = /^["']/.test(before);
  const rest = isQuoted ? after : after.replace(/["']$/, '');
  const word = before + rest;
  return { word: unquoted(word), span: { start: offset - before.length, end: offset + rest.length } };
}

function dotted(name: string): string[] {
  return name.split('.').map((part) => unquoted(part.trim()));
}

function unquoted(word: string): string {
  return word.replace(/^["']|["']$/g, '');
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
