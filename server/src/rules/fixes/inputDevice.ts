/**
 * The device of a function's input. New tensors in a function must be on the device of its input tensors, and in a
 * module's `forward` on the module's device; neither depends on the machine.
 */

import type { Program } from '../../guards/program.ts';
import { calledName } from '../../python/semantic/accessPaths.ts';
import { argumentsOf, callTaking, parametersOf } from '../../python/semantic/arguments.ts';
import { isDisplay } from '../../python/semantic/literals.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import type { Call, ClassDef, Expression, FunctionDef, Name, Node } from '../../python/syntax/nodes.ts';
import { walk } from '../../python/syntax/walk.ts';
import { statementAround } from '../queries/blocks.ts';
import { outermostFunction } from './devicePlaces.ts';

/** Attributes and methods that only tensors have. */
const OF_TENSORS =
  /^(size|dim|view|reshape|unsqueeze|squeeze|permute|transpose|expand|expand_as|repeat|contiguous|detach|float|long|double|bool|new_zeros|new_ones|type_as|masked_fill|masked_select|gather|scatter_?|matmul|bmm|mm|softmax|sigmoid|argmax|requires_grad|requires_grad_|is_cuda|numel)$/;

export interface InputDevice {
  /** The expression at the place: `x.device`. */
  readonly text: string;
  /** True if the device of the weights is meant, which needs a variable if several places use it. */
  readonly isLong: boolean;
}

/** Returns the expression for the device of the function's tensors: `x.device`; undefined if it receives none. */
export function inputDeviceAt(program: Program, node: Node): InputDevice | undefined {
  const home = outermostFunction(node);
  if (!home || program.names.functionOf(node) !== home) return undefined;
  const made = madeAt(program, node);
  const inputs = tensorInputsOf(program)(home);
  const isForward = isForwardOfModule(program, home);
  const input = inputs.find((each) => isForward || (made && isCombined(program, home, made, each)));
  if (made && input) return { text: `${input}.device`, isLong: false };
  // An input that is moved is moved to the module's weights.
  const owner = isForward && home.parent?.kind === 'ClassDef' ? home.parent : undefined;
  const weight = owner && weightOf(program, owner);
  return weight === undefined ? undefined : { text: `${weight}.device`, isLong: true };
}

/** Returns parameters that are used as tensors and that the function does not move. */
const tensorInputsOf = memoize((program: Program) =>
  memoize((home: FunctionDef): readonly string[] => {
    const names = parametersOf(home.args)
      .filter(({ name, star }) => !star && name !== 'self' && name !== 'cls')
      .map(({ name }) => name);
    return names.filter((name) => {
      const uses = usesIn(program, home, name);
      return uses.some((use) => isTensorUse(use, program)) && !uses.some(isMoved) && !isRebound(home, name);
    });
  }),
);

const usesIn = (program: Program, home: FunctionDef, name: string): Name[] =>
  program.index
    .usesOf(name)
    .filter((use): use is Name => use.kind === 'Name' && home.start <= use.start && use.end <= home.end);

/** `x.size(0)`, `x.shape`, `torch.exp(x)` */
function isTensorUse(use: Name, program: Program): boolean {
  const around = use.parent;
  if (around?.kind === 'Attribute')
    return around.parent?.kind === 'Call' ? OF_TENSORS.test(around.attr) : /^(shape|dtype|device)$/.test(around.attr);
  const taker = callTaking(use);
  return (
    taker?.args[0] === use &&
    program.names
      .qualify(taker.func)
      .some(
        (name) =>
          /^torch\.(nn\.functional\.)?[a-z_]+$/.test(name) &&
          !/^torch\.(is_|as_|tensor|from_|load|save|device)/.test(name),
      )
  );
}

function isMoved(use: Name): boolean {
  const around = use.parent;
  return (
    around?.kind === 'Attribute' && /^(cuda|cpu|to|type|numpy)$/.test(around.attr) && around.parent?.kind === 'Call'
  );
}

/** True for a parameter to which the function assigns a value that is not derived from it. */
function isRebound(home: FunctionDef, name: string): boolean {
  let found = false;
  for (const statement of home.body)
    walk(statement, (node) => {
      const targets =
        node.kind === 'Assign' ? node.targets : node.kind === 'For' || node.kind === 'AugAssign' ? [node.target] : [];
      const isBound = targets
        .flatMap((each) => (isDisplay(each) ? each.elts : [each]))
        .some((target) => target.kind === 'Name' && target.id === name);
      found ||=
        isBound && !(node.kind === 'Assign' && has(node.value, (inner) => inner.kind === 'Name' && inner.id === name));
      return !found;
    });
  return found;
}

function has(node: Node, isWanted: (inner: Node) => boolean): boolean {
  let found = false;
  walk(node, (inner) => {
    found ||= isWanted(inner);
    return !found;
  });
  return found;
}

const MAKERS =
  /^torch\.(zeros|ones|rand|randn|randint|randperm|empty|full|eye|arange|linspace|tensor|as_tensor|from_numpy|(\w+\.)?\w*Tensor)$|^torch\.autograd\.Variable$/;

/** Returns the call that creates a new tensor, if the node moves that tensor or is an argument of the call. */
function madeAt(program: Program, node: Node): Expression | undefined {
  let at: Node | undefined = node;
  if (node.kind !== 'Call') at = callTaking(node);
  for (; at?.kind === 'Call'; ) {
    const call = at;
    if (program.names.qualify(call.func).some((name) => MAKERS.test(name))) return call;
    at = call.func.kind === 'Attribute' ? call.func.value : undefined;
  }
  return undefined;
}

/** True if the new tensor, or its variable, is used in an operation with the input. */
function isCombined(program: Program, home: FunctionDef, made: Expression, input: string): boolean {
  const statement = statementAround(made);
  const [target] = statement?.kind === 'Assign' ? statement.targets : [];
  const variable = target?.kind === 'Name' ? target.id : undefined;
  const isInput = (inner: Node) => inner.kind === 'Name' && inner.id === input && !isShapeOf(inner);
  const isMade = (inner: Node) => inner === made || (inner.kind === 'Name' && inner.id === variable);
  return home.body.some((each) =>
    has(each, (node) => {
      const operands = operandsOf(program, node);
      return operands.some((one) => has(one, isInput) && operands.some((other) => other !== one && has(other, isMade)));
    }),
  );
}

/** Returns the operands of an operation, whose tensors must be on one device. */
function operandsOf(program: Program, node: Node): readonly Expression[] {
  if (node.kind === 'BinOp') return [node.left, node.right];
  if (node.kind === 'Compare') return [node.left, ...node.comparators];
  if (node.kind !== 'Call' || !isOperation(program, node)) return [];
  const receiver = node.func.kind === 'Attribute' ? [node.func.value] : [];
  return [...receiver, ...argumentsOf(node).flatMap(({ value }) => (isDisplay(value) ? value.elts : [value]))];
}

/** The result of `x.size(0)` is a number. */
const isShapeOf = (name: Name) =>
  name.parent?.kind === 'Attribute' && /^(size|shape|dim|ndim|dtype|device|numel)$/.test(name.parent.attr);

function isOperation(program: Program, call: Call): boolean {
  if (program.names.qualify(call.func).some((name) => name.startsWith('torch.') && !MAKERS.test(name))) return true;
  return (
    call.func.kind === 'Attribute' &&
    /^(add|sub|mul|div|matmul|mm|bmm|scatter|gather|masked_fill|index_select|where)_?$/.test(calledName(call))
  );
}

function isForwardOfModule(program: Program, home: FunctionDef): boolean {
  return home.name === 'forward' && home.parent?.kind === 'ClassDef' && isModuleClass(program, home.parent, 0);
}

function isModuleClass(program: Program, owner: ClassDef, steps: number): boolean {
  return owner.bases.some((base) => {
    if (program.names.qualify(base).some((name) => /^torch\.nn\.(modules\.\w+\.)?\w+$|\.LightningModule$/.test(name)))
      return true;
    const parent = program.names.declarationOf(base);
    return steps < 4 && parent?.kind === 'ClassDef' && isModuleClass(program, parent, steps + 1);
  });
}

/** Returns `self.fc.weight` for a module that creates such a layer; replicas do not have a list of parameters. */
function weightOf(program: Program, owner: ClassDef): string | undefined {
  const init = owner.body.find((each): each is FunctionDef => each.kind === 'FunctionDef' && each.name === '__init__');
  for (const statement of init?.body ?? []) {
    const [target] = statement.kind === 'Assign' ? statement.targets : [];
    const isOwn = target?.kind === 'Attribute' && target.value.kind === 'Name' && target.value.id === 'self';
    if (statement.kind !== 'Assign' || !isOwn || statement.value.kind !== 'Call') continue;
    const names = program.names.qualify(statement.value.func);
    if (names.includes('torch.nn.Parameter')) return `self.${target.attr}`;
    if (names.some((name) => WITH_WEIGHT.test(name))) return `self.${target.attr}.weight`;
  }
  return undefined;
}

const WITH_WEIGHT = /^torch\.nn\.(Linear|Conv\w+|Embedding)$/;
