/** Text -> syntax tree, statement by statement, so that statements which an edit left alone are taken over. */
import { Converter } from './convert.ts';
import { STATEMENTS } from './convertStatements.ts';
import { type Difference, difference, fieldAt, typeAt, withTree } from './grammar.ts';
import { once } from './once.ts';
import type { Raw } from './raw.ts';
import { forgetPlaces, shift } from './shift.ts';
import type * as py from './syntax.ts';
import { forEachChild, isStatement } from './syntax.ts';

/** Nesting beyond this is not looked into, so that no input can exhaust the stack. */
const DEEPEST = 300;

/** A parsed text. */
export interface Parsed {
  readonly text: string;
  /** The offset of its first character. */
  readonly base: number;
  /** True when some part of the text is not Python that the parser could read. */
  readonly hasErrors: boolean;
  /** Of a broken text, made when it is first asked for. */
  readonly body: py.Statement[];
  /** The function that is all that the edit since the last text that could be read made another thing of. */
  readonly edited?: EditedFunction;
  /** That last text, where this one is broken. */
  readonly whole?: Parsed;
}

/** A function of the top level, or a method of a class there, of which only the body was edited. */
export interface EditedFunction {
  readonly declaration: py.FunctionDef;
  readonly before: BodyBefore;
}

/** The body of a function as it was before an edit; some of it may be a part of what it is now. */
export type BodyBefore = Pick<py.FunctionDef, 'body' | 'walked'>;

/**
 * Parses `text`, whose first character gets the offset `base`. Statements of `previous`, or of the last text before it
 * that could be read, that the difference to this one does not touch are taken over, moved to their new place;
 * `previous` must not be used afterwards.
 */
export function parse(text: string, base: number, previous?: Parsed): Parsed {
  const source = previous?.whole ?? previous;
  return withTree(text, previous?.text, (cursor) => {
    const hasErrors = cursor.currentNode.hasError;
    if (hasErrors && source && !source.hasErrors) return broken(text, base, source);
    const edit = source && difference(source.text, text);
    const around = source && edit && !hasErrors && !source.hasErrors ? functionAround(source, edit, base) : [];
    const untouched = source && edit && statementsOutside(source, edit);
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
    const reused = new Set<py.Node>(converter.reused);
    const edited = source && takeOver(source.body, body, around);
    if (source && edited) {
      link(edited.declaration, reused);
      return { text, base, hasErrors, body: source.body, edited };
    }
    link({ kind: 'Broken', span: { start: base, end: base }, children: body }, reused);
    for (const statement of body) statement.parent = undefined;
    return { text, base, hasErrors, body };
  });
}

/** The same text with another base. */
export function moved(parsed: Parsed, base: number): Parsed {
  const { text, hasErrors, whole } = parsed;
  if (whole) return broken(text, base, whole);
  for (const statement of parsed.body) shift(statement, base - parsed.base);
  return { text, base, hasErrors, body: parsed.body };
}

/** A text that is broken for now: hardly anyone asks for its statements, and none of them is taken over later. */
function broken(text: string, base: number, whole: Parsed): Parsed {
  const read = once(() => parse(text, base).body);
  return {
    text,
    base,
    hasErrors: true,
    whole,
    get body() {
      return read();
    },
  };
}

function link(node: py.Node, linked: ReadonlySet<py.Node>): void {
  forEachChild(node, (child) => {
    child.parent = node;
    if (!linked.has(child)) link(child, linked);
  });
}

/** The statements that lie outside an edit, by the place they have after it, moved there with base 0. */
function statementsOutside(previous: Parsed, edit: Difference): Map<string, py.Statement> {
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

/** The function whose body an edit lies in, after the classes around it, from the outside in; none where there is more to it. */
function functionAround(previous: Parsed, edit: Difference, base: number): (py.ClassDef | py.FunctionDef)[] {
  // What is taken over with another base is moved, and what is around it would not be.
  if (base !== previous.base) return [];
  const start = edit.start + base;
  const oldEnd = edit.oldEnd + base;
  const path: (py.ClassDef | py.FunctionDef)[] = [];
  for (let block = previous.body; ; ) {
    const inside = block.find(({ span }) => span.start <= start && oldEnd <= span.end);
    if (inside?.kind !== 'ClassDef' && inside?.kind !== 'FunctionDef') return [];
    const first = inside.body[0];
    if (!first || start < first.span.start) return [];
    path.push(inside);
    if (inside.kind === 'FunctionDef') return path;
    block = inside.body;
  }
}

/**
 * Puts the new body of the edited function into the old one, when nothing else is new. By that all that was found out
 * about other statements stays true of them.
 */
function takeOver(
  old: readonly py.Statement[],
  fresh: readonly py.Statement[],
  [outermost, ...inner]: readonly (py.ClassDef | py.FunctionDef)[],
): EditedFunction | undefined {
  const at = outermost ? old.indexOf(outermost) : -1;
  const now = fresh[at];
  if (!outermost || !now || old.length !== fresh.length) return undefined;
  if (!old.every((statement, index) => index === at || statement === fresh[index])) return undefined;
  if (outermost.kind === 'ClassDef' && now.kind === 'ClassDef') {
    const edited = takeOver(outermost.body, now.body, inner);
    if (edited) stretch(outermost, now);
    return edited;
  }
  if (outermost.kind !== 'FunctionDef' || now.kind !== 'FunctionDef') return undefined;
  const { body, walked } = outermost;
  outermost.body = now.body;
  outermost.walked = undefined;
  stretch(outermost, now);
  return { declaration: outermost, before: { body, walked } };
}

function stretch(statement: py.Statement, now: py.Statement): void {
  statement.span.end = now.span.end;
  forgetPlaces(statement);
}
