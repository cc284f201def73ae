/** Arrays as `joblib.dump` writes them: https://github.com/joblib/joblib/blob/main/joblib/numpy_pickle.py */
import { elementsOf } from '../dtypes.ts';
import { elementTypeOf } from '../elementTypes.ts';
import { sizeOfType } from './numpyTypes.ts';
import { isKind, type Made, nameOf, type Value } from './symbols.ts';

/** The class that stands for an array; scikit-learn before 0.23 brought a joblib of its own. */
const WRAPPERS: ReadonlySet<string> = new Set([
  'joblib.numpy_pickle.NumpyArrayWrapper',
  'sklearn.externals.joblib.numpy_pickle.NumpyArrayWrapper',
]);

/** True for a name that only `joblib.load` does more with than `pickle.load`. */
export function isOfJoblib(name: string): boolean {
  return WRAPPERS.has(name);
}

/** An array whose content lies between the instructions, behind its description. */
export interface JoblibArray {
  readonly dtype: string;
  readonly shape: readonly number[];
  /** Of its elements; 0 for Python objects, which lie in a pickle of their own. */
  readonly bytes: number;
  readonly hasObjects: boolean;
  /** True where a byte, and as many as it tells, come before the elements. */
  readonly isPadded: boolean;
}

/** True for what `joblib.load` replaces by an array, once its state is set. */
export function standsForArray(value: Value | undefined): value is Made {
  if (!isKind(value, 'made')) return false;
  const name = nameOf(value.callee);
  return isOfJoblib((name === 'copyreg._reconstructor' ? nameOf(value.args[0]) : name) ?? '');
}

const KEYS: readonly string[] = ['subclass', 'shape', 'order', 'dtype', 'allow_mmap', 'numpy_array_alignment_bytes'];

/**
 * The array that such an object stands for. Undefined where it says more or less than joblib writes: a state is a dict of
 * attributes, and could put others in place of the methods that read the array.
 */
export function arrayOf({ state }: Made): JoblibArray | undefined {
  if (!isKind(state, 'dict')) return undefined;
  const values = new Map(state.entries);
  if (values.size !== state.entries.length || [...values.keys()].some((key) => !KEYS.includes(String(key))))
    return undefined;
  const [type, shape, order] = [values.get('dtype'), values.get('shape'), values.get('order')];
  const size = sizeOfType(type);
  if (!size || !isShape(shape) || nameOf(values.get('subclass')) === undefined) return undefined;
  if (order !== 'C' && order !== 'F') return undefined;
  const alignment = values.get('numpy_array_alignment_bytes') ?? null;
  if (alignment !== null && typeof alignment !== 'number') return undefined;
  const sizes = shape.items as readonly number[];
  return {
    dtype: dtypeIn(type),
    shape: sizes,
    bytes: size.hasObjects ? 0 : elementsOf(sizes) * size.bytes,
    hasObjects: size.hasObjects,
    isPadded: alignment !== null,
  };
}

function isShape(value: Value | undefined): value is Extract<Value, { kind: 'tuple' }> {
  return isKind(value, 'tuple') && value.items.every((size) => Number.isSafeInteger(size) && (size as number) >= 0);
}

/** `float64`; `record` for one with named fields. */
function dtypeIn(type: Value | undefined): string {
  const { args: [spelling] = [], state } = isKind(type, 'made') ? type : {};
  const fields = isKind(state, 'tuple') ? state.items[3] : null;
  return (typeof spelling === 'string' && fields === null ? elementTypeOf(spelling)?.dtype : undefined) ?? 'record';
}
