/** Code whose purpose is to show where tensors are: it prints or compares their devices. */
import type { Program } from '../../guards/program.ts';
import type { Reason } from '../../guards/reason.ts';
import { calledName } from '../../python/semantic/accessPaths.ts';
import { callTaking } from '../../python/semantic/arguments.ts';
import { isDisplay } from '../../python/semantic/literals.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import type { Use } from '../../python/semantic/programIndex.ts';
import { spanOf } from '../../python/semantic/source.ts';
import type { Expression, Node } from '../../python/syntax/nodes.ts';

/** Calls of programs that compute something. */
const PURPOSES = ['backward', 'step', 'fit', 'load_state_dict', 'generate', 'predict', 'eval'];

/** Returns the reason if a cell, or a script without functions, shows the devices of its values. */
export function demonstrating(node: Expression, program: Program): Reason[] {
  const shown = shownDevices(program).get(program.toCell(node).cell);
  return shown && !program.names.functionOf(node)
    ? [{ because: 'this code shows the devices of its values', at: spanOf(shown) }]
    : [];
}

const shownDevices = memoize((program: Program): ReadonlyMap<number, Use> => {
  const found = new Map<number, Use>();
  const { index, source } = program;
  const isLesson = source.kind === 'notebook' || index.functions.length === 0;
  if (!isLesson) return found;
  const busy = new Set(index.callsSpelled(PURPOSES).map((call) => program.toCell(call).cell));
  for (const use of index.usesOf('device')) {
    const { cell } = program.toCell(use);
    if (use.kind === 'Attribute' && isShown(use) && !busy.has(cell) && !found.has(cell)) found.set(cell, use);
  }
  return found;
});

/** `print(x.device)`, `x.device == y.device`, or `x.device` as a statement, which a notebook shows. */
function isShown(use: Use): boolean {
  let at: Node = use;
  while (isDisplay(at.parent) || at.parent?.kind === 'FormattedValue' || at.parent?.kind === 'JoinedStr')
    at = at.parent;
  if (at.parent?.kind === 'Expr') return true;
  if (at.parent?.kind === 'Compare') return true;
  const call = at.parent?.kind === 'Call' ? callTaking(at as Expression) : undefined;
  return call !== undefined && calledName(call) === 'print';
}
