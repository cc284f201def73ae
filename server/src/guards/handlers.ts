/** Guard 6: failures that the program handles itself. */

import { calledName, lastPartOf, pathOf } from '../python/semantic/accessPaths.ts';
import { argumentsOf } from '../python/semantic/arguments.ts';
import { isExit } from '../python/semantic/exits.ts';
import { isDisplay, isNumber, stringOf } from '../python/semantic/literals.ts';
import type { NameResolution } from '../python/semantic/nameResolution.ts';
import type { ExceptHandler, Expression, Statement, Try, With } from '../python/syntax/nodes.ts';
import { someNode } from '../python/syntax/walk.ts';

/** Exceptions raised without a GPU, and their base classes. */
const GPU_EXCEPTIONS = new Set([
  'RuntimeError',
  'AssertionError',
  'Exception',
  'BaseException',
  'CudaError',
  'AcceleratorError',
]);

const SUPPRESSING_CALLS = /^(suppress|raises|assertRaises|assertRaisesRegex)$/;

/** True if the program continues after the code inside fails because there is no GPU. */
export function handlesMissingGpu(statement: Try | With, names: NameResolution): boolean {
  if (statement.kind === 'With') {
    return statement.items.some(({ context_expr: context }) => {
      if (context.kind !== 'Call' || !SUPPRESSING_CALLS.test(calledName(context))) return false;
      return argumentsOf(context).some(({ value }) => catches(value, names));
    });
  }
  const handler = statement.handlers.find(({ type }) => !type || catches(type, names));
  return handler !== undefined && !reraises(handler.body, handler) && !hidesFailure(handler, statement, names);
}

/** Questions about the machine, for which a number is a valid answer without a GPU. */
const ABOUT_MACHINE = /cuda|gpu|device|vram|mem|count|avail|capab|driver|backend/i;

/**
 * True for a broad handler that replaces a result with a constant: without a GPU the program silently returns a wrong
 * result. A constant is valid if the code asks about the machine.
 */
function hidesFailure({ type, body }: ExceptHandler, by: Try, names: NameResolution): boolean {
  if (type && !isBroad(type)) return false;
  if (ABOUT_MACHINE.test(names.functionOf(by)?.name ?? '') || by.body.some(asksAboutGpu)) return false;
  return body.some((statement) => {
    if (statement.kind === 'Return') return statement.value !== undefined && isPlaceholder(statement.value);
    if (statement.kind === 'Assign')
      return (
        isPlaceholder(statement.value) && !statement.targets.some((target) => ABOUT_MACHINE.test(pathOf(target) ?? ''))
      );
    if (statement.kind !== 'Expr' || statement.value.kind !== 'Call') return false;
    return calledName(statement.value) === 'append' && statement.value.args.some(isPlaceholder);
  });
}

/** `torch.cuda.get_device_properties(0)`, `torch.cuda.mem_get_info()` */
function asksAboutGpu(statement: Statement): boolean {
  return someNode(
    statement,
    (node) => node.kind === 'Call' && /^(get_device_\w+|mem_get_info|current_device)$/.test(calledName(node)),
  );
}

function isBroad(type: Expression): boolean {
  if (isDisplay(type)) return type.elts.some(isBroad);
  return (type.kind === 'Name' || type.kind === 'Attribute') && /^(Base)?Exception$/.test(lastPartOf(type) ?? '');
}

/**
 * True for a score, an empty list, or a dictionary of zeros. `None`, booleans and text mean that there is no result.
 */
function isPlaceholder(value: Expression): boolean {
  if (isNumber(value)) return true;
  if (value.kind === 'UnaryOp') return isNumber(value.operand);
  if (isDisplay(value)) return value.elts.every(isPlaceholder);
  if (value.kind === 'Dict') return value.values.every(isPlaceholder);
  return value.kind === 'Call' && calledName(value) === 'zeros';
}

function catches(type: Expression, names: NameResolution): boolean {
  if (isDisplay(type)) return type.elts.some((item) => catches(item, names));
  if (type.kind !== 'Name' && type.kind !== 'Attribute') return false;
  if (names.qualify(type).some((name) => name.startsWith('tensorflow.errors.'))) return true;
  if (pathOf(type)?.includes('.errors.')) return true;
  return GPU_EXCEPTIONS.has(lastPartOf(type) ?? '');
}

/** True if the error of a missing GPU may leave the block as an exception or end the program. */
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
 * The outcome of a test of the error's text, such as `"out of memory" in str(e)`, for the message of a missing GPU;
 * undefined for other tests.
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
