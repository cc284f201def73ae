/** The types of elements of NumPy, as `numpy.dtype.__reduce__` describes them. */
import { elementTypeOf } from '../formats/numpy/elementTypes.ts';
import { isKind, nameOf, type Value } from './symbols.ts';

interface Size {
  /** In bytes. */
  readonly bytes: number;
  readonly hasObjects: boolean;
}

/** What NumPy notes of a type with objects, with fields, with both: `NPY_OBJECT_DTYPE_FLAGS`, `NPY_NEEDS_INIT` and others. */
const OBJECT_FLAGS = 63;
const NO_OBJECT = 0;
const TEXT_FLAGS = 8;
const FIELD_FLAGS = 16;

/** Types within types are followed so far. */
const DEEPEST = 8;

/**
 * The size of what such a call describes; undefined where its state is not the one that NumPy itself writes. NumPy believes
 * the state: an object type that says it holds none lets an array take any bytes for pointers.
 */
export function sizeOfType(value: Value | undefined, depth = DEEPEST): Size | undefined {
  if (!isKind(value, 'made') || nameOf(value.callee) !== 'numpy.dtype' || depth === 0) return undefined;
  const [spelling] = value.args;
  const type = typeof spelling === 'string' ? elementTypeOf(spelling) : undefined;
  if (!type) return undefined;
  const [letter] = spelling as string;
  const { state } = value;
  if (state === undefined) return letter === 'O' ? undefined : { bytes: type.size, hasObjects: false };
  if (!isKind(state, 'tuple') || state.items.length < 8 || state.items.length > 9) return undefined;
  const [, order, base, names, fields, bytes, alignment, flags] = state.items;
  if (!isOrder(order)) return undefined;
  if (base === null && names === null && fields === null) {
    if (letter === 'S' || letter === 'U' || letter === 'V') {
      const isOwn = bytes === type.size && (alignment === 1 || alignment === 4);
      const isPlain = flags === NO_OBJECT || (letter === 'U' && flags === TEXT_FLAGS);
      return isOwn && isPlain ? { bytes: bytes as number, hasObjects: false } : undefined;
    }
    if (bytes !== -1 || alignment !== -1) return undefined;
    if (letter === 'O') return flags === OBJECT_FLAGS ? { bytes: 8, hasObjects: true } : undefined;
    return flags === NO_OBJECT ? { bytes: type.size, hasObjects: false } : undefined;
  }
  if (letter !== 'V' || typeof bytes !== 'number' || bytes !== type.size) return undefined;
  if (base !== null || typeof flags !== 'number' || (flags & FIELD_FLAGS) === 0) return undefined;
  return ofFields(names, fields, bytes, depth);
}

/** Of a type with fields that lie within it, none of which holds objects. */
function ofFields(names: Value | undefined, fields: Value | undefined, bytes: number, depth: number) {
  if (!isKind(names, 'tuple') || !isKind(fields, 'dict') || fields.entries.length !== names.items.length)
    return undefined;
  for (const [, field] of fields.entries) {
    const [type, offset] = isKind(field, 'tuple') ? field.items : [];
    const size = sizeOfType(type, depth - 1);
    if (!size || size.hasObjects || typeof offset !== 'number') return undefined;
    if (offset < 0 || offset + size.bytes > bytes) return undefined;
  }
  return { bytes, hasObjects: false };
}

/** A text, or the byte as which Python 2 wrote it. */
function isOrder(value: Value | undefined): boolean {
  return value === '<' || value === '>' || value === '|' || value === '=' || isKind(value, 'raw');
}
