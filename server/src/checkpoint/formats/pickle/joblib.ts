import type { Budget } from '../../budget.ts';
import type { Bytes } from '../../bytes.ts';
import { type AfterBuild, interpretPickle, namesIn, type Pickle } from '../../pickle/interpret.ts';
import { arrayOf, isJoblibName, type JoblibArray, representsArray } from '../../pickle/joblibArrays.ts';
import { pickleAt, withNested } from '../../pickle/legacy.ts';
import { PickleTrouble } from '../../pickle/opcodes.ts';
import type { Pickles } from '../../pickle/readPickle.ts';

/**
 * The loader of a `joblib.dump` file, which is a pickle with array contents between its instructions: current joblib;
 * joblib before 1.2, which does not know about the padding in front of an array; or `pickle.load`, which interprets
 * arrays as instructions.
 */
type ArrayLoader = 'joblib' | 'joblib before 1.2' | 'pickle';

interface JoblibFile {
  /** The pickles of the object and of arrays of objects, and any pickles that these would unpickle. */
  readonly pickles: Pickles;
  /** True if any of the arrays has padding. */
  readonly hasPadding: boolean;
  /**
   * True if an unpickler ends after the start of the first array without importing, calling or building anything there.
   * Array elements can be instructions by chance.
   */
  readonly endsWithoutEffect: boolean;
}

/** True for a pickle into which `joblib.dump` wrote arrays, according to the part that `pickle.load` can read. */
export function isJoblib(pickle: Pickle): boolean {
  return namesIn(pickle).some(isJoblibName);
}

/** Reads a `joblib.dump` file the way the given loader does. */
export async function readJoblib(bytes: Bytes, budget: Budget, loader: ArrayLoader = 'joblib'): Promise<JoblibFile> {
  const objectPickles: Pickle[] = [];
  let first: { readonly imports: number; readonly calls: number } | undefined;
  let buildsAfter = 0;
  let hasPadding = false;
  const afterBuild: AfterBuild = (built, offset, { globals, calls }) => {
    if (first) buildsAfter++;
    if (!representsArray(built)) return undefined;
    first ??= { imports: globals.size, calls: calls.length };
    if (loader === 'pickle') return undefined;
    const array = arrayOf(built);
    if (!array) throw new PickleTrouble('describes an array differently from joblib');
    hasPadding ||= array.isPadded && !array.hasObjects;
    return array.hasObjects ? skipObjects(offset) : skipElements(offset, array);
  };
  const skipElements = async (offset: number, array: JoblibArray) => {
    const [padding] = array.isPadded && loader === 'joblib' ? await bytes.read(offset, 1) : [];
    return offset + (padding === undefined ? 0 : 1 + padding) + array.bytes;
  };
  const skipObjects = async (offset: number) => {
    const [inner, ...within] = await pickleAt(bytes, offset, budget);
    objectPickles.push(inner, ...within);
    if (inner.trouble !== undefined) throw new PickleTrouble('contains an array of objects that cannot be read');
    return inner.end;
  };
  const pickle = await interpretPickle(bytes, 0, budget, afterBuild);
  const endsWithoutEffect =
    (pickle.trouble === undefined || pickle.fails === true) &&
    pickle.doubts.size === 0 &&
    pickle.globals.size === first?.imports &&
    pickle.calls.length === first.calls &&
    buildsAfter === 0 &&
    pickle.effects.every(({ standing }) => standing !== 'dangerous');
  if (pickle.trouble === undefined && pickle.end < bytes.size)
    pickle.doubts.add(`is followed by ${bytes.size - pickle.end} bytes`);
  const [main, ...within] = await withNested(pickle, bytes, budget);
  return { pickles: [main, ...within, ...objectPickles], hasPadding, endsWithoutEffect };
}
