import { handlesMissingGpu } from '../guards/handlers.ts';
import type { Program } from '../guards/program.ts';
import type { Reason } from '../guards/reason.ts';
import { conditionsOf } from '../python/semantic/annotations.ts';
import { argumentFor, argumentsOf } from '../python/semantic/arguments.ts';
import { isBoolean } from '../python/semantic/literals.ts';
import { memoize } from '../python/semantic/memoize.ts';
import { qualifiedName } from '../python/semantic/qualifiedName.ts';
import { type Span, spanOf } from '../python/semantic/source.ts';
import type { Call, Expression, Node } from '../python/syntax/nodes.ts';
import { inProgram, type Rule } from './engine/rule.ts';
import { isTestFile } from './engine/testFile.ts';
import { fixesOfKerasLoad } from './fixes/kerasLoad.ts';
import { runsSomething } from './queries/blocks.ts';
import { areExclusive } from './queries/exclusiveBranches.ts';
import { kerasLoads } from './queries/kerasLoads.ts';
import { outlookOf } from './queries/kerasOutlook.ts';
import { visibleSettingsOf } from './queries/visibleDevices.ts';

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
    if (visibleSettingsOf(program).all.length > 0 || isKerasOwnTest(program)) return;
    // The importer of a library may have initialized the devices already, and then they can no longer be configured.
    const isLibrary = !runsSomething(program) && loads.every((load) => program.names.functionOf(load));
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

/** True if the devices are checked before the program first reaches a load. */
const isCheckedBefore = (load: Call, program: Program): boolean => firstCheck(program) < startOf(wayTo(load, program));

/** Returns the offset of the first check of devices. Cells with syntax errors do not run. */
const firstCheck = memoize((program: Program): number => {
  const look = program.index.calls.find(
    (call) =>
      program.names.qualify(call.func).some((name) => CHECKS.some((pattern) => pattern.test(name))) &&
      program.modules[program.toCell(call).cell]?.errors.length === 0,
  );
  return look?.start ?? Number.POSITIVE_INFINITY;
});

/** Returns a call and its path from the top level: the call, then the first call of each function around it. */
function wayTo(call: Call, { index, names }: Program): readonly Call[] {
  const way: Call[] = [];
  for (let at: Call | undefined = call; at && !way.includes(at); ) {
    way.push(at);
    const home = names.functionOf(at);
    at = home && index.callsSpelled([home.name]).find(({ func }) => names.declarationOf(func) === home);
  }
  return way;
}

/** Returns the offset that the program must pass to get to the end of a path. */
const startOf = (way: readonly Call[]): number => Math.max(...way.map(({ start }) => start));

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

/**
 * True if a Keras model was trained or used before, on the same path through the program: the device is already in use.
 */
function isUsedBefore(load: Call, program: Program): boolean {
  const { functionOf } = program.names;
  const ownWay = wayTo(load, program);
  return program.index.callsSpelled(USES).some((call) => {
    const way = wayTo(call, program);
    const isReached = way.every((each, at) => at < way.length - 1 || !functionOf(each));
    const isBefore =
      functionOf(call) === functionOf(load) ? call.start < load.start : isReached && startOf(way) < startOf(ownWay);
    if (!isBefore || call.func.kind !== 'Attribute' || !isKerasModel(call.func.value, call, program)) return false;
    return !way.some((one) => ownWay.some((other) => areExclusive(one, other)));
  });
}

/**
 * True for an object from Keras or from the program's own code, or one that is used or compiled with arguments that only
 * Keras has.
 */
function isKerasModel(receiver: Expression, use: Call, program: Program): boolean {
  const made = receiver.kind === 'Name' || receiver.kind === 'Attribute' ? program.names.definitionsOf(receiver) : [];
  const calls = made.flatMap(({ value }) => (value?.kind === 'Call' ? [value.func] : []));
  if (calls.some((func) => program.names.declarationOf(func))) return true;
  const makers = calls.flatMap((func) => program.names.qualify(func));
  if (makers.length > 0) return makers.some((name) => /^(keras|tensorflow)\./.test(name));
  if (use.keywords.some(({ arg }) => arg !== undefined && KERAS_ARGUMENTS.has(arg))) return true;
  const textOf = ({ start, end }: Expression) => program.text.slice(start, end);
  return program.index
    .callsSpelled(['compile'])
    .some(
      ({ func, keywords }) =>
        func.kind === 'Attribute' &&
        textOf(func.value) === textOf(receiver) &&
        keywords.some(({ arg }) => arg === 'loss' || arg === 'optimizer'),
    );
}

function isKerasOwnTest(program: Program): boolean {
  return isTestFile(program.source.path) && /(^|[\\/])(tf_)?keras[\\/]/.test(program.source.path);
}
