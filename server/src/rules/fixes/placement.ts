/** Edits that keep a text's layout: an expression in place of another, a statement under a header. */
import type { Program } from '../../guards/program.ts';
import type { Expression, Node, Statement, Str } from '../../python/syntax.ts';
import { walk } from '../../python/syntax.ts';
import type { Edit } from '../engine/contract.ts';
import { endsLine, indentOf, indentUnit, lineEnd, newlineAt, startsLine } from './layout.ts';

export const insertion = (offset: number, newText: string): Edit => ({ span: { start: offset, end: offset }, newText });

export const replacement = (start: number, end: number, newText: string): Edit => ({ span: { start, end }, newText });

/** Turns `x` into the conditional expression `x if … else …`, in parentheses where its place needs them. */
export function asConditional(program: Program, node: Expression, rest: string): Edit[] {
  if (!needsParentheses(program, node)) return [insertion(node.span.end, rest)];
  return [insertion(node.span.start, '('), insertion(node.span.end, `${rest})`)];
}

/** True where a conditional expression in the node's place would be read as something else. */
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
    case 'OtherExpression':
      return true;
    case 'Call':
      return around.func === node;
    case 'Subscript':
      return around.value === node;
    case 'IfExp':
      return around.orelse !== node;
    case 'Generator':
      return around.target !== node;
    case 'Argument':
      return around.star !== undefined;
    case 'DictEntry':
      return around.key === undefined;
    default:
      return false;
  }
}

/** True for an expression that stands alone in parentheses. */
function isParenthesized(program: Program, node: Expression): boolean {
  return (
    /\(\s*$/.test(program.text.slice(Math.max(0, node.span.start - 80), node.span.start)) &&
    /^\s*\)/.test(program.text.slice(node.span.end, node.span.end + 80))
  );
}

/** True for a statement with nothing but a comment beside it on its lines. */
export function isAloneOnItsLines(program: Program, statement: Statement): boolean {
  return startsLine(program, statement.span.start) && endsLine(program, statement.span.end);
}

/** Puts a statement that is alone on its lines under a header such as `if x:`, a step further in. */
export function underHeader(program: Program, statement: Statement, header: string): Edit[] {
  const unit = indentUnit(program);
  const newline = newlineAt(program, statement.span.start);
  const edits = [
    insertion(statement.span.start, `${header}${newline}${indentOf(program, statement.span.start)}${unit}`),
  ];
  const strings: Str[] = [];
  walk(statement, (node) => {
    if (node.kind === 'Str') strings.push(node);
  });
  for (let end = lineEnd(program, statement.span.start); end < statement.span.end; ) {
    const start = end + (program.text.startsWith('\r\n', end) ? 2 : 1);
    end = lineEnd(program, start);
    const isInString = strings.some((string) => string.span.start < start && start < string.span.end);
    if (!isInString && program.text.slice(start, end).trim() !== '') edits.push(insertion(start, unit));
  }
  return edits;
}
