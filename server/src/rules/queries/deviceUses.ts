/** Expressions that a program uses as a device: arguments, parameters, fields and options. */

import { both, type Evidence, NO_EVIDENCE } from '../../guards/evidence.ts';
import type { Program } from '../../guards/program.ts';
import type { Reason } from '../../guards/reason.ts';
import { calledName, pathOf } from '../../python/semantic/accessPaths.ts';
import { conditionsOf } from '../../python/semantic/annotations.ts';
import { argumentFor, argumentsOf, keywordOf, parametersOf } from '../../python/semantic/arguments.ts';
import { functionRun } from '../../python/semantic/functionBodies.ts';
import { isDisplay, isNumber, type StringLiteral, stringOf } from '../../python/semantic/literals.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import { isModule } from '../../python/semantic/nameResolution.ts';
import type { PathConditions } from '../../python/semantic/pathConditions.ts';
import { spanOf } from '../../python/semantic/source.ts';
import type { Literal } from '../../python/semantic/values.ts';
import type { Call, Expression, Node, NumberConstant } from '../../python/syntax/nodes.ts';
import { deviceCallables, loaders, numberedDevices } from '../catalogue/catalogue.ts';
import { lastParts, type Selector } from '../engine/selector.ts';
import { DEVICE_TRIGGERS } from './deviceTriggers.ts';

export interface DeviceUse {
  readonly expression: Expression;
  /** The conditions under which the device is used. */
  readonly conditions: PathConditions;
  readonly kind:
    | 'device'
    /** True if the use only selects a dtype policy, as in `autocast("cuda")`. */
    | 'policy'
    /** True for the default of an option, a field or a parameter. */
    | 'default'
    /** True for a list of replicas, as in `DataParallel(device_ids=[0])`. */
    | 'replicas';
  /** True if integers name an accelerator here: `.cuda(0)`, `torch.device("cuda", 1)`. */
  readonly takesIndex: boolean;
  /** The possible literals that name a CUDA device. */
  readonly literals: readonly DeviceLiteral[];
  /** The possible device strings with a computed index. A use has at least one literal or template. */
  readonly templates: readonly DeviceTemplate[];
}

/** A use whose possible values are not yet known. */
type UseSite = Omit<DeviceUse, 'literals' | 'templates'>;

/** A device string with a computed index: `"cuda:" + str(gpu_id)`, `f"cuda:{args.gpu}"`. */
export interface DeviceTemplate {
  readonly node: Expression;
  /** The expressions that form its index. */
  readonly holes: readonly Expression[];
  readonly use: UseSite;
  /** The evidence for a GPU on the path from the string to its use. */
  readonly evidence: Evidence;
}

/** A literal in the program that names a device. */
export interface DeviceLiteral {
  readonly node: StringLiteral | NumberConstant;
  /** The index of the accelerator; undefined for `"cuda"`, which leaves the choice to the framework. */
  readonly index: number | undefined;
  readonly isDefault: boolean;
  readonly use: UseSite;
  /** The evidence for a GPU on the path from the literal to its use. */
  readonly evidence: Evidence;
  /** The conditions of the literal, of each assignment on the path, and of the use. */
  readonly conditions: readonly PathConditions[];
}

const DEFAULT = 'the literal is only a default';

/** Returns the reasons why a literal is only a hint if its use does not decide the device; otherwise empty. */
export function reasonsInUse({ node, isDefault, use }: DeviceLiteral): readonly Reason[] {
  const because = isDefault ? DEFAULT : BECAUSE[use.kind];
  return because === undefined ? [] : [{ because, at: spanOf(node) }];
}

const BECAUSE: Readonly<Record<DeviceUse['kind'], string | undefined>> = {
  device: undefined,
  policy: 'it only selects a dtype policy',
  default: DEFAULT,
  replicas: 'it lists the replicas of a parallel model',
};

const DEVICE_PARAMETER = /^(device|devices|device_map|\w+_device|map_location)$/;
/** Checked for every keyword and definition, so names with other endings are rejected first. */
const isDeviceParameter = (name: string) =>
  (name.endsWith('device') || name === 'devices' || name === 'device_map' || name === 'map_location') &&
  DEVICE_PARAMETER.test(name);
/** Libraries whose devices are not accelerators. */
const OTHER_DEVICES = /^(cv2|sounddevice|pyaudio|soundcard|imageio|av|pyrealsense2|serial|usb)\b/;
const REPLICAS = new Set([
  'DataParallel',
  'DistributedDataParallel',
  'DDP',
  'data_parallel',
  'DistributedDataParallelCPU',
  'MMDataParallel',
  'MMDistributedDataParallel',
]);
/** Methods that move something to a device, and methods that declare an option. */
const METHODS = ['to', 'cuda', 'add_argument', 'option'];

/**
 * Returns the index in `cuda:1`, `/GPU:0` or `/job:worker/device:GPU:1`; null for `cuda`; undefined for anything else.
 */
function deviceNamed(text: string): number | null | undefined {
  if (text === 'cuda') return null;
  const index =
    /^cuda:(\d+)$/.exec(text) ?? /^(?:\/?(?:job:\w+|replica:\d+|task:\d+|\/)*\/?(?:device:)?GPU):(\d+)$/i.exec(text);
  return index ? Number(index[1]) : undefined;
}

/** The names of all callables in the catalogues; other calls need no resolution. */
const KNOWN = lastParts([...loaders.keys(), ...deviceCallables.keys()]);

/** All uses of a device whose value may be a literal. */
export const deviceUses = {
  calls: {
    names: new Set([...KNOWN, ...METHODS, ...REPLICAS]),
    namesIn: takersIn,
    hasKeyword: isDeviceParameter,
    resolve(call, program) {
      const name = calledName(call);
      const isKnown = KNOWN.has(name) || program.index.aliases.has(name);
      const qualified = isKnown ? program.names.calleeOf(call).qualified : [];
      return usesOfCall(call, qualified, program).flatMap((site) => withLiterals(site, program));
    },
  },
  definitions: {
    isWanted: isDeviceParameter,
    resolve(definition, program) {
      const { kind, value, conditions } = definition;
      const isDefault = kind === 'parameter' || program.values.isField(definition);
      return value && isDefault ? withLiterals(use(value, conditions, 'default'), program) : [];
    },
  },
  triggers: DEVICE_TRIGGERS,
} satisfies Selector<DeviceUse>;

/** True for a use that callers decide: the default of a parameter, or an index from one. */
export const isOfCallers = ({ expression, templates }: DeviceUse): boolean =>
  templates.length > 0 || expression.parent?.kind === 'arguments';

/** Returns the names that callables with a device parameter have in this program. */
function takersIn({ index }: Program): readonly string[] {
  return index.scopes.flatMap(({ node, parent }) => {
    if (node?.kind !== 'FunctionDef' || !parametersOf(node.args).some(({ name }) => isDeviceParameter(name))) return [];
    const home = parent?.node;
    return [node.name === '__init__' && home?.kind === 'ClassDef' ? home.name : node.name];
  });
}

const use = (
  expression: Expression,
  conditions: PathConditions,
  kind: DeviceUse['kind'] = 'device',
  takesIndex = false,
): UseSite => ({
  expression,
  conditions,
  kind,
  takesIndex,
});

/** Returns the uses of devices in a call; `qualified` are the callee's possible names in a catalogue. */
function usesOfCall(call: Call, qualified: readonly string[], program: Program): UseSite[] {
  if ((qualified.includes('torch.device') && isInspected(call)) || isStored(call, program)) return [];
  const args = argumentsOf(call);
  const conditions = conditionsOf(call);
  const uses: UseSite[] = [];
  const added = new Set<Expression>();
  const add = (found: UseSite) => {
    if (added.has(found.expression)) return;
    added.add(found.expression);
    // The keys of a mapping name the original devices of storages; only its values are devices to load onto.
    if (found.expression.kind === 'Dict') {
      for (const expression of found.expression.values) uses.push({ ...found, expression });
    } else uses.push(found);
  };

  for (const name of qualified) {
    const known = deviceCallables.get(name);
    if (known) {
      const { argument } = argumentFor(args, known.parameter, known.position);
      const index = name === 'torch.device' ? argumentFor(args, 'index', 1).argument : undefined;
      const isCuda = stringOf(argument?.value) === 'cuda';
      if (isNumber(index?.value) && isCuda) add(use(index.value, conditions, 'device', true));
      else if (argument) {
        const kind = known.policy ? 'policy' : isDefaultValue(call, program) ? 'default' : 'device';
        add(use(argument.value, conditions, kind, /^torch\.(cuda\.|device$)/.test(name) || known.numbered === true));
      }
    }
    const loader = loaders.get(name);
    const device = loader && argumentFor(args, loader['device-parameter'], loader.position).argument;
    if (device) add(use(device.value, conditions));
  }

  const method = call.func.kind === 'Attribute' ? call.func.attr : undefined;
  const [first] = args;
  if (method === 'to' && first && first.name === undefined && !first.star) {
    const isScript = call.func.kind === 'Attribute' && isModule(program.names, call.func.value);
    if (!isScript) add(use(first.value, conditions, 'device', true));
  }
  if (method === 'cuda' && first && !first.star && (first.name === undefined || first.name === 'device')) {
    add(use(first.value, conditions, 'device', true));
  }
  const isReplicating = REPLICAS.has(calledName(call));
  const replicas = isReplicating ? args[1] : undefined;
  if (replicas && replicas.name === undefined) add(use(replicas.value, conditions, 'replicas', true));
  for (const arg of args) {
    if (arg.name === undefined) continue;
    if (isReplicating && (arg.name === 'device_ids' || arg.name === 'output_device')) {
      add(use(arg.value, conditions, 'replicas', true));
    } else if (DEVICE_PARAMETER.test(arg.name)) {
      // A list of numbers selects GPUs, while a single number is a count of them; a map names a device for each module.
      const isList = (arg.name === 'devices' && isDisplay(arg.value)) || arg.name === 'device_map';
      add(
        use(
          arg.value,
          conditions,
          'device',
          isList || (isOneDevice(arg.name) && isNumbered(arg.name, arg.value, call, program)),
        ),
      );
    }
  }
  for (const option of optionsDeclaredBy(call)) add(use(option, conditions, 'default'));
  for (const expression of positionalDevices(call, program)) add(use(expression, conditions));
  return uses;
}

/**
 * In `dict(device="cuda")` and `Namespace(device="cuda")`, an entry is used where it is read, or through
 * `f(**entries)`.
 */
function isStored(call: Call, { index }: Program): boolean {
  if (!/^(dict|update|setdefault|\w*(Dict|Namespace))$/.test(calledName(call))) return false;
  const target = call.parent?.kind === 'Assign' ? call.parent.targets[0] : undefined;
  const isUnpacked = target?.kind === 'Name' && index.usesOf(target.id).some(isUnpackedInCall);
  return !isUnpacked && !isUnpackedInCall(call);
}

/** `f(**entries)` */
const isUnpackedInCall = ({ parent }: Node): boolean => parent?.kind === 'keyword' && parent.arg === undefined;

/** `cuda_device=0` names a GPU; `devices=1` and `num_device=1` count them. */
const isOneDevice = (parameter: string) => /device$/.test(parameter) && !/^(num|n|per|max|min|each)_/.test(parameter);

/**
 * `device=0` is a GPU in a program that uses torch, or a library that numbers devices as torch does; for cameras or
 * sound cards it is another device.
 */
function isNumbered(parameter: string, value: Expression, call: Call, program: Program): boolean {
  if (!isNumber(value) && !(isDisplay(value) && value.elts.length > 0 && value.elts.every(isNumber))) return false;
  if (program.names.calleeOf(call).qualified.some((name) => OTHER_DEVICES.test(name))) return false;
  if (/cuda|gpu/.test(parameter)) return true;
  return importsNumberedDevices(program);
}

const importsNumberedDevices = memoize(({ index }: Program): boolean =>
  [...index.module.definitions.values()]
    .flat()
    .some(({ qualified }) => qualified !== undefined && numberedDevices.has(qualified.split('.')[0] ?? '')),
);

/** Returns the `default=` of a command-line option whose name refers to a device. */
function optionsDeclaredBy(call: Call): Expression[] {
  const method = call.func.kind === 'Attribute' ? call.func.attr : '';
  if (method !== 'add_argument' && method !== 'option') return [];
  const isDevice = call.args.some((arg) =>
    DEVICE_PARAMETER.test((stringOf(arg) ?? '').replace(/^-+/, '').replaceAll('-', '_')),
  );
  const byDefault = keywordOf(call, 'default');
  return isDevice && byDefault ? [byDefault] : [];
}

/** Returns the arguments that a function in the program receives in a parameter named for a device. */
function positionalDevices(call: Call, program: Program): Expression[] {
  const declaration = program.names.declarationOf(call.func);
  const target = functionRun(declaration);
  const args = argumentsOf(call);
  if (!target || args.some((arg) => arg.star)) return [];
  const all = parametersOf(target.args);
  const isBound = declaration?.kind === 'ClassDef' || (call.func.kind === 'Attribute' && all[0]?.name === 'self');
  const parameters = isBound ? all.slice(1) : all;
  return args.flatMap((arg, index) => {
    const parameter = arg.name === undefined ? parameters[index] : undefined;
    return parameter && !parameter.star && DEVICE_PARAMETER.test(parameter.name) ? [arg.value] : [];
  });
}

/** True for `torch.device(...)` in a comparison, an assertion or a list of test parameters, which place nothing. */
function isInspected(call: Call): boolean {
  for (let inner: Node = call, at: Node | undefined = call.parent; at; inner = at, at = at.parent) {
    if (at.kind === 'Compare' || at.kind === 'Assert') return true;
    if (at.kind === 'Call') {
      const name = calledName(at);
      return /^assert|^parametri[sz]e|^(parameters|param|expand|product)$/i.test(name) && inner !== at.func;
    }
    if (!isDisplay(at) && at.kind !== 'keyword' && at.kind !== 'Starred' && at.kind !== 'Attribute') return false;
  }
  return false;
}

function withLiterals(site: UseSite, program: Program): DeviceUse[] {
  const literals = program.values.literalsOf(site.expression).flatMap((literal): DeviceLiteral[] => {
    const named = typeof literal.value === 'string' ? deviceNamed(literal.value) : undefined;
    const isIndex =
      typeof literal.value === 'number' &&
      site.takesIndex &&
      !literal.isDefault &&
      isConstant(site.expression, program);
    if (named === undefined && !(isIndex && Number.isInteger(literal.value))) return [];
    return [
      {
        node: literal.node,
        index: typeof literal.value === 'number' ? literal.value : (named ?? undefined),
        isDefault: literal.isDefault,
        use: site,
        evidence: evidenceOf(literal, site, program),
        conditions: [...literal.conditions, site.conditions],
      },
    ];
  });
  const templates = program.values
    .templatesOf(site.expression)
    .filter(({ prefix, holes, isDefault }) => prefix === 'cuda:' && holes.length > 0 && !isDefault)
    .map(({ node, holes, conditions }) => {
      const evidence = [...conditions, site.conditions].map((each) => program.guards.evidenceAt(each));
      return { node, holes, use: site, evidence: evidence.reduce(both, NO_EVIDENCE) };
    });
  return literals.length > 0 || templates.length > 0 ? [{ ...site, literals, templates }] : [];
}

/**
 * Returns the evidence for a literal. A test of the name itself is evaluated with the literal: with `"cuda"`, `device
 * == "cpu"` cannot be true.
 */
function evidenceOf(literal: Literal, { expression, conditions }: UseSite, program: Program): Evidence {
  const path = literal.node === expression ? undefined : pathOf(expression);
  const assumed = path !== undefined && typeof literal.value === 'string' ? { path, device: literal.value } : undefined;
  return [...literal.conditions, conditions].reduce<Evidence>(
    (sum, each) => both(sum, program.guards.evidenceAt(each, assumed)),
    NO_EVIDENCE,
  );
}

/** True if a number pins a GPU: it is a literal, or a name that only holds literal numbers. */
function isConstant(expression: Expression, program: Program): boolean {
  if (isWrittenOut(expression)) return true;
  if (expression.kind !== 'Name' && expression.kind !== 'Attribute') return false;
  return program.names
    .definitionsOf(expression)
    .every(({ kind, value }) => kind === 'value' && value !== undefined && isWrittenOut(value));
}

/** True for the default of a parameter or of a dataclass field, since the caller can choose another device. */
function isDefaultValue(call: Call, program: Program): boolean {
  if (call.parent?.kind === 'arguments' || call.parent?.kind === 'arg') return true;
  if (call.parent?.kind !== 'AnnAssign') return false;
  const definitions = program.names.scopeOf(call).definitions;
  return [...definitions.values()]
    .flat()
    .some((definition) => definition.value === call && program.values.isField(definition));
}

const isWrittenOut = (value: Expression): boolean =>
  isNumber(value) || (isDisplay(value) && value.elts.every(isNumber));
