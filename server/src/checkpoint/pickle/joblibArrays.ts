/** Arrays the way `joblib.dump` writes them: https://github.com/joblib/joblib/blob/main/joblib/numpy_pickle.py */
import { elementsOf } from '../dtypes.ts';
import { elementTypeOf } from '../elementTypes.ts';
import { sizeOfType } from './numpyTypes.ts';
import { type CallResult, importName, isKind, type Value } from './symbols.ts';

/** The class that represents an array. scikit-learn before 0.23 contained its own joblib. */
const WRAPPERS: ReadonlySet<string> = new Set([
  'joblib.numpy_pickle.NumpyArrayWrapper',
  'sklearn.externals.joblib.numpy_pickle.NumpyArrayWrapper',
]);

/** True for a name that `joblib.load` treats differently from `pickle.load`. */
export function isJoblibName(name: string): boolean {
  return WRAPPERS.has(name);
}

/** An array whose content follows its description, between instructions. */
export interface JoblibArray {
  readonly dtype: string;
  readonly shape: readonly number[];
  /** Bytes of its elements; 0 for Python objects, which are in a separate pickle. */
  readonly bytes: number;
  readonly hasObjects: boolean;
  /** True if the elements are preceded by a byte that gives the number of padding bytes, and by those bytes. */
  readonly isPadded: boolean;
}

/** True for an object that `joblib.load` replaces with an array after its state is set. */
export function representsArray(value: Value | undefined): value is CallResult {
  if (!isKind(value, 'result')) return false;
  const name = importName(value.callee);
  return isJoblibName((name === 'copyreg._reconstructor' ? importName(value.args[0]) : name) ?? '');
}

const KEYS: readonly string[] = ['subclass', 'shape', 'order', 'dtype', 'allow_mmap', 'numpy_array_alignment_bytes'];

/**
 * Returns the array that an object represents. Undefined unless the state is exactly what joblib writes: the state is a
 * dict of attributes and could replace the methods that read the array.
 */
export function arrayOf({ state }: CallResult): JoblibArray | undefined {
  if (!isKind(state, 'dict')) return undefined;
  const values = new Map(state.entries);
  if (values.size !== state.entries.length || [...values.keys()].some((key) => !KEYS.includes(String(key))))
    return undefined;
  const [type, shape, order] = [values.get('dtype'), values.get('shape'), values.get('order')];
  const size = sizeOfType(type);
  if (!size || !isShape(shape) || importName(values.get('subclass')) === undefined) return undefined;
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

/** `float64`, or `record` for a type with named fields. */
function dtypeIn(type: Value | undefined): string {
  const { args: [spelling] = [], state } = isKind(type, 'result') ? type : {};
  const fields = isKind(state, 'tuple') ? state.items[3] : null;
  return (typeof spelling === 'string' && fields === null ? elementTypeOf(spelling)?.dtype : undefined) ?? 'record';
}
