import type { Program } from '../guards/program.ts';
import { calledName } from '../python/semantic/accessPaths.ts';
import type { Argument } from '../python/semantic/arguments.ts';
import { argumentFor, argumentsOf, keywordOf } from '../python/semantic/arguments.ts';
import { isBoolean } from '../python/semantic/literals.ts';
import { spanOf } from '../python/semantic/source.ts';
import type { Call } from '../python/syntax/nodes.ts';
import type { Observation, Rule } from './engine/contract.ts';
import { withoutArgument } from './fixes/safeMode.ts';
import { isSavedBefore } from './queries/savedPaths.ts';
import { isTestFile } from './queries/testFile.ts';

/** GPU304: Keras is told to run the code that a model file holds. */
export const kerasUnsafeMode: Rule = {
  code: 'GPU304',
  name: 'keras-unsafe-mode',
  summary: 'Keras is allowed to run the Python code in a model file.',
  severity: 'warning',
  check(program, report) {
    const isTest = isTestFile(program.source.path);
    const reported = new Set<number>();
    for (const call of callsIn(program)) {
      const unsafe = switchedOff(call, program) ?? switchedOffForAll(call, program);
      // What a partial was given is the same for all of its calls.
      if (!unsafe || reported.has(unsafe.span.start)) continue;
      reported.add(unsafe.span.start);
      const verdict = isTest || isSavedBefore(call, argumentsOf(call)[0]?.value, program) ? 'hint' : 'flag';
      report({ ...unsafe, verdict });
    }
  },
};

const SPELLINGS = new Set(['load_model', 'enable_unsafe_deserialization']);

/** The calls of Keras that may switch it off. */
function callsIn({ index, names }: Program): Call[] {
  const reaching = new Set(index.callsReaching(SPELLINGS));
  const isAsked = (call: Call) => reaching.has(call) || keywordOf(call, 'safe_mode') !== undefined;
  const isOfKeras = (call: Call) => names.calleeOf(call).qualified.some((name) => name.startsWith('keras.'));
  return index.calls.filter((call) => isAsked(call) && isOfKeras(call));
}

/** `safe_mode=False` in any call of Keras: `load_model`, `deserialize_keras_object`, `TFSMLayer`, `Layer.from_config`. */
function switchedOff(call: Call, program: Program): Omit<Observation, 'verdict'> | undefined {
  const { qualified, args } = program.names.calleeOf(call);
  const position = qualified.some((name) => name.endsWith('.load_model')) ? 3 : undefined;
  const { argument } = argumentFor(args, 'safe_mode', position);
  if (!argument || !isFalse(argument)) return undefined;
  const name = program.text.slice(call.func.start, call.func.end);
  return {
    span: spanOf(argument),
    message: `\`${name}\` with \`safe_mode=False\` runs Python code that the file brings along, such as that of a Lambda layer.`,
    fixes: () => withoutArgument(program, argument),
  };
}

const isFalse = ({ value }: Argument) => isBoolean(value, false);

/** `keras.config.enable_unsafe_deserialization()` holds for everything that is loaded from then on. */
function switchedOffForAll(call: Call, program: Program): Omit<Observation, 'verdict'> | undefined {
  if (calledName(call) !== 'enable_unsafe_deserialization') return undefined;
  const isOfKeras = program.names.qualify(call.func).some((name) => name.startsWith('keras.'));
  return isOfKeras
    ? {
        span: { start: call.func.start, end: call.end },
        message:
          'From here on Keras runs Python code that any loaded file brings along, such as that of a Lambda layer.',
      }
    : undefined;
}
