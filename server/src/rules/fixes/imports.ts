/** The place after a program's imports, for definitions that depend on them. */

import type { Program } from '../../guards/program.ts';
import { rootOf } from '../../python/semantic/accessPaths.ts';
import { isString } from '../../python/semantic/literals.ts';
import type { Expression, Statement } from '../../python/syntax/nodes.ts';

/** Returns the last statement of the run of imports around or after `from`. */
export function lastOfImports(block: readonly Statement[], from: Statement): Statement {
  let last = from;
  for (let index = block.indexOf(from) + 1; index < block.length; index++) {
    const statement = block[index];
    if (!statement) break;
    // An environment variable is set for a library that is imported next.
    if (isImport(statement) || setsEnvironment(statement)) last = statement;
    else if (!isSetup(statement)) break;
  }
  return last;
}

/** Returns the cell's block that contains a top-level statement. */
export function cellBlock(program: Program, statement: Statement): readonly Statement[] {
  return program.cells.find((block) => block.includes(statement)) ?? [];
}

/** True for an import, including one in a `try` or under a condition. */
export function isImport(statement: Statement): boolean {
  switch (statement.kind) {
    case 'Import':
    case 'ImportFrom':
      return true;
    case 'Try':
      return (
        isImports(statement.body) &&
        [statement.orelse, statement.finalbody, ...statement.handlers.map(({ body }) => body)].every(isShort)
      );
    case 'If':
      return isImports(statement.body) && isShort(statement.orelse);
    case 'With':
      return isImports(statement.body);
    default:
      return false;
  }
}

const isImports = (block: readonly Statement[]) => block.some(isImport) && isShort(block);

/** True for statements that accompany an import: a fallback value, a flag, a message. */
const isShort = (block: readonly Statement[]) =>
  block.every(
    (statement) =>
      isImport(statement) ||
      statement.kind === 'Pass' ||
      statement.kind === 'Raise' ||
      statement.kind === 'Assign' ||
      statement.kind === 'AugAssign' ||
      statement.kind === 'AnnAssign' ||
      statement.kind === 'Expr',
  );

/**
 * True for statements that belong between imports: `sys.path.append("..")`, `os.environ["X"] = "1"`, a notebook's
 * magic.
 */
function isSetup(statement: Statement): boolean {
  if (statement.kind === 'Assign')
    return (
      statement.value.kind === 'Magic' ||
      statement.targets.every((target) => target.kind === 'Subscript' || isDunder(target))
    );
  if (statement.kind !== 'Expr') return false;
  const { value } = statement;
  return (
    isString(value) ||
    value.kind === 'Magic' ||
    (value.kind === 'Call' && value.func.kind === 'Attribute' && rootOf(value.func) !== undefined)
  );
}

/** `os.environ["X"] = "1"`, `os.environ.setdefault("X", "1")` */
function setsEnvironment(statement: Statement): boolean {
  const [set] = statement.kind === 'Assign' ? statement.targets : [];
  const call = statement.kind === 'Expr' && statement.value.kind === 'Call' ? statement.value : undefined;
  const holder = set?.kind === 'Subscript' ? set.value : call?.func.kind === 'Attribute' ? call.func.value : undefined;
  return holder !== undefined && lastOf(holder) === 'environ';
}

const lastOf = (expression: Expression) =>
  expression.kind === 'Attribute' ? expression.attr : expression.kind === 'Name' ? expression.id : undefined;

const isDunder = (target: Expression) => target.kind === 'Name' && /^__\w+__$/.test(target.id);

/**
 * Returns the first import of a block if only documentation, constants such as `__version__`, and magics precede it.
 */
export function firstImport(block: readonly Statement[]): Statement | undefined {
  for (const statement of block) {
    if (isImport(statement)) return statement;
    if (!isSetup(statement)) return undefined;
  }
  return undefined;
}

export const isDocumentation = (statement: Statement): boolean =>
  statement.kind === 'Expr' && isString(statement.value);
