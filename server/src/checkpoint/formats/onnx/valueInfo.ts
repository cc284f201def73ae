import { fieldsOf } from '../../encodings/protobuf.ts';
import type { OnnxValue } from '../../onnxModel.ts';
import { nameOfType } from './elementTypes.ts';

/** Fields by number: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto */
const VALUE = { name: 1, type: 2 };
/** Kinds of `TypeProto`. */
const KINDS: Readonly<Record<number, string>> = {
  1: 'tensor',
  4: 'sequence',
  5: 'map',
  8: 'sparse tensor',
  9: 'optional',
};
const TENSOR_TYPE = { elements: 1, shape: 2 };
const SHAPE_DIMENSION = 1;
const DIMENSION = { size: 1, name: 2 };
const MOST_DIMENSIONS = 32;
const LONGEST_NAME = 200;

/** Reads a `ValueInfoProto`, which describes an input or an output; undefined if it has no name. */
export function valueIn(content: Buffer): OnnxValue | undefined {
  const fields = [...fieldsOf(content)];
  const name = textOf(fields.find(({ number }) => number === VALUE.name)?.value);
  if (name === '') return undefined;
  const type = fields.find(({ number }) => number === VALUE.type)?.value;
  const [kind] = typeof type === 'object' ? fieldsOf(type) : [];
  if (!kind || typeof kind.value === 'number') return { name, dtype: 'unknown' };
  const kindName = KINDS[kind.number] ?? 'unknown';
  if (kindName !== 'tensor' && kindName !== 'sparse tensor') return { name, dtype: kindName };
  const parts = [...fieldsOf(kind.value)];
  const elements = parts.find(({ number }) => number === TENSOR_TYPE.elements)?.value;
  const shape = parts.find(({ number }) => number === TENSOR_TYPE.shape)?.value;
  const dtype = nameOfType(typeof elements === 'number' ? elements : 0);
  return typeof shape === 'object' ? { name, dtype, shape: shapeIn(shape) } : { name, dtype };
}

function shapeIn(content: Buffer): (number | string | null)[] {
  const sizes: (number | string | null)[] = [];
  for (const { number, value } of fieldsOf(content)) {
    if (number !== SHAPE_DIMENSION || typeof value === 'number') continue;
    if (sizes.push(sizeIn(value)) === MOST_DIMENSIONS) break;
  }
  return sizes;
}

function sizeIn(dimension: Buffer): number | string | null {
  for (const { number, value } of fieldsOf(dimension)) {
    if (number === DIMENSION.size && typeof value === 'number') return value;
    if (number === DIMENSION.name && typeof value === 'object') return textOf(value) || null;
  }
  return null;
}

function textOf(value: number | Buffer | undefined): string {
  return typeof value === 'object' ? value.subarray(0, LONGEST_NAME).toString('utf8') : '';
}
