/** Places where a program offers to run on the CPU: a choice of devices, a switch, a parameter, a mapped load. */

import type { Program } from '../../guards/program.ts';
import { lastPartOf } from '../../python/semantic/accessPaths.ts';
import { conditionsOf } from '../../python/semantic/annotations.ts';
import { argumentOf, keywordOf, parametersOf } from '../../python/semantic/arguments.ts';
import { isDisplay, isString, stringOf } from '../../python/semantic/literals.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import type { Call, Expression, Lambda, Node, Statement } from '../../python/syntax/nodes.ts';
import { isStatement } from '../../python/syntax/walk.ts';
import { loaders } from '../catalogue/catalogue.ts';
import { matchesIn } from '../engine/dispatch.ts';
import { cudaCalls, movesToCuda } from './cudaCalls.ts';
import { deviceUses } from './deviceUses.ts';

export interface CpuOffer {
  readonly node: Expression;
  /** A sentence: `This load is mapped to the CPU.` */
  readonly because: string;
  /**
   * True for an offer to this file alone. Many programs read a checkpoint on the CPU and then use a GPU, and a test or
   * a parameter says something of its neighbors.
   */
  readonly isOfFile?: true;
}

const CHOSEN = 'The program chooses between a GPU and the CPU here.';
const OPTIONAL = 'The device may be the CPU here.';
const MAPPED = 'This load is mapped to the CPU.';
const SWITCHED = 'This test can leave the GPU out.';
/** Names that by convention hold a device. */
const DEVICE_NAME = /(^|_)(device|dev)$/i;

/** Returns the places where a program offers the CPU, in source order. */
export const cpuOffersIn = memoize((program: Program): readonly CpuOffer[] =>
  [
    ...program.index.stringsOf('cpu').flatMap((string) => offerOfString(string, program)),
    ...program.index.callsWithKeyword('map_location').flatMap(mappedByFunction),
    ...testsAround(program),
  ]
    .filter(({ because }) => because !== MAPPED || !trains(program))
    .sort((a, b) => a.node.start - b.node.start),
);

/** True for a program that trains: to save the memory of its GPU, it reads a checkpoint on the CPU. */
const trains = (program: Program): boolean => /\.backward\(/.test(program.text);

/** Returns the offer that the string `"cpu"` makes; moving a result to the CPU is none. */
function offerOfString(string: Expression, program: Program): CpuOffer[] {
  const made = string.parent?.kind === 'Call' && isDeviceCall(string.parent, program) ? string.parent : string;
  const around = made.parent;
  if (around?.kind === 'IfExp' && around.test !== made) {
    const isLoad = argumentOf(around)?.name === 'map_location';
    return [isLoad ? { node: around, because: MAPPED, isOfFile: true } : { node: around, because: CHOSEN }];
  }
  if (around?.kind === 'Assign' && around.value === made) {
    const isDevice = around.targets.some(
      (target) => (target.kind === 'Name' || target.kind === 'Attribute') && DEVICE_NAME.test(lastPartOf(target) ?? ''),
    );
    return isDevice ? [{ node: made, because: CHOSEN }] : [];
  }
  if (around?.kind === 'Return' && isChosen(around, program)) return [{ node: made, because: CHOSEN }];
  if (around?.kind === 'arguments')
    return isParameterDefault(made) ? [{ node: made, because: OPTIONAL, isOfFile: true }] : [];
  const argument = argumentOf(made);
  if (!argument) return isDisplay(around) ? choiceOf(around, made) : [];
  const { call, name } = argument;
  if (isMapping(call, name, made, program)) return [{ node: made, because: MAPPED, isOfFile: true }];
  if (name === 'default' && declaresDevice(call)) return [{ node: made, because: OPTIONAL }];
  const isOwn = name === 'device' && program.names.declarationOf(call.func) !== undefined;
  return isOwn ? [{ node: made, because: OPTIONAL, isOfFile: true }] : [];
}

const isDeviceCall = (call: Call, { names }: Program): boolean =>
  call.args.length === 1 && names.calleeOf(call).qualified.includes('torch.device');

/** True for a statement under a test for a GPU, or after one. */
function isChosen(statement: Statement, program: Program): boolean {
  if (statement.kind !== 'Return' || !statement.value) return false;
  for (let at = conditionsOf(statement.value); at && at.kind !== 'body'; at = at.outer)
    if (at.kind === 'test' && program.guards.local.ofTest(at.test, !at.truth).level !== 'none') return true;
  return false;
}

function isParameterDefault(value: Expression): boolean {
  const around = value.parent;
  if (around?.kind !== 'arguments') return false;
  return DEVICE_NAME.test(parametersOf(around).find((parameter) => parameter.default === value)?.name ?? '');
}

/** `choices=["cpu", "cuda"]` */
function choiceOf(list: Node, string: Expression): CpuOffer[] {
  const argument = isDisplay(list) ? argumentOf(list) : undefined;
  return argument?.name === 'choices' && declaresDevice(argument.call) ? [{ node: string, because: OPTIONAL }] : [];
}

/** `add_argument("--device", ...)` */
const declaresDevice = ({ args }: Call): boolean =>
  args.some((arg) => isString(arg) && /device$/i.test(stringOf(arg) ?? ''));

function isMapping(call: Call, name: string | undefined, value: Expression, { names }: Program): boolean {
  if (name === 'map_location') return true;
  const { qualified } = names.calleeOf(call);
  return name === undefined && call.args[1] === value && qualified.some((each) => loaders.get(each)?.position === 1);
}

/** `map_location=lambda storage, location: storage` */
function mappedByFunction(call: Call): CpuOffer[] {
  const given = keywordOf(call, 'map_location');
  return given?.kind === 'Lambda' && isIdentity(given) ? [{ node: given, because: MAPPED, isOfFile: true }] : [];
}

const isIdentity = ({ args, body }: Lambda): boolean => body.kind === 'Name' && body.id === args.args[0]?.arg;

/**
 * Returns the tests for one GPU around code that uses it. A test whose other outcome ends the program, or that counts
 * several GPUs, offers nothing.
 */
function testsAround(program: Program): CpuOffer[] {
  const moves = [
    ...matchesIn(program, deviceUses).flatMap(({ literals }) => literals.map(({ node }) => node)),
    ...movesToCuda(program),
  ];
  const waits = new Set<Expression>(
    matchesIn(program, cudaCalls).flatMap(({ call, raising }) => (raising ? [call] : [])),
  );
  const tests = new Set<Expression>();
  for (const use of [...moves, ...waits])
    for (let at = conditionsOf(use); at; at = at.outer) {
      if (at.kind !== 'test' || tests.has(at.test) || !isAround(at.test, use)) continue;
      // Without a move, `if torch.cuda.is_available():` only tidies up or shows a GPU.
      if (waits.has(use) && at.test.kind !== 'Compare') continue;
      // A loop over GPUs has no other branch, and that of a type's name may be another type of CUDA.
      if (isIterated(at.test) || program.text.slice(at.test.start, at.test.end).includes('torch.cuda.Half')) continue;
      const { level, devices, reason } = program.guards.local.ofTest(at.test, at.truth);
      const isGpuTest =
        level === 'guard' ? devices <= 1 : level === 'weak' && reason?.because !== 'this is distributed code';
      if (isGpuTest && !endsOtherwise(at.test)) tests.add(at.test);
    }
  return [...tests].map((node) => ({ node, because: SWITCHED, isOfFile: true }));
}

const isIterated = ({ parent }: Expression): boolean => parent?.kind === 'For' || parent?.kind === 'comprehension';

/** True for a test of the statement or expression that contains the use, and not of an earlier exit. */
const isAround = (test: Expression, use: Expression): boolean => {
  let at: Node | undefined = test;
  while (at && !isStatement(at)) at = at.parent;
  return at !== undefined && at.start <= use.start && use.end <= at.end;
};

/** True if the other branch of an `if` raises or exits. */
function endsOtherwise(test: Expression): boolean {
  const { parent } = test;
  if (parent?.kind !== 'If') return false;
  return [parent.body, parent.orelse].some((block) =>
    block.some(
      (each) =>
        each.kind === 'Raise' ||
        (each.kind === 'Expr' && each.value.kind === 'Call' && /^(exit|quit|_exit)$/.test(lastName(each.value))),
    ),
  );
}

const lastName = ({ func }: Call): string =>
  func.kind === 'Name' || func.kind === 'Attribute' ? (lastPartOf(func) ?? '') : '';
