import type { Program } from '../../guards/program.ts';
import type { Reason } from '../../guards/reason.ts';
import { spanOf } from '../../python/semantic/source.ts';
import type { Expression } from '../../python/syntax/nodes.ts';
import { usesBound } from './definedUses.ts';

/**
 * Returns the reason why a device in a local name that nothing reads is only a hint: naming a device does not need it.
 */
export function unusedDevice(program: Program, literal: Expression): readonly Reason[] {
  const made = literal.parent?.kind === 'Call' ? literal.parent : literal;
  const statement = made.parent;
  if (statement?.kind !== 'Assign' || statement.value !== made || statement.targets.length !== 1) return [];
  const [target] = statement.targets;
  // Other modules may import names that a module defines.
  if (target?.kind !== 'Name' || program.names.functionOf(statement) === undefined) return [];
  const isRead = usesBound(target, statement, program).length > 0;
  return isRead ? [] : [{ because: `nothing uses \`${target.id}\``, at: spanOf(target) }];
}
