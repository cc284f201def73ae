/** Element sizes, keyed by PyTorch's names of the types. */

const BITS: Readonly<Record<string, number>> = {
  bool: 8,
  int8: 8,
  int16: 16,
  int32: 32,
  int64: 64,
  uint8: 8,
  float16: 16,
  float32: 32,
  float64: 64,
  complex32: 32,
  complex64: 64,
  complex128: 128,
  bfloat16: 16,
  qint8: 8,
  quint8: 8,
  qint32: 32,
  quint4x2: 4,
  quint2x4: 2,
  float4_e2m1fn_x2: 8,
};

/** Returns the size in bytes of a tensor with that shape; 0 if the type's size is unknown. */
export function bytesOf(dtype: string, shape: readonly number[]): number {
  return bytesOfElements(dtype, elementsOf(shape));
}

function bytesOfElements(dtype: string, count: number): number {
  return Math.ceil((count * bitsOf(dtype)) / 8);
}

/**
 * Types that pack several elements into a byte. PyTorch counts their storages in bytes: `torch._utils._element_size`.
 */
const PACKED: ReadonlySet<string> = new Set(['quint4x2', 'quint2x4']);

/**
 * Returns the number of bytes in which PyTorch stores that many elements; for packed types this is more than a tensor
 * of that many elements needs. Undefined if the type's size is unknown.
 */
export function bytesOfStorage(dtype: string, count: number): number | undefined {
  if (PACKED.has(dtype)) return count;
  return bitsOf(dtype) > 0 ? bytesOfElements(dtype, count) : undefined;
}

export function elementsOf(shape: readonly number[]): number {
  let product = 1;
  for (const size of shape) product *= size;
  return product;
}

function bitsOf(dtype: string): number {
  return BITS[dtype] ?? Number(/^(?:u?int|float|bits)(\d+)/.exec(dtype)?.[1] ?? 0);
}
