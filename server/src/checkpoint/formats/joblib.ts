import type { Budget } from '../budget.ts';
import type { Bytes } from '../bytes.ts';
import { type AfterBuild, interpretPickle, namesIn, type Pickle } from '../pickle/interpret.ts';
import { arrayOf, isOfJoblib, type JoblibArray, standsForArray } from '../pickle/joblibArrays.ts';
import { pickleAt, withLoaded } from '../pickle/legacy.ts';
import { PickleTrouble } from '../pickle/opcodes.ts';
import type { Pickles } from '../pickle/readPickle.ts';

/** A file of `joblib.dump`: a pickle with the content of arrays between its instructions. */
export interface JoblibFile {
  /** That of the object, those of arrays of objects, and those that these would unpickle. */
  readonly pickles: Pickles;
  /** Where the content of the first array lies, which `pickle.load` takes for instructions. */
  readonly firstArray: number | undefined;
}

/** True for a pickle, as far as `pickle.load` gets with it, into which `joblib.dump` wrote arrays. */
export function isJoblib(pickle: Pickle): boolean {
  return namesIn(pickle).some(isOfJoblib);
}

/** Reads such a file as `joblib.load` does. */
export async function readJoblib(bytes: Bytes, budget: Budget): Promise<JoblibFile> {
  const ofObjects: Pickle[] = [];
  let firstArray: number | undefined;
  const afterBuild: AfterBuild = (built, offset) => {
    if (!standsForArray(built)) return undefined;
    firstArray ??= offset;
    const array = arrayOf(built);
    if (!array) throw new PickleTrouble('describes an array as joblib does not');
    return array.hasObjects ? passObjects(offset) : passElements(offset, array);
  };
  const passElements = async (offset: number, array: JoblibArray) => {
    const [padding] = array.isPadded ? await bytes.read(offset, 1) : [];
    return offset + (padding === undefined ? 0 : 1 + padding) + array.bytes;
  };
  const passObjects = async (offset: number) => {
    const [inner, ...within] = await pickleAt(bytes, offset, budget);
    ofObjects.push(inner, ...within);
    if (inner.trouble !== undefined) throw new PickleTrouble('holds an array of objects that cannot be read');
    return inner.end;
  };
  const pickle = await interpretPickle(bytes, 0, budget, afterBuild);
  if (pickle.trouble === undefined && pickle.end < bytes.size)
    pickle.doubts.add(`is followed by ${bytes.size - pickle.end} bytes`);
  const [main, ...within] = await withLoaded(pickle, bytes, budget);
  return { pickles: [main, ...within, ...ofObjects], firstArray };
}
