/** Guards of a load, except handlers that only load again. */

import { reasonsOf } from '../../guards/evidence.ts';
import type { Program } from '../../guards/program.ts';
import type { Reason } from '../../guards/reason.ts';
import { conditionsOf } from '../../python/semantic/annotations.ts';
import { without } from '../../python/semantic/pathConditions.ts';
import type { Call, Node, Try } from '../../python/syntax/nodes.ts';
import { NO_LOADERS } from '../engine/selector.ts';
import { type Load, unplacedLoad } from './loaderCalls.ts';

/** Returns the guards of a load; a handler that loads without a device itself does not count. */
export function guardsOf({ call }: Load, loads: readonly Load[], program: Program): readonly Reason[] {
  let conditions = conditionsOf(call);
  for (let at = conditions; at; at = at.outer) {
    if (at.kind !== 'try' || at.statement.kind !== 'Try') continue;
    if (failsAgain(at.statement, loads)) conditions = without(conditions, at);
  }
  return reasonsOf(program.guards.evidenceAt(conditions));
}

const failsAgain = ({ handlers }: Try, loads: readonly Load[]): boolean =>
  loads.some((load) => !hasDevice(load) && handlers.some((handler) => isInside(load.call, handler)));

const hasDevice = ({ loaders }: Load): boolean => unplacedLoad(loaders, NO_LOADERS) === undefined;

const isInside = (call: Call, node: Node): boolean => node.start <= call.start && call.end <= node.end;
