/** Edits that keep the layout: an expression in place of another, a statement under a header. */

import type { Program } from '../../guards/program.ts';
import { isString, type StringLiteral } from '../../python/semantic/literals.ts';
import type { Expression, Node, Statement } from '../../python/syntax/nodes.ts';
import { walk } from '../../python/syntax/walk.ts';
import type { Edit } from './fix.ts';
import { endsLine, indentOf, indentUnit, lineEnd, newlineAt, startsLine } from './layout.ts';

export const insertion = (offset: number, newText: string): Edit => ({ span: { start: offset, end: offset }, newText });

export const replacement = (start: number, end: number, newText: string): Edit => ({ span: { start, end }, newText });

/** Turns `x` into the conditional expression `x if … else …`, in parentheses if its position requires them. */
export function asConditional(program: Program, node: Expression, rest: string): Edit[] {
  if (!needsParentheses(program, node)) return [insertion(node.end, rest)];
  return [insertion(node.start, '('), insertion(node.end, `${rest})`)];
}

/** True if a conditional expression in the node's place would parse differently. */
export function needsParentheses(program: Program, node: Expression): boolean {
  const around = node.parent;
  return around !== undefined && bindsTighter(around, node) && !isParenthesized(program, node);
}

function bindsTighter(around: Node, node: Expression): boolean {
  switch (around.kind) {
    case 'Attribute':
    case 'BoolOp':
    case 'UnaryOp':
    case 'BinOp':
    case 'Compare':
    case 'Starred':
    case 'Await':
    case 'Slice':
    case 'Yield':
    case 'YieldFrom':
    case 'Repr':
    case 'Print':
    case 'BrokenExpression':
      return true;
    case 'Call':
      return around.func === node;
    case 'Subscript':
      return around.value === node;
    case 'IfExp':
      return around.orelse !== node;
    case 'comprehension':
      return around.target !== node;
    case 'keyword':
      return around.arg === undefined;
    case 'Dict':
      return around.keys[around.values.indexOf(node)] === undefined && around.values.includes(node);
    default:
      return false;
  }
}

/** True for an expression in its own parentheses. */
function isParenthesized(program: Program, node: Expression): boolean {
  return (
    /\(\s*$/.test(program.text.slice(Math.max(0, node.start - 80), node.start)) &&
    /^\s*\)/.test(program.text.slice(node.end, node.end + 80))
  );
}

/** True for a statement that shares its lines only with a comment. */
export function isAloneOnItsLines(program: Program, statement: Statement): boolean {
  return startsLine(program, statement.start) && endsLine(program, statement.end);
}

/** Puts a statement on lines of its own under a header such as `if x:`, indented one more step. */
export function underHeader(program: Program, statement: Statement, header: string): Edit[] {
  const unit = indentUnit(program);
  const newline = newlineAt(program, statement.start);
  const edits = [insertion(statement.start, `${header}${newline}${indentOf(program, statement.start)}${unit}`)];
  const strings: StringLiteral[] = [];
  walk(statement, (node) => {
    if (isString(node)) strings.push(node);
  });
  for (let end = lineEnd(program, statement.start); end < statement.end; ) {
    const start = end + (program.text.startsWith('\r\n', end) ? 2 : 1);
    end = lineEnd(program, start);
    const isInString = strings.some((string) => string.start < start && start < string.end);
    if (!isInString && program.text.slice(start, end).trim() !== '') edits.push(insertion(start, unit));
  }
  return edits;
}
