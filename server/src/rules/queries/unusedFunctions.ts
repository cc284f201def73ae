/** Code that the program does not run: functions that nothing calls, and the demonstration at the end of a module. */
import type { Program } from '../../guards/program.ts';
import type { Reason } from '../../guards/reason.ts';
import { spanOf } from '../../python/semantic/source.ts';
import type { Expression, FunctionDef, Node } from '../../python/syntax/nodes.ts';
import { mainTestAround, runsSomething } from './blocks.ts';

/** Returns the reason if a place runs only when its module is started, which others import. */
export function demonstratedAt(node: Expression, program: Program): Reason[] {
  const mainTest = mainTestAround(node);
  return mainTest && program.project?.isImported()
    ? [{ because: 'other files import this module, which does not run this code', at: spanOf(mainTest) }]
    : [];
}

/** Returns the reason if the function around a place is never used. */
export function unusedAt(node: Expression, program: Program): Reason[] {
  const { project } = program;
  const home = outermostFunction(node);
  if (!project || !home || home.decorator_list.length > 0 || /^(test|main$|__)/i.test(home.name)) return [];
  // A use of an attribute of that name may be a use of any method.
  if (program.index.usesOf(home.name).some((use) => use.start !== home.start)) return [];
  const isTop = home.parent?.kind !== 'ClassDef';
  const isPrivate = home.name.startsWith('_');
  const isUnused = isTop ? project.isUnused(home.name, runsSomething(program)) : isPrivate;
  return isUnused
    ? [{ because: `nothing in the project calls \`${home.name}\``, at: { start: home.start, end: home.start + 3 } }]
    : [];
}

/** Returns the outermost function around a node; in a class, the method. */
function outermostFunction(node: Node): FunctionDef | undefined {
  let found: FunctionDef | undefined;
  for (let at = node.parent; at; at = at.parent) if (at.kind === 'FunctionDef') found = at;
  return found;
}
