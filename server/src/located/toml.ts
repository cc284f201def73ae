import { type AST, getStaticTOMLValue, ParseError, parseTOML } from 'toml-eslint-parser';
import { type Located, type LocatedSpan, lookUp, nameOfPath, type Path, sentenceStart } from './located.ts';

/** Data of TOML, with its comments. */
export interface LocatedToml extends Located {
  /** Spans of comments, from the number sign to the end of the line; empty if the file does not parse. */
  readonly comments: readonly LocatedSpan[];
}

/** Reads one table of a TOML file, or the whole file. The value is `undefined` if the file has no such table. */
export function locateToml(text: string, table: readonly string[] = []): LocatedToml {
  let tree: AST.TOMLProgram;
  try {
    tree = parseTOML(text);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const errors = [{ message: sentenceStart(error.message), span: { start: error.index, end: error.index } }];
    return { value: undefined, errors, comments: [], ...lookUp(new Map()) };
  }
  const places = new Map<string, { key?: LocatedSpan; value: LocatedSpan }>();
  const prefix = table.map(String);
  const put = (path: Path, value: LocatedSpan, key?: LocatedSpan) => {
    if (prefix.every((part, index) => part === String(path[index]))) {
      const name = nameOfPath(path.slice(prefix.length));
      if (!places.has(name)) places.set(name, { key, value });
    }
  };
  const visitValue = (node: AST.TOMLContentNode, path: Path, key?: LocatedSpan) => {
    put(path, spanOf(node), key);
    if (node.type === 'TOMLArray')
      for (const [index, item] of node.elements.entries()) visitValue(item, [...path, index]);
    if (node.type === 'TOMLInlineTable') for (const pair of node.body) visitPair(pair, path);
  };
  const visitPair = ({ key, value }: AST.TOMLKeyValue, base: Path) => {
    let path = base;
    for (const [index, part] of key.keys.entries()) {
      path = [...path, part.type === 'TOMLBare' ? part.name : part.value];
      if (index === key.keys.length - 1) visitValue(value, path, spanOf(part));
      else put(path, spanOf(value), spanOf(part));
    }
  };
  for (const node of tree.body[0].body) {
    if (node.type === 'TOMLKeyValue') visitPair(node, []);
    else {
      for (const [index, part] of node.key.keys.entries()) {
        const names = node.key.keys.slice(0, index + 1).map((key) => (key.type === 'TOMLBare' ? key.name : key.value));
        put(names, spanOf(part), spanOf(part));
      }
      put(node.resolvedKey, spanOf(node.key), spanOf(node.key));
      for (const pair of node.body) visitPair(pair, node.resolvedKey);
    }
  }
  let value: unknown = getStaticTOMLValue(tree);
  for (const part of table) value = (value as Record<string, unknown> | undefined)?.[part];
  return { value, errors: [], comments: tree.comments.map(spanOf), ...lookUp(places) };
}

function spanOf({ range: [start, end] }: { range: [number, number] }): LocatedSpan {
  return { start, end };
}
