/** The variable that holds the device at a place where a fix needs one. */

import type { Program } from '../../guards/program.ts';
import { parametersOf } from '../../python/semantic/arguments.ts';
import { functionRun } from '../../python/semantic/functionBodies.ts';
import { isDisplay, isNone } from '../../python/semantic/literals.ts';
import { memoizeBy } from '../../python/semantic/memoize.ts';
import type { Definition, Scope } from '../../python/semantic/scopes.ts';
import type { ClassDef, FunctionDef, Node, Statement } from '../../python/syntax/nodes.ts';
import { alwaysDoes, doneBefore, statementAround } from '../queries/blocks.ts';
import { definitionsAt, visibleScopes } from './bindings.ts';
import { DEVICE_NAME, type DeviceValue, deviceValueOf, deviceValueOfDefinition, joinedAll } from './deviceValue.ts';

interface DeviceVariable extends DeviceValue {
  /** The expression at the place: `device`, `self.device`. */
  readonly text: string;
}

/**
 * Returns the nearest variable that is a device on every path to `node` and for which `fits` is true; `device` is
 * preferred to other names.
 */
export function deviceVariableAt(
  program: Program,
  node: Node,
  fits: (value: DeviceValue) => boolean = () => true,
): DeviceVariable | undefined {
  const bound = boundBy(statementAround(node));
  const scopes = visibleScopes(program, node);
  for (const [index, scope] of scopes.entries()) {
    const isHidden = (name: string) =>
      bound.has(name) || scopes.slice(0, index).some(({ definitions }) => definitions.has(name));
    for (const name of namesOfDevices(program, scope)) {
      const value = isHidden(name) ? undefined : valueAt(program, node, name, scope);
      if (value && fits(value)) return { text: name, ...value };
    }
    const attribute = scope === outermostFunction(scopes) ? selfDevice(program, node) : undefined;
    if (attribute && !bound.has(attribute.text) && fits(attribute)) return attribute;
  }
  return undefined;
}

const outermostFunction = (scopes: readonly Scope[]) => scopes.findLast(({ kind }) => kind === 'function');

/** Returns the names that the statement itself binds, which are not available while it runs. */
function boundBy(statement: Statement | undefined): Set<string> {
  const targets =
    statement?.kind === 'Assign'
      ? statement.targets
      : statement?.kind === 'AugAssign' || statement?.kind === 'AnnAssign'
        ? [statement.target]
        : [];
  const names = targets.flatMap((target) => (isDisplay(target) ? target.elts : [target]));
  return new Set(
    names.flatMap((name) =>
      name.kind === 'Name'
        ? [name.id]
        : name.kind === 'Attribute' && name.value.kind === 'Name'
          ? [`${name.value.id}.${name.attr}`]
          : [],
    ),
  );
}

/** Returns the names in a scope that may hold devices, last bound first, with `device` before all others. */
const namesOfDevices = memoizeBy((program: Program, scope: Scope): readonly string[] =>
  [...scope.definitions]
    .filter(([name, definitions]) => DEVICE_NAME.test(name) || definitions.some((each) => isEvident(each, program)))
    .map(([name]) => name)
    .reverse()
    .sort((a, b) => Number(b === 'device') - Number(a === 'device')),
);

function valueAt(program: Program, node: Node, name: string, scope: Scope): DeviceValue | undefined {
  const reaching = definitionsAt(program, node, name, scope);
  if (!reaching) return undefined;
  const isDefaulted =
    scope.node !== undefined &&
    reaching.some(isNoneByDefault) &&
    doneBefore(program, node, (statement) => isDefaulting(statement, name), scope.node);
  return joinedAll(
    reaching
      .filter((definition) => !(isDefaulted && isNoneByDefault(definition)))
      .map((definition) => deviceValueOfDefinition(definition, program)),
  );
}

/** Other names count only if their value is always a device: `torch.device(…)`, or a choice between two. */
function isEvident({ kind, value }: Definition, program: Program): boolean {
  if (kind !== 'value' || !value) return false;
  const device = deviceValueOf(value, program);
  if (device?.choice !== 'gpu' && device?.choice !== 'cpu') return false;
  if (value.kind === 'Call') return program.names.qualify(value.func).includes('torch.device');
  return value.kind === 'IfExp';
}

const isNoneByDefault = ({ kind, value }: Definition) => kind === 'parameter' && isNone(value);

/** After `if device is None: device = …`, a parameter that defaults to `None` is a device. */
function isDefaulting(statement: Statement, name: string): boolean {
  if (statement.kind !== 'If') return false;
  const { test } = statement;
  const compared = test.kind === 'Compare' && test.ops[0] === 'is' ? test : undefined;
  const isMissing = compared?.left.kind === 'Name' && compared.left.id === name && isNone(compared.comparators[0]);
  const isFalse =
    test.kind === 'UnaryOp' && test.op === 'not' && test.operand.kind === 'Name' && test.operand.id === name;
  return (isMissing || isFalse) && statement.body.some((each) => alwaysDoes(each, (inner) => boundBy(inner).has(name)));
}

/** Returns `self.device` in a method of a class that sets it in `__init__` or inherits it from Lightning. */
function selfDevice(program: Program, node: Node): DeviceVariable | undefined {
  const found = methodAround(program, node);
  if (!found) return undefined;
  const { method, owner } = found;
  const asProperty = owner.body.find((statement) => statement.kind === 'FunctionDef' && statement.name === 'device');
  if (asProperty) return undefined;
  const value = setWhenMade(program, node, method, owner) ?? inherited(program, owner);
  return value && { text: 'self.device', ...value };
}

function methodAround(program: Program, node: Node): { method: FunctionDef; owner: ClassDef } | undefined {
  for (let at: Node | undefined = node; at; at = at.parent) {
    if (at.kind === 'FunctionDef' && at.parent?.kind === 'ClassDef' && program.names.functionOf(node)) {
      const [first] = parametersOf(at.args);
      return first?.name === 'self' && !first.star ? { method: at, owner: at.parent } : undefined;
    }
  }
  return undefined;
}

function setWhenMade(program: Program, node: Node, method: FunctionDef, owner: ClassDef): DeviceValue | undefined {
  const definitions = program.index.paths.ofSelf(owner, 'device');
  const init = functionRun(owner);
  if (!init || definitions.length === 0) return undefined;
  const statements = new Set(definitions.map((definition) => definition.node));
  const sets = (statement: Statement) => statements.has(statement);
  const setter =
    method === init
      ? doneBefore(program, node, sets, init)
      : init.body.find((statement) => alwaysDoes(statement, sets));
  if (!setter || (method !== init && callsOwnMethod(program, init, owner, setter.start))) return undefined;
  return joinedAll(definitions.map((definition) => deviceValueOfDefinition(definition, program)));
}

/** True if `__init__` calls a method of its class before it has set the device. */
function callsOwnMethod(program: Program, init: FunctionDef, owner: ClassDef, before: number): boolean {
  return owner.body.some(
    (statement) =>
      statement.kind === 'FunctionDef' &&
      program.index
        .usesOf(statement.name)
        .some(
          (use) =>
            use.kind === 'Attribute' &&
            use.value.kind === 'Name' &&
            use.value.id === 'self' &&
            use.start > init.start &&
            use.start < before,
        ),
  );
}

function inherited(program: Program, owner: ClassDef): DeviceValue | undefined {
  const isLightning = owner.bases.some((base) =>
    program.names.qualify(base).some((name) => name.endsWith('.LightningModule')),
  );
  return isLightning ? { form: 'object', choice: 'user', index: 0 } : undefined;
}
