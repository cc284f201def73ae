/**
 * Takes an edit over into the statements of a text that could be read, by parsing the lines around it alone. A block of
 * Python is read statement by statement from the same state; so where the lines from the statement before an edit to
 * the one after it are whole by themselves, so is all of the text, and the other statements are what they were.
 */
import { hasBrokenLayout } from './brokenLayout.ts';
import { type Difference, difference } from './difference.ts';
import { field, type Raw } from './raw.ts';
import { placeOf, readStatements } from './read.ts';
import { forgetPlaces, shift } from './shift.ts';
import type * as py from './syntax.ts';
import { forEachChild, isStatement } from './syntax.ts';

/** A text with the statements that were read from it. */
export interface Readable {
  readonly text: string;
  /** The offset of its first character. */
  readonly base: number;
  readonly body: readonly py.Statement[];
}

/** A function of the top level, or a method of a class there, of which only the body was edited. */
export interface EditedFunction {
  readonly declaration: py.FunctionDef;
  readonly before: BodyBefore;
}

/** The body of a function as it was before an edit; some of it may be a part of what it is now. */
export type BodyBefore = Pick<py.FunctionDef, 'body' | 'walked'>;

export interface Reparsed {
  readonly body: readonly py.Statement[];
  readonly edited?: EditedFunction;
}

/** Stands for the class around a stretch when it is parsed. */
const CLASS = 'class c:\n';
/** Stands for the statement that comes after a stretch: it must be read as one of its own. */
const NEXT = '0';

/**
 * The statements of `text`, an edit of `before`, whose statements are used up by that. Where the lines around the edit
 * cannot be read it is `'broken'`, and undefined where they cannot be told from the rest; `before` is then as it was.
 */
export function reparse(before: Readable, text: string): Reparsed | 'broken' | undefined {
  const edit = difference(before.text, text);
  const stretch = stretchAround(before, edit);
  if (!stretch) return undefined;
  const { classes, block, from, to, isLast } = stretch;
  const old = block.slice(from, to);
  const by = edit.newEnd - edit.oldEnd;
  const wasEdited = functionWithBodyAt(old, edit.start + before.base);

  const header = classes.length > 0 ? CLASS : '';
  const lines = text.slice(stretch.start, stretch.oldEnd + by);
  const upToNext = `${header}${lines}${lines.endsWith('\n') ? '' : '\n'}${isLast ? '' : stretch.indentation}`;
  const base = before.base + stretch.start - header.length;
  const alone = `${upToNext}${NEXT}\n`;
  if (hasBrokenLayout(alone)) return 'broken';
  let classEnd = 0;
  const { statements: fresh, hasErrors } = readStatements(alone, {
    base,
    known: statementsOutside(edit, before.base, old),
    onlyWhole: true,
    block(root) {
      if (header === '') return withoutNext(root, upToNext.length);
      const around = isLast ? withoutNext(root, upToNext.length) : root;
      const [only, ...more] = around?.children ?? [];
      if (only?.type !== 'class_definition' || more.length > 0) return undefined;
      classEnd = only.end + base;
      const body = field(only, 'body');
      return isLast ? body : body && withoutNext(body, upToNext.length);
    },
  });
  if (hasErrors) return 'broken';
  if (!fresh || (header !== '' && block.length - old.length + fresh.length === 0)) return undefined;

  for (const statement of block.slice(to)) shift(statement, by);
  for (const [depth, around] of classes.entries()) {
    const beside = classes[depth - 1]?.body ?? before.body;
    for (const statement of beside.slice(beside.indexOf(around) + 1)) shift(statement, by);
    around.span.end = isLast ? classEnd : around.span.end + by;
    forgetPlaces(around);
  }
  if (isSame(old, fresh)) return { body: before.body };
  const edited = wasEdited && takeOverBody(wasEdited, old, fresh);
  if (edited) return { body: before.body, edited };
  const owner = classes.at(-1);
  for (const statement of fresh) statement.parent = owner;
  const body = block.toSpliced(from, to - from, ...fresh);
  if (!owner) return { body };
  owner.body = body;
  return { body: [...before.body] };
}

/** The lines that an edit may make something else of: whole statements of a block, and what lies between them. */
interface Stretch {
  /** The classes that the block lies in, from the outside in. */
  readonly classes: readonly py.ClassDef[];
  readonly block: readonly py.Statement[];
  /** They are the statements of the block from `from` on, up to `to`. */
  readonly from: number;
  readonly to: number;
  /** The block ends with them. */
  readonly isLast: boolean;
  /** Where the lines start, and end before the edit: offsets into the text. */
  readonly start: number;
  readonly oldEnd: number;
  /** What stands before each statement of the block. */
  readonly indentation: string;
}

/** From the statement before the edited lines to the one after them, in the innermost class that this can be said of. */
function stretchAround({ text, base, body }: Readable, edit: Difference): Stretch | undefined {
  const startOf = (statement: py.Statement) => statement.span.start - base;
  const endOf = (statement: py.Statement) => statement.span.end - base;
  const lineOf = (offset: number) => (offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1);
  const indentationOf = (statement: py.Statement) => text.slice(lineOf(startOf(statement)), startOf(statement));

  const classes: py.ClassDef[] = [];
  let block = body;
  for (;;) {
    const inside = block.find((each) => startOf(each) <= edit.start && edit.oldEnd <= endOf(each));
    if (inside?.kind !== 'ClassDef') break;
    const first = inside.body[0];
    if (!first || edit.start < startOf(first) || indentationOf(first).trim() !== '') break;
    classes.push(inside);
    block = inside.body;
  }

  for (;;) {
    const firstLine = lineOf(edit.start);
    let from = Math.max(
      0,
      block.findLastIndex((each) => startOf(each) < firstLine),
    );
    let to = block.findIndex((each) => startOf(each) > edit.oldEnd && lineOf(startOf(each)) > edit.oldEnd) + 1;
    if (to === 0) to = block.length;
    // More than one statement may stand on a line.
    for (let first = block[from], before = block[from - 1]; first && before; first = before, before = block[from - 1]) {
      if (endOf(before) < lineOf(startOf(first))) break;
      from--;
    }
    for (let last = block[to - 1], after = block[to]; last && after; last = after, after = block[to]) {
      if (endOf(last) < lineOf(startOf(after))) break;
      to++;
    }
    const [first, next] = [block[from], block[to]];
    const isLast = !next;
    const outer = classes[0];
    if (isLast && classes.length > 1) {
      classes.pop();
      block = classes.at(-1)?.body ?? body;
      continue;
    }
    const following = next ?? (outer && body[body.indexOf(outer) + 1]);
    const indentation = first ? indentationOf(first) : '';
    if (indentation.trim() !== '' || (!outer && indentation !== '')) return undefined;
    return {
      classes,
      block,
      from,
      to,
      isLast,
      start: !first || (!outer && from === 0) ? 0 : lineOf(startOf(first)),
      oldEnd: following ? lineOf(startOf(following)) : text.length,
      indentation,
    };
  }
}

/** The block without the statement that stands for the next one; undefined where that was not read as a statement. */
function withoutNext(block: Raw, at: number): Raw | undefined {
  const last = block.children.at(-1);
  return last?.type === 'expression_statement' && last.start === at
    ? { ...block, children: block.children.slice(0, -1) }
    : undefined;
}

/** The statements that lie outside an edit, by the place that they have after it. */
function statementsOutside(edit: Difference, base: number, among: readonly py.Statement[]): Map<string, py.Statement> {
  const found = new Map<string, py.Statement>();
  const visit = (node: py.Node) => {
    const { start, end } = node.span;
    const isBefore = end - base < edit.start;
    if (isStatement(node) && (isBefore || start - base > edit.oldEnd)) {
      const by = isBefore ? 0 : edit.newEnd - edit.oldEnd;
      found.set(placeOf(start + by, end + by), node);
      return;
    }
    // Only statements that the edit lies in are looked into.
    if (isStatement(node) || node.kind === 'ExceptHandler' || node.kind === 'MatchCase') forEachChild(node, visit);
  };
  for (const statement of among) visit(statement);
  return found;
}

/** The function that an offset lies in or behind, but not in its decorators or its first line. */
function functionWithBodyAt(statements: readonly py.Statement[], offset: number): py.FunctionDef | undefined {
  const last = statements.findLast(({ span }) => span.start <= offset);
  const first = last?.kind === 'FunctionDef' ? last.body[0] : undefined;
  return last?.kind === 'FunctionDef' && first && first.span.start <= offset ? last : undefined;
}

function isSame(old: readonly py.Statement[], fresh: readonly py.Statement[]): boolean {
  return old.length === fresh.length && old.every((statement, index) => statement === fresh[index]);
}

/**
 * Puts the new body of a function into the old one, when nothing else is new. By that all that was found out about other
 * statements stays true of them.
 */
function takeOverBody(
  declaration: py.FunctionDef,
  old: readonly py.Statement[],
  fresh: readonly py.Statement[],
): EditedFunction | undefined {
  const at = old.indexOf(declaration);
  const now = fresh[at];
  if (now?.kind !== 'FunctionDef' || !isSame(old, fresh.with(at, declaration))) return undefined;
  const { body, walked } = declaration;
  declaration.body = now.body;
  for (const statement of now.body) statement.parent = declaration;
  declaration.walked = undefined;
  declaration.span.end = now.span.end;
  forgetPlaces(declaration);
  return { declaration, before: { body, walked } };
}
