import { handlesMissingGpu } from '../guards/handlers.ts';
import type { Program } from '../guards/program.ts';
import type { Reason } from '../guards/reason.ts';
import { conditionsOf } from '../python/semantic/annotations.ts';
import { argumentFor, argumentsOf } from '../python/semantic/arguments.ts';
import { isBoolean, isString } from '../python/semantic/literals.ts';
import { memoize } from '../python/semantic/memoize.ts';
import { qualifiedName } from '../python/semantic/qualifiedName.ts';
import { type Span, spanOf } from '../python/semantic/source.ts';
import type { Call, Expression, Node, Statement } from '../python/syntax/nodes.ts';
import { walk } from '../python/syntax/walk.ts';
import { inProgram, type Rule } from './engine/rule.ts';
import { isTestFile } from './engine/testFile.ts';
import { fixesOfKerasLoad } from './fixes/kerasLoad.ts';
import { areExclusive } from './queries/exclusiveBranches.ts';
import { kerasLoads } from './queries/kerasLoads.ts';
import { outlookOf } from './queries/kerasOutlook.ts';

/** Calls that list or choose devices. */
const CHECKS = [
  /^tensorflow\.config\.(experimental\.)?(list_physical_devices|list_logical_devices|get_visible_devices|set_visible_devices|set_memory_growth|set_virtual_device_configuration|set_logical_device_configuration|get_memory_info|get_device_details)$/,
  /^tensorflow\.test\.(is_gpu_available|gpu_device_name)$/,
  /(^|\.)device_lib\.list_local_devices$/,
  /^jax\.(local_)?devices$/,
  /^torch\.cuda\.is_available$/,
  /^tensorflow\.(Session|InteractiveSession|ConfigProto|GPUOptions)$/,
  /^keras\.backend\.(\w+\.)?set_session$/,
];
const USES = new Set(['fit', 'fit_generator', 'predict', 'evaluate', 'train_on_batch']);
/** Arguments that only Keras's methods have. */
const KERAS_ARGUMENTS = new Set([
  'epochs',
  'batch_size',
  'validation_data',
  'validation_split',
  'callbacks',
  'steps_per_epoch',
  'verbose',
]);

/** GPU301: a Keras model is loaded before the devices are checked or chosen. */
export const kerasLoadModelUnguarded: Rule = {
  code: 'GPU301',
  name: 'keras-load-model-unguarded',
  summary: 'A Keras model is loaded before the GPUs are checked or configured.',
  reports: 'a Keras model that is loaded before the GPUs are checked or configured',
  severity: 'information',
  // Only the first load of a program is reported, and the order of execution is known only for the whole program.
  listener: inProgram([kerasLoads], ({ program, known, matchesOf, report }) => {
    const loads = matchesOf(kerasLoads);
    if (setsVisibleDevices(program) || isKerasOwnTest(program)) return;
    // The importer of a library may have initialized the devices already, and then they can no longer be configured.
    const isLibrary =
      program.cells.every((cell) => cell.every(isDefinition)) && loads.every((load) => program.names.functionOf(load));
    let first: Span | undefined;
    for (const load of loads) {
      if (
        isCheckedBefore(load, program) ||
        isInsideDevice(load, program) ||
        isUsedBefore(load, program) ||
        isHandled(load, program)
      )
        continue;
      const compile = argumentFor(argumentsOf(load), 'compile', 2).argument?.value;
      const span = { start: load.func.start, end: load.end };
      const reasons: readonly Reason[] = [
        ...(first ? [{ because: 'an earlier load is reported for the same cause', at: first }] : []),
        ...loadedElsewhere(load, program),
        ...(compile && isBoolean(compile, false)
          ? [{ because: 'the model is only used for inference', at: spanOf(compile) }]
          : []),
      ];
      const isHint = reasons.length > 0;
      if (!isHint) first = span;
      const { message, isTrouble, related } = outlookOf(load, program, known);
      report({
        span,
        level: 'flag',
        ...(isTrouble && { severity: 'warning' }),
        reasons,
        message,
        related,
        fixes: () => fixesOfKerasLoad(program, load, isHint || isLibrary, known),
      });
    }
  }),
};

/** Returns the reason that the program always loads a model in another file before this one. */
function loadedElsewhere(load: Call, program: Program): Reason[] {
  const home = program.names.functionOf(load);
  const before = home && program.project?.kerasLoadBefore(qualifiedName(home, program.names));
  return before ? [{ because: 'the program loads a model earlier, in another file', at: before }] : [];
}

const isCheckedBefore = (load: Call, program: Program): boolean => firstCheck(program) < firstRunOf(load, program);

/** Returns the offset of the first check of devices. Cells with syntax errors do not run. */
const firstCheck = memoize((program: Program): number => {
  const look = program.index.calls.find(
    (call) =>
      program.names.qualify(call.func).some((name) => CHECKS.some((pattern) => pattern.test(name))) &&
      program.modules[program.toCell(call).cell]?.errors.length === 0,
  );
  return look?.start ?? Number.POSITIVE_INFINITY;
});

/** Returns the calls of each function and class of the program. */
const callersIn = memoize((program: Program): ReadonlyMap<Node, readonly Call[]> => {
  const found = new Map<Node, Call[]>();
  for (const call of program.index.calls) {
    const declaration = program.names.declarationOf(call.func);
    if (!declaration) continue;
    const calls = found.get(declaration) ?? [];
    calls.push(call);
    found.set(declaration, calls);
  }
  return found;
});

/**
 * Returns the offset where the program first reaches a call: the call itself, or the first top-level call of its
 * function.
 */
function firstRunOf(node: Call, program: Program, seen = new Set<Node>()): number {
  const home = program.names.functionOf(node);
  if (!home || seen.has(home)) return node.start;
  seen.add(home);
  const callers = callersIn(program).get(home) ?? [];
  if (callers.length === 0) return node.start;
  return Math.max(node.start, Math.min(...callers.map((call) => firstRunOf(call, program, seen))));
}

/**
 * Returns a call and its possible path from the top level: the call itself, then the first call of each enclosing
 * function.
 */
function wayTo(call: Call, program: Program): readonly Call[] {
  const way: Call[] = [];
  for (let at: Call | undefined = call; at && !way.includes(at); ) {
    way.push(at);
    const home = program.names.functionOf(at);
    at = home && (callersIn(program).get(home) ?? []).toSorted((a, b) => a.start - b.start)[0];
  }
  return way;
}

/** Returns the offset where the top level reaches a call on its path; infinite if it never does. */
function reachedBy(way: readonly Call[], program: Program): number {
  const last = way.at(-1);
  return last && !program.names.functionOf(last) ? last.start : Number.POSITIVE_INFINITY;
}

/** `with tf.device(...):` or `with strategy.scope():` around the call. */
function isInsideDevice(load: Call, program: Program): boolean {
  for (let at: Node | undefined = load.parent; at; at = at.parent) {
    if (at.kind !== 'With') continue;
    const isChoosing = at.items.some(({ context_expr: context }) => {
      if (context.kind !== 'Call') return false;
      if (context.func.kind === 'Attribute' && context.func.attr === 'scope') return true;
      return program.names
        .qualify(context.func)
        .some((name) => /^(tensorflow|keras|jax|torch)\.(default_)?device$/.test(name));
    });
    if (isChoosing) return true;
  }
  return false;
}

function isHandled(load: Call, program: Program): boolean {
  for (let at = conditionsOf(load); at; at = at.outer) {
    if (at.kind === 'unreachable') return true;
    if (at.kind === 'try' && handlesMissingGpu(at.statement, program.names)) return true;
  }
  return false;
}

/** True if the file sets `CUDA_VISIBLE_DEVICES`, in Python or with a notebook's `%env`. */
function setsVisibleDevices(program: Program): boolean {
  if (/^[ \t]*%(set_)?env\s+CUDA_VISIBLE_DEVICES/m.test(program.text)) return true;
  return program.index.stringsOf('CUDA_VISIBLE_DEVICES').some((string) => {
    const around = string.parent;
    if (around?.kind === 'Subscript') return around.parent?.kind === 'Assign' && around.parent.targets.includes(around);
    // `os.environ.update({"CUDA_VISIBLE_DEVICES": "0"})`
    if (around?.kind === 'Dict') return around.keys.includes(string);
    if (around?.kind !== 'Call' || around.args[0] !== string) return false;
    const call = around;
    const name = call.func.kind === 'Attribute' ? call.func.attr : '';
    return name === 'setdefault' || name === 'putenv' || name === 'setenv';
  });
}

/**
 * True if a Keras model was trained or used before, on the same path through the program: the device is already in use.
 */
function isUsedBefore(load: Call, program: Program): boolean {
  const home = program.names.functionOf(load);
  const from = firstRunOf(load, program);
  const ownWay = wayTo(load, program);
  return usesIn(program).some(({ call, way, reached }) => {
    const isInHome = program.names.functionOf(call) === home;
    if (isInHome ? call.start >= load.start : reached >= from) return false;
    return !way.some((one) => ownWay.some((other) => areExclusive(one, other)));
  });
}

interface ModelUse {
  readonly call: Call;
  readonly way: readonly Call[];
  /** The offset where the top level first reaches it. */
  readonly reached: number;
}

/** Returns the places where a Keras model is trained or used. */
const usesIn = memoize((program: Program): readonly ModelUse[] =>
  program.index.calls.flatMap((call) => {
    if (call.func.kind !== 'Attribute' || !USES.has(call.func.attr)) return [];
    if (!isKerasModel(call.func.value, call, program)) return [];
    const way = wayTo(call, program);
    return [{ call, way, reached: reachedBy(way, program) }];
  }),
);

function isKerasModel(receiver: Expression, use: Call, program: Program): boolean {
  const made = madeBy(receiver, program, new Set());
  if (made !== undefined) return made;
  if (use.keywords.some(({ arg }) => arg !== undefined && KERAS_ARGUMENTS.has(arg))) return true;
  // An object that was compiled with a loss or an optimizer is a Keras model.
  return compiledIn(program).has(program.text.slice(receiver.start, receiver.end));
}

/** Returns the receivers that are compiled with a loss or an optimizer, as text. */
const compiledIn = memoize(
  (program: Program) =>
    new Set(
      program.index.calls.flatMap(({ func, keywords }) =>
        func.kind === 'Attribute' &&
        func.attr === 'compile' &&
        keywords.some(({ arg }) => arg === 'loss' || arg === 'optimizer')
          ? [program.text.slice(func.value.start, func.value.end)]
          : [],
      ),
    ),
);

/** True if an expression comes from Keras; undefined if the program does not show this. */
function madeBy(expression: Expression, program: Program, seen: Set<Expression>): boolean | undefined {
  if (seen.has(expression)) return undefined;
  seen.add(expression);
  if (expression.kind === 'Call') {
    const names = program.names.qualify(expression.func);
    if (names.length > 0) return names.some((name) => name.startsWith('keras.') || name.startsWith('tensorflow.'));
    const declaration = program.names.declarationOf(expression.func);
    if (declaration?.kind === 'ClassDef') {
      return (
        declaration.bases.some((value) => program.names.qualify(value).some((name) => name.startsWith('keras.'))) ||
        undefined
      );
    }
    return declaration?.kind === 'FunctionDef' ? returnsKeras(declaration, program, seen) : undefined;
  }
  if (expression.kind !== 'Name' && expression.kind !== 'Attribute') return undefined;
  for (const { kind, value } of program.names.definitionsOf(expression)) {
    const made = kind === 'value' && value ? madeBy(value, program, seen) : undefined;
    if (made !== undefined) return made;
  }
  return undefined;
}

function returnsKeras(declaration: Statement, program: Program, seen: Set<Expression>): boolean | undefined {
  let found: boolean | undefined;
  walk(declaration, (node) => {
    if (node.kind === 'Return' && node.value) found ??= madeBy(node.value, program, seen);
  });
  return found;
}

/** True for statements after which a module still only offers functions and classes to its importer. */
function isDefinition(statement: Statement): boolean {
  switch (statement.kind) {
    case 'FunctionDef':
    case 'ClassDef':
    case 'Import':
    case 'ImportFrom':
    case 'Assign':
    case 'AugAssign':
    case 'AnnAssign':
    case 'TypeAlias':
    case 'Pass':
      return true;
    case 'Expr':
      return isString(statement.value);
    case 'Try':
      // Handling a missing import does not make a module a program.
      return [...statement.body, ...statement.orelse, ...statement.finalbody].every(isDefinition);
    case 'If': {
      const isForTypes = statement.test.kind === 'Name' || statement.test.kind === 'Attribute';
      return isForTypes && [...statement.body, ...statement.orelse].every(isDefinition);
    }
    default:
      return false;
  }
}

function isKerasOwnTest(program: Program): boolean {
  return isTestFile(program.source.path) && /(^|[\\/])(tf_)?keras[\\/]/.test(program.source.path);
}
