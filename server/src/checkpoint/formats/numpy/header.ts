import { elementsOf } from '../../dtypes.ts';
import { elementTypeOf } from '../../elementTypes.ts';

/**
 * The header of an array in NumPy's own format, a Python dictionary literal:
 * https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 */
interface ArrayType {
  /** `float32`, `object`, `record` */
  readonly dtype: string;
  /** Bytes of an element; 0 for Python objects. */
  readonly size: number;
  /** True if it contains Python objects, which are stored in a pickle. */
  readonly hasObjects: boolean;
}

interface ArrayHeader extends ArrayType {
  readonly shape: readonly number[];
}

/** Parses a header; undefined if NumPy rejects it or would write it differently. */
export function parseArrayHeader(text: string): ArrayHeader | undefined {
  const header = parseLiteral(text.trim());
  // Python uses the last of duplicate keys; NumPy never writes duplicates.
  if (!(header instanceof Map) || header.size !== 3) return undefined;
  const shape = header.get('shape');
  const type = typeOf(header.get('descr'));
  const isWhole = Array.isArray(shape) && typeof header.get('fortran_order') === 'boolean';
  return type && isWhole && shape.every(isSize) ? { ...type, shape } : undefined;
}

const isSize = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Nesting levels of fields that are followed. */
const DEEPEST = 16;

/** Parses a type description, which is a string or a list of fields. */
function typeOf(description: unknown, depth = 0): ArrayType | undefined {
  if (typeof description === 'string') return plainTypeOf(description);
  if (!Array.isArray(description) || isTuple(description) || depth > DEEPEST) return undefined;
  const fields = description.map((field) => fieldOf(field, depth));
  if (fields.some((field) => field === undefined)) return undefined;
  const known = fields.filter((field) => field !== undefined);
  const size = known.reduce((sum, field) => sum + field.size, 0);
  return { dtype: 'record', size, hasObjects: known.some(({ hasObjects }) => hasObjects) };
}

/**
 * Parses `('name', type)`, with the shape of each element as an optional third item. The name may be a pair with a
 * title.
 */
function fieldOf(field: unknown, depth: number): ArrayType | undefined {
  if (!Array.isArray(field) || !isTuple(field) || field.length < 2 || field.length > 3) return undefined;
  const [name, description, shape = asTuple([])] = field;
  const isNamed = typeof name === 'string' || (Array.isArray(name) && isTuple(name) && name.length === 2);
  const type = isNamed ? typeOf(description, depth + 1) : undefined;
  if (!type || !Array.isArray(shape) || !isTuple(shape) || !shape.every(isSize)) return undefined;
  const count = elementsOf(shape);
  // NumPy treats a field with zero objects as one without objects, and an unnamed field as padding.
  if (type.hasObjects && (count === 0 || name === '')) return undefined;
  return { ...type, size: type.size * count };
}

/** Parses `<f4`, `|O` and `<M8[ns]`; undefined for the many other spellings that NumPy accepts but never writes. */
function plainTypeOf(text: string): ArrayType | undefined {
  const [, spelling = '', unit = ''] = /^[<>|=]?(\w+)(\[\d*(?:Y|M|W|D|h|m|s|ms|us|ns|ps|fs|as)\])?$/.exec(text) ?? [];
  const type = elementTypeOf(spelling);
  if (!type || (unit !== '' && !/^m8$/i.test(spelling))) return undefined;
  const hasObjects = type.dtype === 'object';
  return { dtype: type.dtype + unit, size: hasObjects ? 0 : type.size, hasObjects };
}

/** Lists and tuples are both arrays here; this set marks the tuples. */
const tuples = new WeakSet<object>();
const isTuple = (value: readonly unknown[]) => tuples.has(value);
function asTuple<T>(items: T[]): T[] {
  tuples.add(items);
  return items;
}

/**
 * Parses a Python literal consisting of dictionaries, lists, tuples, plain strings, integers and booleans; undefined
 * for anything else.
 */
function parseLiteral(text: string): unknown {
  const tokens =
    text.match(/'[^'\\\n]*'|"[^"\\\n]*"|\d+L?|\w+|[{}[\](),:]|\s+|./gs)?.filter((token) => token.trim() !== '') ?? [];
  let at = 0;
  const items = (close: string, depth: number): { values: unknown[]; hasComma: boolean } | undefined => {
    const values: unknown[] = [];
    let hasComma = false;
    while (tokens[at] !== close) {
      if (values.length > 0 && !hasComma) return undefined;
      const value = parse(depth + 1);
      if (value === undefined) return undefined;
      values.push(value);
      hasComma = tokens[at] === ',';
      if (hasComma) at++;
    }
    at++;
    return { values, hasComma };
  };
  const parse = (depth: number): unknown => {
    const token = tokens[at++];
    if (token === undefined || depth > 2 * DEEPEST) return undefined;
    if (token === '{') return entries(depth);
    if (token === '[') return items(']', depth)?.values;
    if (token === '(') {
      const found = items(')', depth);
      return found && (found.values.length === 1 && !found.hasComma ? found.values[0] : asTuple(found.values));
    }
    // Python joins adjacent strings.
    if (/^['"].*['"]$/s.test(token)) return /^['"]/.test(tokens[at] ?? '') ? undefined : token.slice(1, -1);
    // Python 2 wrote an `L` after long integers, which NumPy removes.
    if (/^(0|[1-9]\d*)L?$/.test(token)) return Number.parseInt(token, 10);
    return NAMES.get(token);
  };
  const entries = (depth: number): Map<unknown, unknown> | undefined => {
    const map = new Map<unknown, unknown>();
    let isNext = true;
    while (tokens[at] !== '}') {
      const key = isNext ? parse(depth + 1) : undefined;
      if (typeof key !== 'string' || map.has(key) || tokens[at++] !== ':') return undefined;
      const value = parse(depth + 1);
      if (value === undefined) return undefined;
      map.set(key, value);
      isNext = tokens[at] === ',';
      if (isNext) at++;
    }
    at++;
    return map;
  };
  const value = parse(0);
  return at === tokens.length ? value : undefined;
}

const NAMES: ReadonlyMap<string, boolean> = new Map([
  ['True', true],
  ['False', false],
]);
