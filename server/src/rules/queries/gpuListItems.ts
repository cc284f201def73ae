/** A single GPU from TensorFlow's list: `tf.config.list_physical_devices("GPU")[0]`, which may be empty. */

import { listsGpus } from '../../guards/availability.ts';
import type { Program } from '../../guards/program.ts';
import { isNumber } from '../../python/semantic/literals.ts';
import type { Call, Expression, Subscript } from '../../python/syntax/nodes.ts';
import type { Selector } from '../engine/selector.ts';

export interface GpuListItem {
  readonly node: Subscript;
  /** The list: the call, or the name that holds it. */
  readonly list: Expression;
}

export const gpuListItems: Selector<GpuListItem> = {
  calls: {
    names: new Set(['list_physical_devices', 'list_logical_devices']),
    resolve: (call, program) => (listsGpus(call, program.names) ? itemsOf(call, program) : []),
  },
};

function itemsOf(call: Call, { index, names }: Program): GpuListItem[] {
  const direct = itemOf(call);
  if (direct) return [direct];
  const statement = call.parent;
  const target = statement?.kind === 'Assign' && statement.targets.length === 1 ? statement.targets[0] : undefined;
  if (target?.kind !== 'Name') return [];
  return index.usesOf(target.id).flatMap((use) => {
    const item = use.kind === 'Name' ? itemOf(use) : undefined;
    return item && use.kind === 'Name' && names.definitionsOf(use).some(({ value }) => value === call) ? [item] : [];
  });
}

/** `gpus[0]` */
function itemOf(list: Expression): GpuListItem | undefined {
  const around = list.parent;
  if (around?.kind !== 'Subscript' || around.value !== list || !isNumber(around.slice)) return undefined;
  return { node: around, list };
}
