/** NumPy's element types, as `numpy.dtype.__reduce__` describes them. */
import { elementTypeOf } from '../elementTypes.ts';
import { importName, isKind, type Value } from './symbols.ts';

interface Size {
  /** In bytes. */
  readonly bytes: number;
  readonly hasObjects: boolean;
}

/** NumPy's flags for a type with objects, which combine `NPY_OBJECT_DTYPE_FLAGS`, `NPY_NEEDS_INIT` and others. */
const OBJECT_FLAGS = 63;
const NO_OBJECT = 0;
const TEXT_FLAGS = 8;
/** Flags of a record: access by field, optionally with strings and aligned like a C struct. */
const RECORD_FLAGS: ReadonlySet<unknown> = new Set([16, 16 + 8, 16 + 128, 16 + 8 + 128]);

/** Maximum nesting level of types that are followed. */
const DEEPEST = 8;

/**
 * Returns the size of a described type; undefined unless its state is one that NumPy itself writes. NumPy trusts the
 * state: an object type that claims not to contain objects makes an array use any bytes as pointers.
 */
export function sizeOfType(value: Value | undefined, depth = DEEPEST): Size | undefined {
  if (!isKind(value, 'result') || importName(value.callee) !== 'numpy.dtype' || depth === 0) return undefined;
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
  if (base !== null || !RECORD_FLAGS.has(flags)) return undefined;
  return sizeOfRecord(names, fields, bytes, depth);
}

/** Returns the size of a record whose fields lie within it and contain no objects. */
function sizeOfRecord(names: Value | undefined, fields: Value | undefined, bytes: number, depth: number) {
  if (!isKind(names, 'tuple') || !isKind(fields, 'dict') || fields.entries.length !== names.items.length)
    return undefined;
  for (const [, field] of fields.entries) {
    const [type, offset] = isKind(field, 'tuple') ? field.items : [];
    const size = sizeOfField(type, depth - 1);
    if (!size || size.hasObjects || !Number.isInteger(offset)) return undefined;
    if (Number(offset) < 0 || Number(offset) + size.bytes > bytes) return undefined;
  }
  return { bytes, hasObjects: false };
}

/** Returns the size of a field, which may be an array with a fixed shape in each record: `(element type, shape)`. */
export function sizeOfField(value: Value | undefined, depth = DEEPEST): Size | undefined {
  const state = isKind(value, 'result') && importName(value.callee) === 'numpy.dtype' ? value.state : undefined;
  if (!isKind(state, 'tuple') || state.items.length !== 8 || !isKind(state.items[2], 'tuple') || depth === 0)
    return sizeOfType(value, depth);
  const [, order, base, names, fields, bytes, alignment, flags] = state.items;
  const [type, shape, ...more] = isKind(base, 'tuple') ? base.items : [];
  const element = sizeOfType(type, depth - 1);
  if (!element || element.hasObjects || more.length > 0 || !isKind(shape, 'tuple')) return undefined;
  const count = shape.items.reduce((product: number, each) => (isCount(each) ? product * each : Number.NaN), 1);
  const isOwn = order === '|' && names === null && fields === null && isCount(alignment) && isCount(flags);
  if (!isOwn || bytes !== count * element.bytes || !(flags === NO_OBJECT || flags === TEXT_FLAGS)) return undefined;
  return { bytes, hasObjects: false };
}

function isCount(value: Value | undefined): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** True for a byte order, given as text or as the byte that Python 2 wrote. */
function isOrder(value: Value | undefined): boolean {
  return value === '<' || value === '>' || value === '|' || value === '=' || isKind(value, 'raw');
}
