/** Text -> statements: the only module, with `grammar.ts`, that knows the parser's tree. */
import { thinCommentRuns } from './commentRuns.ts';
import { Converter } from './convert.ts';
import { STATEMENTS } from './convertStatements.ts';
import { fieldAt, typeAt, withTree } from './grammar.ts';
import type { Raw } from './raw.ts';
import type * as py from './syntax.ts';
import { forEachChild } from './syntax.ts';

/** Nesting beyond this is not looked into, so that no input can exhaust the stack. */
const DEEPEST = 300;

export interface Reading {
  /** The first character's offset. */
  readonly base: number;
  /** Statements that stood in the text already, by their `placeOf`; they are moved there and taken over. */
  readonly known?: ReadonlyMap<string, py.Statement>;
  /** Reads nothing of a text with errors. */
  readonly onlyWhole?: boolean;
  /** Which of the parser's nodes has the statements that are wanted; the root unless given, none where it is undefined. */
  readonly block?: (root: Raw) => Raw | undefined;
}

export interface Read {
  /** Linked, but for the parents of the statements themselves. Undefined where none were read. */
  readonly statements: py.Statement[] | undefined;
  /** True when some part of the text is not Python that the parser could read. */
  readonly hasErrors: boolean;
}

export function placeOf(start: number, end: number): string {
  return `${start}:${end}`;
}

export function readStatements(text: string, { base, known, onlyWhole, block = (root) => root }: Reading): Read {
  return withTree(thinCommentRuns(text), (cursor): Read => {
    const hasErrors = cursor.currentNode.hasError;
    if (hasErrors && onlyWhole) return { statements: undefined, hasErrors };
    const read = (depth: number): Raw => {
      const type = typeAt(cursor);
      const raw: Raw = {
        type,
        field: fieldAt(cursor),
        start: cursor.startIndex,
        end: cursor.endIndex,
        children: [],
      };
      // What is decorated is a part of the statement that its decorators begin.
      if (STATEMENTS[type] && raw.field !== 'definition') {
        raw.reused = known?.get(placeOf(raw.start + base, raw.end + base));
        if (raw.reused) return raw;
      }
      if (depth < DEEPEST && cursor.gotoFirstChild()) {
        do {
          const named = typeAt(cursor) !== '';
          if (named || cursor.currentFieldId !== 0) {
            if (typeAt(cursor) !== 'comment') raw.children.push(read(depth + 1));
          }
        } while (cursor.gotoNextSibling());
        cursor.gotoParent();
      }
      return raw;
    };
    const wanted = block(read(0));
    if (!wanted) return { statements: undefined, hasErrors };
    const converter = new Converter(text, base);
    const statements = converter.block(wanted);
    const taken = new Set<py.Node>(converter.reused);
    for (const statement of statements) if (!taken.has(statement)) link(statement, taken);
    return { statements, hasErrors };
  });
}

function link(node: py.Node, linked: ReadonlySet<py.Node>): void {
  forEachChild(node, (child) => {
    child.parent = node;
    if (!linked.has(child)) link(child, linked);
  });
}
