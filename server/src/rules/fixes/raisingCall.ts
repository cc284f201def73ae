/** GPU202: a call that raises without a GPU is made only if there is one. */

import type { Program } from '../../guards/program.ts';
import { calledName } from '../../python/semantic/accessPaths.ts';
import { argumentOf, callTaking } from '../../python/semantic/arguments.ts';
import { isDisplay, isNumber } from '../../python/semantic/literals.ts';
import type { Call, Expression, Node, Statement } from '../../python/syntax/nodes.ts';
import { walk } from '../../python/syntax/walk.ts';
import { type RaisingCall, raisingCalls } from '../catalogue/catalogue.ts';
import { hasBrackets } from '../edits/arguments.ts';
import type { Fix } from '../edits/fix.ts';
import { asConditional, insertion, isAloneOnItsLines, underHeader } from '../edits/placement.ts';
import { statementAround } from '../queries/blocks.ts';
import { usesOfResult } from './loadedObject.ts';
import { type Offer, preferringFirst } from './offers.ts';
import { canBeNone, isOnlyOutput } from './output.ts';
import { quotedNear } from './quotes.ts';
import { isSound } from './soundness.ts';
import { cudaModuleOf } from './torchTest.ts';

const AVAILABLE = 'is_available()';
const CURRENT_DEVICE = 'torch.cuda.current_device';

export function fixesOfRaisingCall(program: Program, call: Call, raising: RaisingCall): Fix[] {
  const cuda = cudaModuleOf(program, call);
  if (!cuda || !hasBrackets(program, call) || !isSound(program, call) || isInsideAnother(program, call)) return [];
  const test = `${cuda.text}.is_available()`;
  const isShown = raising.value === 'guarded' && isShownByNotebook(program, call);
  if (isWholeStatement(chainOf(call)) && !isShown) {
    const guarded = underTest(program, call);
    if (guarded.length > 0) return preferringFirst(guarded, 'safe');
  }
  const statement = statementAround(call);
  if (
    statement &&
    isOnlyOutput(program, statement) &&
    !callsIn(program, statement).every(
      (each) => isInsideAnother(program, each) || canBeNone(arithmeticAround(chainOf(each))),
    )
  ) {
    const guarded = putUnder(program, call, statement, AVAILABLE);
    if (guarded.length > 0) return preferringFirst(guarded, 'safe');
  }
  const compared = comparisonAround(call);
  if (compared) {
    const edits = [...cuda.edits, insertion(compared.start, `${test} and `)];
    const before =
      compared.parent?.kind === 'BoolOp'
        ? compared.parent.values.slice(0, compared.parent.values.indexOf(compared))
        : [];
    // The test that is added to an earlier operand serves both.
    const isServed = before.some((operand) => callsIn(program, operand).length > 0);
    return preferringFirst([{ title: `Add \`${test} and\``, edits }], isServed ? 'suggestion' : 'safe');
  }
  const whole = arithmeticAround(chainOf(call));
  const other = standIn(program, call, whole, raising);
  const rest = ` if ${test} else ${other}`;
  const offer: Offer = {
    title: `Add \`${rest.trim()}\``,
    edits: [...cuda.edits, ...asConditional(program, whole, rest)],
  };
  const isHandle = /\.(Stream|Event|\w+_stream)$/.test(raising.name);
  const isKept = raising.name === CURRENT_DEVICE && whole === call && whole.parent?.kind === 'Assign';
  const canStandIn = isKept ? usesOfResult(program, call).every(isUsedAsDevice) : !isHandle && canBeNone(whole);
  const isSafe = raising.value === 'none' || isShown || canStandIn;
  return preferringFirst([offer], isSafe ? 'safe' : 'suggestion');
}

/** Puts the statement that consists of, or begins with, the call under `if torch.cuda.is_available():`. */
export function underTest(program: Program, call: Call, test = AVAILABLE): Offer[] {
  const statement = statementAround(call);
  return statement && isWholeStatement(chainOf(call)) ? putUnder(program, call, statement, test) : [];
}

/** Does the same for a whole statement, regardless of what it does with the value. */
export function underTestWhole(program: Program, call: Call, test = AVAILABLE): Offer[] {
  const statement = statementAround(call);
  return statement ? putUnder(program, call, statement, test) : [];
}

function putUnder(program: Program, call: Call, statement: Statement, test: string): Offer[] {
  const cuda = cudaModuleOf(program, call);
  if (!cuda || !isAloneOnItsLines(program, statement)) return [];
  const header = `if ${cuda.text}.${test}:`;
  return [{ title: `Guard with \`${header}\``, edits: [...cuda.edits, ...underHeader(program, statement, header)] }];
}

/** Returns `f().x.g()` for `f()`: the result with its attributes and calls. */
function chainOf(call: Call): Expression {
  let at: Expression = call;
  for (;;) {
    const around: Node | undefined = at.parent;
    if (around?.kind === 'Attribute' || (around?.kind === 'Subscript' && around.value === at)) at = around;
    else if (around?.kind === 'Call' && around.func === at) at = around;
    else return at;
  }
}

/** A notebook shows the value of a cell's last expression, but not under an `if`. */
function isShownByNotebook(program: Program, call: Call): boolean {
  const statement = statementAround(call);
  return (
    program.source.kind === 'notebook' &&
    statement !== undefined &&
    program.cells.some((cell) => cell.at(-1) === statement)
  );
}

const isWholeStatement = (expression: Expression) => expression.parent?.kind === 'Expr';

/** Returns the comparison that begins with the call, if it is used as a truth value or an operand of `and` or `or`. */
function comparisonAround(call: Call): Expression | undefined {
  const chain = chainOf(call);
  const compared = chain.parent?.kind === 'Compare' && chain.parent.left === chain ? chain.parent : undefined;
  switch (compared?.parent?.kind) {
    case 'If':
    case 'While':
    case 'BoolOp':
    case 'Assign':
    case 'AnnAssign':
    case 'Return':
    case 'Call':
      return compared;
    case 'keyword':
      return compared.parent.arg === undefined ? undefined : compared;
    default:
      return undefined;
  }
}

/** Returns the calculation with constants that contains the expression: `properties.total_memory / 2**30`. */
function arithmeticAround(expression: Expression): Expression {
  let at = expression;
  for (;;) {
    const around: Node | undefined = at.parent;
    if (around?.kind !== 'BinOp' || !isConstant(around.left === at ? around.right : around.left)) return at;
    at = around;
  }
}

function isConstant(expression: Expression): boolean {
  if (expression.kind === 'BinOp') return isConstant(expression.left) && isConstant(expression.right);
  return isNumber(expression);
}

/** Returns the replacement value without a GPU. */
function standIn(program: Program, call: Call, whole: Expression, raising: RaisingCall): string {
  // The code that uses the value takes it for the name of a device.
  if (whole === call && raising.name === CURRENT_DEVICE) return quotedNear(program, call, 'cpu');
  const around = whole.parent;
  const target = around?.kind === 'Assign' && around.value === whole ? around.targets[0] : undefined;
  return isDisplay(target) ? `(${target.elts.map(() => '0').join(', ')})` : 'None';
}

/** True if a device name works as well as its number: not in text, and not in `x.cuda(index)`. */
function isUsedAsDevice(use: Expression): boolean {
  const argument = argumentOf(use);
  if (!argument || argument.star) return false;
  if (argument.name === 'device' || argument.name === 'map_location') return true;
  return argument.name === undefined && argument.call.args[0] === use && calledName(argument.call) === 'to';
}

/** Returns the calls in a piece of the program that raise without a GPU. */
function callsIn(program: Program, node: Node): Call[] {
  const found: Call[] = [];
  walk(node, (inner) => {
    if (inner.kind === 'Call' && program.names.calleeOf(inner).qualified.some((name) => raisingCalls.has(name)))
      found.push(inner);
  });
  return found;
}

/** True for an argument of another call that raises without a GPU, since the fix for that call guards both. */
function isInsideAnother(program: Program, call: Call): boolean {
  const outer = callTaking(call);
  return (
    outer !== undefined &&
    program.names.calleeOf(outer).qualified.some((name) => /^torch\.cuda\.(get_device_|mem_get_info)/.test(name))
  );
}
