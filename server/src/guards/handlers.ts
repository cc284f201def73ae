/** Guard 6: failures that the program looks at itself. */

import { calledName, lastPartOf, pathOf } from '../python/semantic/accessPaths.ts';
import { argumentsOf } from '../python/semantic/arguments.ts';
import { isExit } from '../python/semantic/exits.ts';
import { isDisplay, isNumber, stringOf } from '../python/semantic/literals.ts';
import type { NameResolution } from '../python/semantic/nameResolution.ts';
import type { ExceptHandler, Expression, Statement, Try, With } from '../python/syntax/nodes.ts';
import { walk } from '../python/syntax/walk.ts';

/** What a missing GPU raises, or a class above it. */
const CAUGHT = new Set([
  'RuntimeError',
  'AssertionError',
  'Exception',
  'BaseException',
  'CudaError',
  'AcceleratorError',
]);

const SUPPRESSING = /^(suppress|raises|assertRaises|assertRaisesRegex)$/;

/** True when the program goes on where what runs inside fails for want of a GPU. */
export function handlesMissingGpu(by: Try | With, names: NameResolution): boolean {
  if (by.kind === 'With') {
    return by.items.some(({ context_expr: context }) => {
      if (context.kind !== 'Call' || !SUPPRESSING.test(calledName(context))) return false;
      return argumentsOf(context).some(({ value }) => catches(value, names));
    });
  }
  const handler = by.handlers.find(({ type }) => !type || catches(type, names));
  return handler !== undefined && !reraises(handler.body, handler) && !makesUp(handler, by, names);
}

/** What asks about the machine, for which a number is an answer where there is no GPU. */
const ABOUT_MACHINE = /cuda|gpu|device|vram|mem|count|avail|capab|driver|backend/i;

/**
 * True for a broad handler that puts a constant in place of a result: without a GPU the program answers wrongly, and nobody
 * learns why. A constant that answers a question about the machine is right.
 */
function makesUp({ type, body }: ExceptHandler, by: Try, names: NameResolution): boolean {
  if (type && !isBroad(type)) return false;
  if (ABOUT_MACHINE.test(names.functionOf(by)?.name ?? '') || by.body.some(asksAboutGpu)) return false;
  return body.some((statement) => {
    if (statement.kind === 'Return') return statement.value !== undefined && isMadeUp(statement.value);
    if (statement.kind === 'Assign')
      return isMadeUp(statement.value) && !statement.targets.some((target) => ABOUT_MACHINE.test(pathOf(target) ?? ''));
    if (statement.kind !== 'Expr' || statement.value.kind !== 'Call') return false;
    return calledName(statement.value) === 'append' && statement.value.args.some(isMadeUp);
  });
}

/** `torch.cuda.get_device_properties(0)`, `torch.cuda.mem_get_info()` */
function asksAboutGpu(statement: Statement): boolean {
  let asks = false;
  walk(statement, (node) => {
    asks ||= node.kind === 'Call' && /^(get_device_\w+|mem_get_info|current_device)$/.test(calledName(node));
  });
  return asks;
}

function isBroad(type: Expression): boolean {
  if (isDisplay(type)) return type.elts.some(isBroad);
  return (type.kind === 'Name' || type.kind === 'Attribute') && /^(Base)?Exception$/.test(lastPartOf(type) ?? '');
}

/** A score, an empty list, a dictionary of zeros. `None`, a truth value and text say that there is no result. */
function isMadeUp(value: Expression): boolean {
  if (isNumber(value)) return true;
  if (value.kind === 'UnaryOp') return isNumber(value.operand);
  if (isDisplay(value)) return value.elts.every(isMadeUp);
  if (value.kind === 'Dict') return value.values.every(isMadeUp);
  return value.kind === 'Call' && calledName(value) === 'zeros';
}

function catches(type: Expression, names: NameResolution): boolean {
  if (isDisplay(type)) return type.elts.some((item) => catches(item, names));
  if (type.kind !== 'Name' && type.kind !== 'Attribute') return false;
  if (names.qualify(type).some((name) => name.startsWith('tensorflow.errors.'))) return true;
  if (pathOf(type)?.includes('.errors.')) return true;
  return CAUGHT.has(lastPartOf(type) ?? '');
}

/** True when the error of a missing GPU may leave the block as an exception, or ends the program. */
function reraises(body: readonly Statement[], handler: ExceptHandler): boolean {
  for (const statement of body) {
    switch (statement.kind) {
      case 'Expr':
        if (isExit(statement.value)) return true;
        break;
      case 'Raise':
        return true;
      case 'Return':
      case 'Break':
      case 'Continue':
        return false;
      case 'If': {
        const matches = matchesMissingGpu(statement.test, handler);
        if (matches !== false && reraises(statement.body, handler)) return true;
        if (matches !== true && reraises(statement.orelse, handler)) return true;
        const taken = matches === true ? statement.body : matches === false ? statement.orelse : undefined;
        if (taken && leaves(taken)) return false;
        break;
      }
      case 'With':
      case 'For':
      case 'While':
        if (reraises(statement.body, handler)) return true;
        break;
      case 'Try':
        if (
          [statement.orelse, statement.finalbody, ...statement.handlers.map((each) => each.body)].some((block) =>
            reraises(block, handler),
          )
        ) {
          return true;
        }
        if (statement.handlers.length === 0 && reraises(statement.body, handler)) return true;
        break;
      default:
        break;
    }
  }
  return false;
}

const leaves = (body: readonly Statement[]) =>
  body.some(({ kind }) => kind === 'Return' || kind === 'Break' || kind === 'Continue');

/**
 * Whether the message of a missing GPU passes a test on the error's text, such as `"out of memory" in str(e)`; undefined
 * when the test asks something else.
 */
function matchesMissingGpu(test: Expression, handler: ExceptHandler): boolean | undefined {
  if (test.kind === 'UnaryOp' && test.op === 'not') {
    const inner = matchesMissingGpu(test.operand, handler);
    return inner === undefined ? undefined : !inner;
  }
  if (test.kind !== 'Compare' || test.ops.length !== 1 || handler.name === undefined) return undefined;
  const text = stringOf(test.left);
  if (text === undefined) return undefined;
  const isContained = /cuda|gpu|nvidia|driver|deserialize/i.test(text) && !/memory|cudnn|cublas/i.test(text);
  return test.ops[0] === 'in' ? isContained : test.ops[0] === 'not in' ? !isContained : undefined;
}
