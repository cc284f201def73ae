import type { Expression, Statement } from '../syntax.ts';
import { pathOf } from './accessPaths.ts';

/** The names and paths that statements assign, those below them included; functions and classes keep theirs. */
export function assignedIn(statements: readonly Statement[], found = new Set<string>()): ReadonlySet<string> {
  for (const statement of statements) {
    switch (statement.kind) {
      case 'Assign':
        for (const target of statement.targets) addTarget(target, found);
        break;
      case 'For':
        addTarget(statement.target, found);
        assignedIn(statement.body, found);
        assignedIn(statement.orelse, found);
        break;
      case 'If':
      case 'While':
        assignedIn(statement.body, found);
        assignedIn(statement.orelse, found);
        break;
      case 'With':
        for (const item of statement.items) if (item.target) addTarget(item.target, found);
        assignedIn(statement.body, found);
        break;
      case 'Try':
        for (const handler of statement.handlers) assignedIn(handler.body, found);
        assignedIn(statement.body, found);
        assignedIn(statement.orelse, found);
        assignedIn(statement.finalbody, found);
        break;
      case 'Match':
        for (const clause of statement.cases) assignedIn(clause.body, found);
        break;
      default:
        break;
    }
  }
  return found;
}

function addTarget(target: Expression, found: Set<string>): void {
  if (target.kind === 'Sequence') for (const item of target.items) addTarget(item, found);
  else if (target.kind === 'Starred') addTarget(target.value, found);
  else {
    const path = pathOf(target);
    if (path !== undefined) found.add(path);
  }
}
