/**
 * Takes an edit over into the statements of a text that could be read, by parsing the lines around it alone. A block of
 * Python is read statement by statement from the same state; so where the lines between two of them are whole by
 * themselves, so is all of the text, and the other statements are what they were.
 */
import { hasBrokenLayout } from './brokenLayout.ts';
import type { Difference } from './difference.ts';
import { field, type Raw } from './raw.ts';
import { placeOf, type Read, readStatements } from './read.ts';
import { type Replacement, replacementIn, type SameText } from './replacement.ts';
import { forgetPlaces, shift } from './shift.ts';
import { type Compound, type Readable, type Stretch, stretchAround, withNext } from './stretch.ts';
import type * as py from './syntax.ts';
import { forEachChild, isStatement } from './syntax.ts';

/** A function or method, in no other one, of which only the body was edited. */
export interface EditedFunction {
  readonly declaration: py.FunctionDef;
  readonly before: BodyBefore;
  /** What the edit did somewhere in the body. */
  readonly replaced?: Replacement;
}

/** The body of a function as it was before an edit; some of it may be a part of what it is now. */
export type BodyBefore = Pick<py.FunctionDef, 'body' | 'walked'>;

/** A text of which only what stands outside of functions and classes was edited. */
export interface EditedModule {
  /** The statements of the text before the edit. */
  readonly before: readonly py.Statement[];
  /** Those of the block where it was that are gone. */
  readonly gone: readonly py.Statement[];
  readonly replaced: Replacement;
}

export interface Reparsed {
  readonly body: readonly py.Statement[];
  readonly editedFunction?: EditedFunction;
  readonly editedModule?: EditedModule;
}

/** Stands for what is around a block when its lines are parsed. */
const HEADER = 'class c:\n';
/** Stands for the statements before and after them: each must be read as one of its own. */
const NEIGHBOUR = '0';

/**
 * The statements of `text`, which `edit` made of `before`, whose statements are used up by that. Where the lines around
 * the edit cannot be read it is `'broken'`, and undefined where they cannot be told from the rest; `before` is then as
 * it was.
 */
export function reparse(before: Readable, text: string, edit: Difference): Reparsed | 'broken' | undefined {
  const stretch = stretchAround(before, text, edit);
  if (!stretch) return undefined;
  const alone = reparseLines(before, text, edit, stretch);
  if (alone && alone !== 'broken') return alone;
  // A decorator, or a line that goes on below, may make a whole of it with the next statement.
  const longer = withNext(stretch, before);
  return longer === undefined || longer.to === stretch.to ? alone : reparseLines(before, text, edit, longer);
}

function reparseLines(before: Readable, text: string, edit: Difference, stretch: Stretch): ReturnType<typeof reparse> {
  const { around, block, from, to } = stretch;
  const by = edit.newEnd - edit.oldEnd;
  const old = block.slice(from, to);
  const behind = nodesBehind(before, around, stretch.oldEnd + before.base);
  const editedHere = functionWithBodyAt(old, edit.start + before.base);

  const isFirst = around.length === 0 && from === 0;
  const upToLines = `${around.length > 0 ? HEADER : ''}${isFirst ? '' : `${stretch.indentation}${NEIGHBOUR}\n`}`;
  const read = (within: string, end: number, known?: ReadonlyMap<string, py.Statement>): Read => {
    const lines = within.slice(stretch.start, end);
    const upToNext = `${upToLines}${lines}${lines === '' || lines.endsWith('\n') ? '' : '\n'}${stretch.indentation}`;
    const alone = `${upToNext}${NEIGHBOUR}\n`;
    if (hasBrokenLayout(alone)) return { statements: undefined, hasErrors: true };
    return readStatements(alone, {
      base: before.base + stretch.start - upToLines.length,
      known,
      onlyWhole: true,
      block(root) {
        const [only, ...more] = root.children;
        const inner = around.length === 0 ? root : only && more.length === 0 ? field(only, 'body') : undefined;
        return inner && withoutNeighbours(inner, isFirst ? 0 : 1, upToNext.length);
      },
    });
  };
  if (before.hasErrors && !read(before.text, stretch.oldEnd).statements) return undefined;
  const { statements: fresh, hasErrors } = read(text, stretch.oldEnd + by, statementsOutside(edit, before.base, old));
  if (hasErrors) return 'broken';
  if (!fresh) return undefined;

  const isSameText: SameText = (was, is) =>
    before.text.slice(was.start - before.base, was.end - before.base) ===
    text.slice(is.start - before.base, is.end - before.base);
  for (const node of behind) shift(node, by);
  for (const node of around) {
    node.span.end += by;
    forgetPlaces(node);
  }
  if (isSame(old, fresh)) return { body: before.body };
  const declaration = around.find((node) => node.kind === 'FunctionDef');
  if (!declaration && editedHere) {
    const now = fresh[old.indexOf(editedHere)];
    const others = fresh.map((statement) => (statement === now ? editedHere : statement));
    if (now?.kind === 'FunctionDef' && isSame(old, others))
      return { body: before.body, ...takeOver(editedHere, now, isSameText) };
  }
  const owner = around.at(-1);
  for (const statement of fresh) statement.parent = owner;
  const body = [...block.slice(0, from), ...fresh, ...block.slice(to)];
  const replaced = replacementIn(old, fresh, isSameText);
  const kept = new Set(fresh);
  const gone = old.filter((statement) => !kept.has(statement));
  const editedModule: EditedModule = { before: before.body, gone, replaced };
  if (!owner) return { body, editedModule };
  const was = declaration && { body: [...declaration.body, ...old], walked: declaration.walked };
  owner.body = body;
  if (!declaration || !was)
    return { body: [...before.body], ...(!around.some(({ kind }) => kind === 'ClassDef') && { editedModule }) };
  declaration.walked = undefined;
  return { body: before.body, editedFunction: { declaration, before: was, replaced } };
}

/** What comes after a stretch in the blocks around it. */
function nodesBehind({ body }: Readable, around: readonly Compound[], end: number): py.Node[] {
  const found: py.Node[] = body.filter(({ span }) => span.start >= end);
  for (const node of around)
    forEachChild(node, (child) => {
      if (child.span.start >= end) found.push(child);
    });
  return found;
}

/** The block without what stands for its neighbours; undefined where the next one was not read as a statement. */
function withoutNeighbours(block: Raw, before: number, next: number): Raw | undefined {
  const last = block.children.at(-1);
  if (last?.type !== 'expression_statement' || last.start !== next) return undefined;
  return { ...block, children: block.children.slice(before, -1) };
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

/** Gives a function its new body. By that all that was found out about other statements stays true of them. */
function takeOver(
  declaration: py.FunctionDef,
  now: py.FunctionDef,
  isSameText: SameText,
): Pick<Reparsed, 'editedFunction'> {
  const { body, walked } = declaration;
  declaration.span.end = now.span.end;
  forgetPlaces(declaration);
  for (const statement of now.body) statement.parent = declaration;
  if (isSame(body, now.body)) return {};
  declaration.body = now.body;
  declaration.walked = undefined;
  return {
    editedFunction: { declaration, before: { body, walked }, replaced: replacementIn(body, now.body, isSameText) },
  };
}
