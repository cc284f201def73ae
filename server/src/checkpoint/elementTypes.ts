/** Element types in NumPy's spelling: a letter for the kind, then a size. */

interface ElementType {
  /** `float32`, `string`, `object` */
  readonly dtype: string;
  /** Bytes of an element, or of a pointer for Python objects. */
  readonly size: number;
}

/** The long double types depend on the machine: NumPy rejects those from another kind of machine. */
const SIZES: Readonly<Record<string, ElementType>> = {
  b1: { dtype: 'bool', size: 1 },
  i1: { dtype: 'int8', size: 1 },
  i2: { dtype: 'int16', size: 2 },
  i4: { dtype: 'int32', size: 4 },
  i8: { dtype: 'int64', size: 8 },
  u1: { dtype: 'uint8', size: 1 },
  u2: { dtype: 'uint16', size: 2 },
  u4: { dtype: 'uint32', size: 4 },
  u8: { dtype: 'uint64', size: 8 },
  f2: { dtype: 'float16', size: 2 },
  f4: { dtype: 'float32', size: 4 },
  f8: { dtype: 'float64', size: 8 },
  f12: { dtype: 'float96', size: 12 },
  f16: { dtype: 'float128', size: 16 },
  c8: { dtype: 'complex64', size: 8 },
  c16: { dtype: 'complex128', size: 16 },
  c24: { dtype: 'complex192', size: 24 },
  c32: { dtype: 'complex256', size: 32 },
  M8: { dtype: 'M8', size: 8 },
  m8: { dtype: 'm8', size: 8 },
  O: { dtype: 'object', size: 8 },
  O4: { dtype: 'object', size: 8 },
  O8: { dtype: 'object', size: 8 },
};

/**
 * Returns the element type that NumPy writes as `f8`, `S10` or `U3`; undefined for other spellings that NumPy also
 * accepts, such as `d` and `float64`. @see numpy.dtype.__reduce__
 */
export function elementTypeOf(spelling: string): ElementType | undefined {
  if (Object.hasOwn(SIZES, spelling)) return SIZES[spelling];
  const [, kind, digits] = /^([SUV])(0|[1-9]\d{0,8})$/.exec(spelling) ?? [];
  if (kind === undefined) return undefined;
  const length = Number(digits);
  if (kind === 'V') return { dtype: spelling, size: length };
  return { dtype: 'string', size: kind === 'U' ? length * 4 : length };
}
