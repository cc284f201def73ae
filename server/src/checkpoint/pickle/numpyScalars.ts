import { numberIn } from '../numbers.ts';
import { type CallResult, importName, isKind } from './symbols.ts';

/** PyTorch's names for NumPy's spellings of types. */
const TYPES: Readonly<Record<string, string>> = {
  ...{ f8: 'float64', f4: 'float32', f2: 'float16', i8: 'int64', i4: 'int32', i2: 'int16', i1: 'int8' },
  ...{ u1: 'uint8', b1: 'bool' },
};

/**
 * Returns the number that a call to NumPy's `scalar` creates from a type and bytes, such as `numpy.float64(0.5)`.
 * Undefined for other types, and unless the instructions contain the bytes as text, as in protocols before 3.
 */
export function numpyScalarIn({ resultType, args }: CallResult): number | bigint | boolean | undefined {
  if (resultType !== 'scalar') return undefined;
  const [type, content] = args;
  if (!isKind(type, 'result') || !isKind(content, 'result') || importName(content.callee) !== '_codecs.encode')
    return undefined;
  const [spelling] = type.args;
  const [text] = content.args;
  if (typeof spelling !== 'string' || typeof text !== 'string' || !Object.hasOwn(TYPES, spelling)) return undefined;
  const order = isKind(type.state, 'tuple') ? type.state.items[1] : undefined;
  return numberIn(Buffer.from(text, 'latin1'), TYPES[spelling] ?? '', order === '>');
}
