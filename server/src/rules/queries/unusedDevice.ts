import type { Program } from '../../guards/program.ts';
import type { Reason } from '../../guards/reason.ts';
import { spanOf } from '../../python/semantic/source.ts';
import type { Expression } from '../../python/syntax/nodes.ts';
import { usesBound } from './definedUses.ts';

/** Why a device is only worth a hint that a local name is given and that nothing reads: to name a device needs none. */
export function unusedDevice(program: Program, literal: Expression): readonly Reason[] {
  const made = literal.parent?.kind === 'Call' ? literal.parent : literal;
  const statement = made.parent;
  if (statement?.kind !== 'Assign' || statement.value !== made || statement.targets.length !== 1) return [];
  const [target] = statement.targets;
  // What a module defines, other modules may import.
  if (target?.kind !== 'Name' || program.names.functionOf(statement) === undefined) return [];
  const isRead = usesBound(target, statement, program).length > 0;
  return isRead ? [] : [{ because: `nothing uses \`${target.id}\``, at: spanOf(target) }];
}
