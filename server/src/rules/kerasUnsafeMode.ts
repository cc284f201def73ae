import type { Program } from '../guards/program.ts';
import { calledName } from '../python/semantic/accessPaths.ts';
import { type Argument, argumentFor, argumentsOf } from '../python/semantic/arguments.ts';
import { isBoolean } from '../python/semantic/literals.ts';
import { spanOf } from '../python/semantic/source.ts';
import type { Call } from '../python/syntax/nodes.ts';
import { hasBrackets, removeArgument } from './edits/arguments.ts';
import type { Fix } from './edits/fix.ts';
import type { Observation } from './engine/contract.ts';
import { message, quoted } from './engine/message.ts';
import { on, type Rule } from './engine/rule.ts';
import type { QualifiedCall, Selector } from './engine/selector.ts';
import { isSound } from './fixes/soundness.ts';
import { kerasTriggers } from './queries/kerasLoads.ts';
import { savedBefore } from './queries/savedPaths.ts';
import { shownCode } from './queries/shownCode.ts';

const UNSAFE = 'enable_unsafe_deserialization';

/** Calls of Keras that may disable its safe mode. */
const kerasCalls: Selector<QualifiedCall> = {
  calls: {
    names: new Set(['load_model', UNSAFE]),
    hasKeyword: (keyword) => keyword === 'safe_mode',
    resolve(call, { names }) {
      const callee = names.calleeOf(call);
      return callee.qualified.some((name) => name.startsWith('keras.')) ? [{ call, ...callee }] : [];
    },
  },
  triggers: kerasTriggers(['load_model', UNSAFE, 'safe_mode']),
};

/** GPU304: Keras is allowed to run code in a model file. */
export const kerasUnsafeMode: Rule = {
  code: 'GPU304',
  name: 'keras-unsafe-mode',
  summary: 'Keras is allowed to run the Python code in a model file.',
  reports: '`safe_mode=False`, which lets a Keras model file run code',
  severity: 'warning',
  // The argument of a partial is reported once, at the partial, for all of its calls.
  listener: on(kerasCalls, (found, { program, aboutFile, report }) => {
    const unsafe = switchedOff(found, program) ?? switchedOffForAll(found.call, program);
    if (!unsafe) return;
    const saved = savedBefore(found.call, argumentsOf(found.call)[0]?.value, program);
    report({ ...unsafe, level: 'flag', reasons: [...aboutFile, ...saved] });
  }),
};

type Unsafety = Omit<Observation, 'level'>;

/**
 * Finds `safe_mode=False` in any Keras call: `load_model`, `deserialize_keras_object`, `TFSMLayer`,
 * `Layer.from_config`.
 */
function switchedOff({ call, qualified, args }: QualifiedCall, program: Program): Unsafety | undefined {
  const position = qualified.some((name) => name.endsWith('.load_model')) ? 3 : undefined;
  const { argument } = argumentFor(args, 'safe_mode', position);
  if (!argument || !isFalse(argument)) return undefined;
  const name = quoted(shownCode(program, call.func));
  return {
    span: spanOf(argument),
    message: message`${name} can run Python code in the file: \`safe_mode=False\`.`,
    fixes: () => withoutArgument(program, argument),
  };
}

const isFalse = ({ value }: Argument) => isBoolean(value, false);

/** `keras.config.enable_unsafe_deserialization()` applies to everything that is loaded later. */
function switchedOffForAll(call: Call, program: Program): Unsafety | undefined {
  if (calledName(call) !== UNSAFE) return undefined;
  const isOfKeras = program.names.qualify(call.func).some((name) => name.startsWith('keras.'));
  return isOfKeras
    ? {
        span: { start: call.func.start, end: call.end },
        message: 'From here on, Keras can run Python code in every model file that it loads.',
      }
    : undefined;
}

/** A model with its own code can then no longer be loaded, so the fix is only suggested. */
function withoutArgument(program: Program, argument: Argument): Fix[] {
  // The argument of a `functools.partial` is removed at the partial.
  const home = argument.call;
  if (!isSound(program, home) || !hasBrackets(program, home)) return [];
  const edit = removeArgument(program, home, argument);
  const code = program.text.slice(argument.start, argument.end);
  return edit ? [{ title: `Remove \`${code}\``, tier: 'suggestion', edits: [edit] }] : [];
}
