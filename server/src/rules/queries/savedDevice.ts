/** The device from which a program saves a value. */

import type { Program } from '../../guards/program.ts';
import type { SavedDevice } from '../../guards/projectView.ts';
import { calledName } from '../../python/semantic/accessPaths.ts';
import { argumentFor, argumentsOf, keywordOf } from '../../python/semantic/arguments.ts';
import { returnedBy } from '../../python/semantic/functionBodies.ts';
import { isDisplay, stringOf } from '../../python/semantic/literals.ts';
import type { Attribute, Call, Expression, FunctionDef, Name, Node } from '../../python/syntax/nodes.ts';
import { usesBound } from './definedUses.ts';

/** The maximum number of assignments and calls to follow. */
const FARTHEST = 8;

/** Methods whose result is in main memory. */
const TO_CPU = new Set(['cpu', 'numpy', 'tolist', 'item']);
const TO_GPU = new Set(['cuda', 'xpu', 'npu']);
/** Functions whose results are in main memory, unless a device is named. */
const MAKES_ON_CPU =
  /^(numpy|pandas|scipy|sklearn|random|json|pickle|itertools|collections|os|glob|PIL|h5py)\.|^torch\.(from_numpy|tensor|as_tensor|zeros|ones|empty|full|arange|linspace|eye|rand|randn|randint|randperm|Tensor|LongTensor|FloatTensor)$|^torch\.nn\.(\w+\.)*[A-Z]\w*$|^torchvision\.|^torch\.optim\./;
/** Functions of torch whose result is on the device of their arguments. */
const OF_ARGUMENTS =
  /^torch\.(nn\.functional\.|linalg\.|sparse\.)?[a-z0-9_]+$|^copy\.(deep)?copy$|^collections\.OrderedDict$/;
const BUILT_IN =
  /^(list|dict|tuple|set|sorted|len|int|float|str|range|zip|enumerate|sum|max|min|map|filter|open|bool)$/;

/** Returns the device that a value is on when it is saved, as far as the program shows it. */
export function deviceOfSaved(value: Expression, program: Program): SavedDevice {
  const seen = new Set<Node>();

  const all = (values: Iterable<Expression>, steps: number): SavedDevice => {
    let sum: SavedDevice = 'cpu';
    for (const each of values) {
      const one = of(each, steps + 1);
      if (one === 'gpu') return 'gpu';
      if (one === 'unknown') sum = 'unknown';
    }
    return sum;
  };

  const of = (expression: Expression, steps: number): SavedDevice => {
    if (steps > FARTHEST || seen.has(expression)) return seen.has(expression) ? 'cpu' : 'unknown';
    seen.add(expression);
    switch (expression.kind) {
      case 'Constant':
      case 'JoinedStr':
      case 'Compare':
        return 'cpu';
      case 'Tuple':
      case 'List':
      case 'Set':
        return all(expression.elts, steps);
      case 'Dict':
        return all(expression.values, steps);
      case 'ListComp':
      case 'SetComp':
      case 'GeneratorExp':
        return of(expression.elt, steps + 1);
      case 'DictComp':
        return of(expression.value, steps + 1);
      case 'BinOp':
        return all([expression.left, expression.right], steps);
      case 'UnaryOp':
        return of(expression.operand, steps + 1);
      case 'IfExp':
        return all([expression.body, expression.orelse], steps);
      case 'BoolOp':
        return all(expression.values, steps);
      case 'Starred':
      case 'Subscript':
        return of(expression.value, steps + 1);
      case 'Call':
        return ofCall(expression, steps);
      case 'Name':
      case 'Attribute':
        return ofReference(expression, steps);
      default:
        return 'unknown';
    }
  };

  const ofCall = (call: Call, steps: number): SavedDevice => {
    const { func } = call;
    const name = calledName(call);
    const device = keywordOf(call, 'device');
    const qualified = program.names.qualify(func);
    if (func.kind === 'Attribute' && qualified.length === 0) {
      if (TO_CPU.has(name)) return 'cpu';
      if (TO_GPU.has(name)) return 'gpu';
      if (name === 'to') return ofMove(call, func.value, steps);
    }
    if (qualified.includes('torch.load'))
      return stringOf(argumentFor(argumentsOf(call), 'map_location', 1).argument?.value) === 'cpu' ? 'cpu' : 'unknown';
    if (device) return stringOf(device) === 'cpu' ? 'cpu' : 'gpu';
    if (qualified.some((each) => MAKES_ON_CPU.test(each))) return 'cpu';
    if (qualified.some((each) => OF_ARGUMENTS.test(each))) return all(argumentsIn(call), steps);
    if (func.kind === 'Name' && program.names.definitionsOf(func).length === 0 && BUILT_IN.test(func.id))
      return all(argumentsIn(call), steps);
    const declaration = program.names.declarationOf(func);
    if (declaration?.kind === 'ClassDef') return 'cpu';
    if (declaration) return ofFunction(declaration, steps);
    // A method's result is on the device of its object.
    return func.kind === 'Attribute' && qualified.length === 0 ? of(func.value, steps + 1) : 'unknown';
  };

  const ofMove = (call: Call, receiver: Expression, steps: number): SavedDevice => {
    const [first] = call.args;
    const target = first ?? keywordOf(call, 'device');
    if (
      target === undefined ||
      /^torch\.(\w+\d+|float|half|double|long|int|bool)$/.test(program.names.qualify(target)[0] ?? '')
    )
      return of(receiver, steps + 1);
    return stringOf(target) === 'cpu' ? 'cpu' : 'gpu';
  };

  const ofFunction = (declaration: FunctionDef, steps: number): SavedDevice => {
    const returned = returnedBy(declaration).filter((value) => value !== undefined);
    return returned.length === 0 ? 'unknown' : all(returned, steps);
  };

  const ofReference = (use: Name | Attribute, steps: number): SavedDevice => {
    const definitions = program.names.definitionsOf(use);
    // A part of an object is on the device of the object.
    if (definitions.length === 0) return use.kind === 'Attribute' ? of(use.value, steps + 1) : 'unknown';
    let sum: SavedDevice = 'cpu';
    for (const { kind, node, value: assigned } of definitions) {
      const one =
        (kind === 'value' || kind === 'element') && assigned
          ? of(assigned, steps + 1)
          : kind === 'unknown' && node?.kind === 'Assign' && !isDisplay(node.value)
            ? of(node.value, steps + 1)
            : 'unknown';
      const moved = node ? inPlace(use, node, steps) : 'cpu';
      if (one === 'gpu' || moved === 'gpu') return 'gpu';
      if (one === 'unknown' || moved === 'unknown') sum = 'unknown';
    }
    return sum;
  };

  /** Returns the moves of the object that a name holds: a model is moved in place, and a list is filled. */
  const inPlace = (use: Name | Attribute, statement: Node, steps: number): SavedDevice => {
    const filled: Expression[] = [];
    for (const each of usesBound(use, statement, program)) {
      const method = each.parent;
      const part = partAround(each);
      if (part !== each && part.parent?.kind === 'Assign' && part.parent.targets.includes(part))
        filled.push(part.parent.value);
      if (method?.kind !== 'Attribute' || method.parent?.kind !== 'Call' || method.parent.func !== method) continue;
      const call = method.parent;
      if (TO_GPU.has(method.attr)) return 'gpu';
      // A move whose result is discarded happens in place.
      if (method.attr === 'to' && call.parent?.kind === 'Expr' && ofMove(call, each, FARTHEST) === 'gpu') return 'gpu';
      if (/^(append|extend|update|add|insert)$/.test(method.attr)) filled.push(...argumentsIn(call));
    }
    return all(filled, steps);
  };

  return of(value, 0);
}

/** Returns `net.layer.weight` around `net`. */
function partAround(use: Expression): Expression {
  let at = use;
  while ((at.parent?.kind === 'Attribute' || at.parent?.kind === 'Subscript') && at.parent.value === at) at = at.parent;
  return at;
}

function argumentsIn({ args, keywords }: Call): Expression[] {
  return [...args, ...keywords.map((keyword) => keyword.value)];
}
