/** Detects values that are only shown: printed, logged or inserted into text. */

import type { Program } from '../../guards/program.ts';
import { argumentOf } from '../../python/semantic/arguments.ts';
import { isDisplay, isString, stringOf } from '../../python/semantic/literals.ts';
import type { Call, Expression, Statement } from '../../python/syntax/nodes.ts';
import { walk } from '../../python/syntax/walk.ts';

/** True if `None` is a harmless value: it is printed, logged, formatted as text or stored under a name. */
export function canBeNone(expression: Expression): boolean {
  const around = expression.parent;
  switch (around?.kind) {
    case 'FormattedValue':
      return around.format_spec === undefined;
    case 'BinOp':
      return around.op === '%' && around.right === expression && isTextFormat(around.left);
    case 'Tuple':
      if (around.parent?.kind === 'BinOp' && around.parent.op === '%') return isTextFormat(around.parent.left);
      return false;
    case 'Assign': {
      const isName = (target: Expression): boolean =>
        target.kind === 'Name' || target.kind === 'Attribute' || (isDisplay(target) && target.elts.every(isName));
      return around.value === expression && around.targets.every(isName);
    }
    case 'Print':
      return around.dest !== expression;
    case 'Call':
    case 'keyword':
    case 'Starred': {
      const argument = argumentOf(expression);
      return argument !== undefined && !argument.star && takesAnything(argument.call);
    }
    default:
      return false;
  }
}

/** True for a call that prints, logs or formats its arguments as text. */
function takesAnything({ func, args: [first] }: Call): boolean {
  if (func.kind === 'Attribute' && func.attr === 'format') return !/\{[^{}]*:/.test(stringOf(func.value) ?? '{:');
  return isOutputFunction(func) && (!isString(first) || isTextFormat(first));
}

/** False for a format that requires a number. */
function isTextFormat(format: Expression): boolean {
  const text = stringOf(format);
  return text !== undefined && !/%[^sr%]/.test(text.replaceAll('%%', ''));
}

function isOutputFunction(func: Expression): boolean {
  if (func.kind === 'Name') return func.id === 'print';
  return (
    func.kind === 'Attribute' &&
    /^(debug|info|warn|warning|error|critical|exception|log|print|write|write_line)$/.test(func.attr)
  );
}

/** True for a statement that prints or logs, and calls nothing else that the program may need. */
export function isOnlyOutput(program: Program, statement: Statement): boolean {
  const call = statement.kind === 'Expr' && statement.value.kind === 'Call' ? statement.value : undefined;
  if (statement.kind !== 'Print' && !(call && isOutputFunction(call.func))) return false;
  let isOnly = true;
  walk(statement, (node) => {
    if (node.kind === 'Call' && !isOutputFunction(node.func)) isOnly &&= isHarmless(node, program);
  });
  return isOnly;
}

function isHarmless({ func }: Call, program: Program): boolean {
  if (func.kind === 'Attribute' && (func.attr === 'format' || func.attr === 'join')) return true;
  if (program.names.qualify(func).some((name) => /^(torch\.cuda|time|datetime)\./.test(name))) return true;
  return func.kind === 'Name' && /^(round|int|float|str|len|min|max|sum|format|repr)$/.test(func.id);
}
