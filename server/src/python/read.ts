/** Text -> statements: the only module, with `grammar.ts`, that knows the parser's tree. */
import { thinCommentRuns } from './commentRuns.ts';
import { Converter } from './convert.ts';
import { fieldAt, typeAt, withTree } from './grammar.ts';
import type { Raw } from './raw.ts';
import type * as py from './syntax.ts';
import { forEachChild } from './syntax.ts';

/** Nesting beyond this is not looked into, so that no input can exhaust the stack. */
const DEEPEST = 300;

export interface Read {
  readonly statements: py.Statement[];
  /** True when some part of the text is not Python that the parser could read. */
  readonly hasErrors: boolean;
}

/** Reads a text whose first character gets the offset `base`. */
export function readStatements(text: string, base: number): Read {
  return withTree(thinCommentRuns(text), (cursor): Read => {
    const hasErrors = cursor.currentNode.hasError;
    const read = (depth: number): Raw => {
      const raw: Raw = {
        type: typeAt(cursor),
        field: fieldAt(cursor),
        start: cursor.startIndex,
        end: cursor.endIndex,
        children: [],
      };
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
    const statements = new Converter(text, base).block(read(0));
    for (const statement of statements) link(statement);
    return { statements, hasErrors };
  });
}

function link(node: py.Node): void {
  forEachChild(node, (child) => {
    child.parent = node;
    link(child);
  });
}
