/** Summarizes the statements of a text: `x =; def f { return }; broken { y = }`. */
import type { Expression, Node, Statement } from '../../../server/src/python/syntax/nodes.ts';

export const outline = (body: readonly Statement[]): string => body.map(statement).join('; ');

function statement(node: Statement): string {
  switch (node.kind) {
    case 'FunctionDef':
      return `def ${node.name} ${block(node.body)}`;
    case 'ClassDef':
      return `class ${node.name} ${block(node.body)}`;
    case 'If':
    case 'While':
    case 'For':
      return `${node.kind.toLowerCase()} ${block(node.body)}${node.orelse.length > 0 ? ` else ${block(node.orelse)}` : ''}`;
    case 'With':
    case 'Broken':
      return `${node.kind.toLowerCase()} ${block(node.body)}`;
    case 'Try': {
      const handlers = node.handlers.map(
        (handler) => ` except${handler.name === undefined ? '' : ` as ${handler.name}`} ${block(handler.body)}`,
      );
      const rest = node.finalbody.length > 0 ? ` finally ${block(node.finalbody)}` : '';
      return `try ${block(node.body)}${handlers.join('')}${rest}`;
    }
    case 'Match':
      return `match ${node.cases.map(({ body }) => block(body)).join(' ')}`;
    case 'Assign':
      return `${node.targets.map((target) => `${name(target)} =`).join(' ')}${node.value.kind === 'Magic' ? ` ${node.value.syntax}` : ''}`;
    case 'Import':
    case 'ImportFrom':
      return `import ${node.names.map((alias) => alias.asname ?? alias.name).join(', ')}`;
    case 'Expr':
      return name(node.value);
    default:
      return node.kind.toLowerCase();
  }
}

const block = (body: readonly Statement[]): string => (body.length === 0 ? '{}' : `{ ${outline(body)} }`);

/** Names an expression by its outermost form. */
function name(node: Expression): string {
  switch (node.kind) {
    case 'Name':
      return node.id;
    case 'Call':
      return `${name(node.func)}()`;
    case 'Attribute':
      return `${name(node.value)}.${node.attr}`;
    case 'Constant':
      return JSON.stringify(node.value) ?? '...';
    case 'Magic':
      return node.syntax;
    default:
      return (node satisfies Node).kind;
  }
}
