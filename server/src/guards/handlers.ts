/** Guard 6: failures that the program looks at itself. */

import { calledName, lastPartOf, pathOf } from '../python/semantic/accessPaths.ts';
import { argumentsOf } from '../python/semantic/arguments.ts';
import { isExit } from '../python/semantic/exits.ts';
import { isDisplay, stringOf } from '../python/semantic/literals.ts';
import type { NameResolution } from '../python/semantic/nameResolution.ts';
import type { ExceptHandler, Expression, Statement, Try, With } from '../python/syntax/nodes.ts';

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
  return handler !== undefined && !reraises(handler.body, handler);
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
