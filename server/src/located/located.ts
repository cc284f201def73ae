import { CST, type Document, isMap, isScalar, isSeq, Lexer, type Node, parseDocument, visit as visitNodes } from 'yaml';

/** Offsets into a file's text. */
export interface LocatedSpan {
  readonly start: number;
  readonly end: number;
}

/** The data of a YAML or TOML file, with the position of each part in its text. */
export interface Located {
  readonly value: unknown;
  /** Syntax errors; the value counts only if there are none. */
  readonly errors: readonly { readonly message: string; readonly span: LocatedSpan }[];
  /** Returns the span of the value at a path; for a part that is not in the text, the nearest one around it. */
  valueAt(path: Path): LocatedSpan;
  /** Returns the span of the last key in a path. */
  keyAt(path: Path): LocatedSpan;
}

export type Path = readonly PropertyKey[];

interface Place {
  readonly key?: LocatedSpan;
  readonly value: LocatedSpan;
}

/** Reads YAML. With the schema `failsafe`, every value is its text. */
export function locateYaml(text: string, schema: 'core' | 'failsafe' = 'core'): Located {
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'error', schema });
  const places = new Map<string, Place>();
  const visit = (node: Node | null, path: Path, key?: LocatedSpan) => {
    const [start, end] = node?.range ?? [0, 0];
    // An omitted value has no position; its key represents it.
    if (start < end) places.set(nameOfPath(path), { key, value: { start, end } });
    if (isSeq(node)) for (const [index, item] of node.items.entries()) visit(item as Node | null, [...path, index]);
    if (!isMap(node)) return;
    for (const { key: keyNode, value } of node.items) {
      if (!isScalar(keyNode) || !keyNode.range) continue;
      const keySpan = { start: keyNode.range[0], end: keyNode.range[1] };
      const name = nameOfPath([...path, String(keyNode.value)]);
      places.set(name, { key: keySpan, value: keySpan });
      visit(value as Node | null, [...path, String(keyNode.value)], keySpan);
    }
  };
  visit(document.contents, []);
  const errors = document.errors.map(({ code, message, pos: [start, end] }) => ({
    message: code === 'MULTIPLE_DOCS' ? 'a second document begins here' : sentenceStart(message),
    span: { start, end },
  }));
  if (errors.length > 0) return { value: undefined, errors, ...lookUp(places) };
  try {
    return { value: document.toJS(), errors, ...lookUp(places) };
  } catch (error) {
    // Aliases are resolved only here.
    const message = sentenceStart(error instanceof Error ? error.message : String(error));
    return { value: undefined, errors: [{ message, span: firstAlias(document) }], ...lookUp(places) };
  }
}

function firstAlias(document: Document): LocatedSpan {
  let span: LocatedSpan = { start: 0, end: 0 };
  visitNodes(document, {
    Alias(_, { range }) {
      if (range) span = { start: range[0], end: range[1] };
      return visitNodes.BREAK;
    },
  });
  return span;
}

/** Returns functions that look up the positions of parts of a file by path. */
export function lookUp(places: ReadonlyMap<string, Place>): Pick<Located, 'valueAt' | 'keyAt'> {
  const placeAt = (path: Path): Place => {
    for (let length = path.length; length >= 0; length--) {
      const place = places.get(nameOfPath(path.slice(0, length)));
      if (place) return place;
    }
    return { value: { start: 0, end: 0 } };
  };
  return {
    valueAt: (path) => placeAt(path).value,
    keyAt: (path) => {
      const place = placeAt(path);
      return place.key ?? place.value;
    },
  };
}

/** Returns a unique name for a path. */
export function nameOfPath(path: Path): string {
  return JSON.stringify(path.map(String));
}

/** Returns a library's message in a form that can follow a colon. */
export function sentenceStart(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}

/** Returns the comments of YAML, from the number sign to the end of the line. */
export function commentsInYaml(text: string): LocatedSpan[] {
  const comments: LocatedSpan[] = [];
  let start = 0;
  for (const lexeme of new Lexer().lex(text)) {
    // Control characters separate lexemes and are not part of the text.
    if (CONTROLS.has(lexeme)) continue;
    if (CST.tokenType(lexeme) === 'comment') comments.push({ start, end: start + lexeme.trimEnd().length });
    start += lexeme.length;
  }
  return comments;
}

const CONTROLS = new Set(['\u0002', '\u0018', '\u001f']);
