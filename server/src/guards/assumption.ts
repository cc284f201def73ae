/** Evidence under the assumption that a name holds one of its possible devices. */
import { pathOf } from '../python/semantic/accessPaths.ts';
import { isDisplay, stringOf } from '../python/semantic/literals.ts';
import type { Expression } from '../python/syntax/nodes.ts';

/** The literal that a name is assumed to hold at a given point. */
export interface Assumption {
  readonly path: string;
  readonly device: string;
}

/** True if a comparison cannot have this outcome for the assumed device. */
export function contradicts(assumed: Assumption, left: Expression, op: string, right: Expression): boolean {
  const contained = stringOf(left);
  if ((op === 'in' || op === 'not in') && contained !== undefined) {
    if (devicePathOf(right)?.path !== assumed.path) return false;
    return assumed.device.includes(contained) !== (op === 'in');
  }
  const subject = devicePathOf(left);
  if (subject?.path !== assumed.path) return false;
  const device = subject.isType ? assumed.device.replace(/:.*/, '') : assumed.device;
  if (op === 'in' || op === 'not in') {
    if (!isDisplay(right) || right.elts.some((item) => stringOf(item) === undefined)) return false;
    return right.elts.some((item) => stringOf(item) === device) !== (op === 'in');
  }
  const text = stringOf(right);
  return text !== undefined && (text === device) !== (op === '==' || op === 'is');
}

/**
 * The path of the tested device: `device` for `device`, `str(device)`, `device.type` and `torch.device(device).type`.
 */
function devicePathOf(expression: Expression): { path: string; isType: boolean } | undefined {
  if (expression.kind === 'Call') {
    const [first] = expression.args;
    const isOnly = expression.args.length === 1 && expression.keywords.length === 0;
    return first && isOnly ? devicePathOf(first) : undefined;
  }
  if (expression.kind === 'Attribute' && expression.attr === 'type') {
    const inner = devicePathOf(expression.value);
    return inner && { ...inner, isType: true };
  }
  const path = pathOf(expression);
  return path === undefined ? undefined : { path, isType: false };
}
