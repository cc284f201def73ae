/** How a pickle uses what it imports: even what is harmless has arguments and states that no pickler writes. */
import { isExplosive } from './expansion.ts';
import { usualUseOf } from './harmless.ts';
import type { Pickle } from './interpret.ts';
import { sizeOfType } from './numpyTypes.ts';
import { isKind, type Made, nameOf, type Value } from './symbols.ts';

/** What is unusual about the calls of a pickle, each kind once. */
export function unusualUsesOf(pickle: Pickle): string[] {
  const found = new Set<string>();
  if (isExplosive(pickle)) found.add('builds what is more than a billion objects to whoever walks through it');
  for (const call of pickle.calls) {
    const what = unusualIn(call);
    if (what !== undefined) found.add(what);
  }
  return [...found];
}

function unusualIn(call: Made): string | undefined {
  const name = nameOf(call.callee);
  if (name === undefined) return undefined;
  const use = usualUseOf(name);
  if (use === 'value' || (use === 'instance' && !call.isBare)) return `calls \`${name}\``;
  if (call.state !== undefined && use === 'call') return `sets the state of what \`${name}\` gives`;
  const watch = WATCHED[name];
  return watch === undefined || watch(call) ? undefined : `calls \`${name}\` with what it is never given`;
}

/** What the arguments, or the state, of a call must be for it to be harmless. */
const WATCHED: Readonly<Record<string, (call: Made) => boolean>> = {
  'numpy.dtype': (call) => sizeOfType(call) !== undefined,
  'numpy.core.numeric._frombuffer': takesBytes,
  'numpy._core.numeric._frombuffer': takesBytes,
  'numpy.random._pickle.__randomstate_ctor': takesItsMaker,
  'numpy.random._pickle.__generator_ctor': takesItsMaker,
  'numpy.random._pickle.__bit_generator_ctor': ({ args }) => args.every((each) => isName(each)),
  // It calls the first argument with the third, and sets the state of the result.
  'torch._tensor._rebuild_from_type_v2': ({ args }) => nameOf(args[0])?.startsWith('torch._utils._rebuild_') === true,
  'copyreg._reconstructor': isBareObject,
};

/** A buffer of its own, which nothing else frees. */
function takesBytes({ args: [buffer] }: Made): boolean {
  if (isKind(buffer, 'made')) return nameOf(buffer.callee) === 'builtins.bytearray';
  return isKind(buffer, 'raw') || isKind(buffer, 'unknown');
}

/** The algorithm by its name or as an object, and what makes it of the name. */
function takesItsMaker({ args: [algorithm, maker] }: Made): boolean {
  const isOwn = maker === undefined || nameOf(maker) === 'numpy.random._pickle.__bit_generator_ctor';
  const isMade = isKind(algorithm, 'made') && nameOf(algorithm.callee) === 'numpy.random._pickle.__bit_generator_ctor';
  return isOwn && (algorithm === undefined || isMade || isName(algorithm));
}

function isName(value: Value): boolean {
  return typeof value === 'string' || nameOf(value)?.startsWith('numpy.random._') === true;
}

/** `(class, object, None)`, with a class whose objects have a state. */
function isBareObject({ args: [type, base, state] }: Made): boolean {
  const name = nameOf(type);
  if (name === undefined || nameOf(base) !== 'builtins.object' || state !== null) return false;
  const use = usualUseOf(name);
  return use === 'object' || use === 'instance';
}
