import { pathOf } from '../python/semantic/accessPaths.ts';
import type { Expression } from '../python/syntax.ts';

/** What a name holds where it is asked about: one of the literals that it may hold. */
export interface Assumption {
  readonly path: string;
  readonly device: string;
}

/** True when a comparison can't come out this way, given what the device is. */
export function contradicts(assumed: Assumption, left: Expression, op: string, right: Expression): boolean {
  if ((op === 'in' || op === 'not in') && left.kind === 'Str') {
    if (left.value === undefined || devicePathOf(right)?.path !== assumed.path) return false;
    return assumed.device.includes(left.value) !== (op === 'in');
  }
  const subject = devicePathOf(left);
  if (subject?.path !== assumed.path) return false;
  const device = subject.isType ? assumed.device.replace(/:.*/, '') : assumed.device;
  if (op === 'in' || op === 'not in') {
    if (right.kind !== 'Sequence' || !right.items.every((item) => item.kind === 'Str')) return false;
    return right.items.some((item) => item.kind === 'Str' && item.value === device) !== (op === 'in');
  }
  if (right.kind !== 'Str' || right.value === undefined) return false;
  return (right.value === device) !== (op === '==' || op === 'is');
}

/** The device that is asked: `device` of `device`, `str(device)`, `device.type` and `torch.device(device).type`. */
function devicePathOf(expression: Expression): { path: string; isType: boolean } | undefined {
  if (expression.kind === 'Call') {
    const first = expression.args[0]?.value;
    return first && expression.args.length === 1 ? devicePathOf(first) : undefined;
  }
  if (expression.kind === 'Attribute' && expression.attr === 'type') {
    const inner = devicePathOf(expression.value);
    return inner && { ...inner, isType: true };
  }
  const path = pathOf(expression);
  return path === undefined ? undefined : { path, isType: false };
}
