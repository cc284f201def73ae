/** Text -> syntax tree, statement by statement, so that statements which an edit left alone are taken over. */
import { Converter } from './convert.ts';
import { STATEMENTS } from './convertStatements.ts';
import { difference, fieldAt, typeAt, withTree } from './grammar.ts';
import type { Raw } from './raw.ts';
import { shift } from './shift.ts';
import type * as py from './syntax.ts';
import { forEachChild, isStatement } from './syntax.ts';

/** Nesting beyond this is not looked into, so that no input can exhaust the stack. */
const DEEPEST = 300;

/** A parsed text: its statements, with offsets counted from `base`. */
export interface Parsed {
  text: string;
  base: number;
  body: py.Statement[];
  /** True when some part of the text is not Python that the parser could read. */
  hasErrors: boolean;
}

/**
 * Parses `text`, whose first character gets the offset `base`. Statements of `previous` that the difference between the
 * two texts does not touch are taken over, moved to their new place; `previous` must not be used afterwards.
 */
export function parse(text: string, base: number, previous?: Parsed): Parsed {
  const untouched = previous && statementsOutside(previous, difference(previous.text, text));
  return withTree(text, previous?.text, (cursor) => {
    const hasErrors = cursor.currentNode.hasError;
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
        raw.isBroken = hasErrors && cursor.currentNode.hasError;
        const old = untouched?.get(`${raw.start}:${raw.end}`);
        // Around an error the same text can be read in more than one way.
        if (old && !old.isBroken && !raw.isBroken) {
          raw.reused = old;
          return raw;
        }
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
    const root = read(0);
    const converter = new Converter(text, base);
    const body = converter.block(root);
    const module = { kind: 'Broken', span: { start: base, end: base }, children: body } as const;
    link(module, new Set(converter.reused));
    for (const statement of body) statement.parent = undefined;
    return { text, base, body, hasErrors };
  });
}

function link(node: py.Node, linked: ReadonlySet<py.Node>): void {
  forEachChild(node, (child) => {
    child.parent = node;
    if (!linked.has(child)) link(child, linked);
  });
}

/** The statements that lie outside an edit, by the place they have after it, moved there with base 0. */
function statementsOutside(
  previous: Parsed,
  edit: { start: number; oldEnd: number; newEnd: number },
): Map<string, py.Statement> {
  const found = new Map<string, py.Statement>();
  const visit = (node: py.Node) => {
    const start = node.span.start - previous.base;
    const end = node.span.end - previous.base;
    if (isStatement(node) && (end < edit.start || start > edit.oldEnd)) {
      const by = end < edit.start ? 0 : edit.newEnd - edit.oldEnd;
      shift(node, by - previous.base);
      found.set(`${start + by}:${end + by}`, node);
      return;
    }
    // Only statements that the edit lies in are looked into.
    if (isStatement(node) || node.kind === 'ExceptHandler' || node.kind === 'MatchCase') forEachChild(node, visit);
  };
  for (const statement of previous.body) visit(statement);
  return found;
}
