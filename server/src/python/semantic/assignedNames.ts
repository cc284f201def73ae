/** The names that a part of a program may assign. */
import type { Expression, Statement } from '../syntax/nodes.ts';
import { blocksOf } from '../syntax/walk.ts';
import { pathOf } from './accessPaths.ts';
import { isDisplay } from './literals.ts';

/**
 * The names and paths that statements and nested statements assign; bodies of functions and classes are not included.
 */
export function assignedIn(statements: readonly Statement[], found = new Set<string>()): ReadonlySet<string> {
  for (const statement of statements) {
    switch (statement.kind) {
      case 'Assign':
        for (const target of statement.targets) addTarget(target, found);
        break;
      case 'AugAssign':
      case 'AnnAssign':
        addTarget(statement.target, found);
        break;
      case 'FunctionDef':
      case 'ClassDef':
        break;
      case 'For':
        addTarget(statement.target, found);
        assignedIn(statement.body, found);
        assignedIn(statement.orelse, found);
        break;
      case 'With':
        for (const { optional_vars } of statement.items) if (optional_vars) addTarget(optional_vars, found);
        assignedIn(statement.body, found);
        break;
      case 'Try':
        for (const handler of statement.handlers) assignedIn(handler.body, found);
        for (const block of blocksOf(statement)) assignedIn(block, found);
        break;
      case 'Match':
        for (const clause of statement.cases) assignedIn(clause.body, found);
        break;
      default:
        for (const block of blocksOf(statement)) assignedIn(block, found);
        break;
    }
  }
  return found;
}

function addTarget(target: Expression, found: Set<string>): void {
  if (isDisplay(target)) for (const item of target.elts) addTarget(item, found);
  else if (target.kind === 'Starred') addTarget(target.value, found);
  else {
    const path = pathOf(target);
    if (path !== undefined) found.add(path);
  }
}
