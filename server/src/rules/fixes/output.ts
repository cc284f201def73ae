/** Where values are only shown: printed, logged, put into text. */
import type { Program } from '../../guards/program.ts';
import type { Call, Expression, Node, Statement } from '../../python/syntax.ts';
import { walk } from '../../python/syntax.ts';

/** True where `None` does no harm: it is printed, logged, formatted as text or kept under a name. */
export function canBeNone(program: Program, expression: Expression): boolean {
  const around = expression.parent;
  switch (around?.kind) {
    case 'Str':
      return /^\s*=?\s*(![rsa])?\}/.test(program.text.slice(expression.span.end, expression.span.end + 40));
    case 'BinOp':
      return around.op === '%' && around.right === expression && isTextFormat(around.left);
    case 'Sequence':
      return around.parent?.kind === 'BinOp' && around.parent.op === '%' && isTextFormat(around.parent.left);
    case 'Assign': {
      const isName = (target: Expression): boolean =>
        target.kind === 'Name' ||
        target.kind === 'Attribute' ||
        (target.kind === 'Sequence' && target.items.every(isName));
      return around.value === expression && around.operator === undefined && around.targets.every(isName);
    }
    case 'Argument':
      return !around.star && around.parent?.kind === 'Call' && takesAnything(around.parent);
    default:
      return around?.kind === 'OtherExpression' && isPrintStatement(around);
  }
}

/** True for a call that prints, logs or formats its arguments as text. */
function takesAnything({ func, args }: Call): boolean {
  if (func.kind === 'Attribute' && func.attr === 'format')
    return func.value.kind === 'Str' && !/\{[^{}]*:/.test(func.value.value ?? ':');
  const [first] = args;
  return isOutputFunction(func) && (first?.value.kind !== 'Str' || isTextFormat(first.value));
}

/** False for a format that wants a number. */
function isTextFormat(format: Expression): boolean {
  return format.kind === 'Str' && format.value !== undefined && !/%[^sr%]/.test(format.value.replaceAll('%%', ''));
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
  if (statement.kind !== 'ExpressionStatement') return false;
  const { value } = statement;
  if (!isPrintStatement(value) && !(value.kind === 'Call' && isOutputFunction(value.func))) return false;
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

/** Python 2's `print x, y` */
function isPrintStatement(node: Node): boolean {
  return (
    node.kind === 'OtherExpression' &&
    node.parent?.kind === 'ExpressionStatement' &&
    node.span.start === node.parent.span.start &&
    node.span.end === node.parent.span.end &&
    !node.isAwait
  );
}
