/** The function that a call of the program runs, and the values that it returns. */
import type { ClassDef, Expression, FunctionDef } from '../syntax/nodes.ts';
import { walk } from '../syntax/walk.ts';

/** Returns the function that runs when a declaration is called: that of a class is its `__init__`. */
export function functionRun(declaration: FunctionDef | ClassDef | undefined): FunctionDef | undefined {
  if (declaration?.kind !== 'ClassDef') return declaration;
  return declaration.body.find(
    (statement): statement is FunctionDef => statement.kind === 'FunctionDef' && statement.name === '__init__',
  );
}

/** Returns the values of the function's own `return` statements; undefined for each that returns nothing. */
export function returnedBy(declaration: FunctionDef): (Expression | undefined)[] {
  const returned: (Expression | undefined)[] = [];
  for (const statement of declaration.body)
    walk(statement, (node) => {
      if (node.kind === 'FunctionDef' || node.kind === 'ClassDef' || node.kind === 'Lambda') return false;
      if (node.kind === 'Return') returned.push(node.value);
      return true;
    });
  return returned;
}
