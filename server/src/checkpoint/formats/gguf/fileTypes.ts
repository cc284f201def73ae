import type { Tensor } from '../../checkpoint.ts';
import { elementsOf } from '../../dtypes.ts';

/** Quantization recipes by `general.file_type`, from `llama.h`. */
const FILE_TYPES: Readonly<Record<number, string>> = {
  ...{ 0: 'F32', 1: 'F16', 2: 'Q4_0', 3: 'Q4_1', 7: 'Q8_0', 8: 'Q5_0', 9: 'Q5_1', 10: 'Q2_K', 11: 'Q3_K_S' },
  ...{ 12: 'Q3_K_M', 13: 'Q3_K_L', 14: 'Q4_K_S', 15: 'Q4_K_M', 16: 'Q5_K_S', 17: 'Q5_K_M', 18: 'Q6_K' },
  ...{ 19: 'IQ2_XXS', 20: 'IQ2_XS', 21: 'Q2_K_S', 22: 'IQ3_XS', 23: 'IQ3_XXS', 24: 'IQ1_S', 25: 'IQ4_NL' },
  ...{ 26: 'IQ3_S', 27: 'IQ3_M', 28: 'IQ2_S', 29: 'IQ2_M', 30: 'IQ4_XS', 31: 'IQ1_M', 32: 'BF16', 36: 'TQ1_0' },
  ...{ 37: 'TQ2_0', 38: 'MXFP4_MOE', 39: 'NVFP4', 40: 'Q1_0' },
};

/** Descriptions of weight types, keyed by the beginning of their names. */
const FAMILIES: readonly (readonly [beginning: RegExp, words: string])[] = [
  [/^bf16$|^bfloat16$/, '16-bit brain floats'],
  [/^f(loat)?(16|32|64)$/, 'unquantized floats'],
  [/^q\d_k/, 'K-quants: integers in blocks of 256 with their own scales'],
  [/^iq/, 'I-quants: codebook entries in blocks'],
  [/^tq/, 'ternary numbers'],
  [/^(mx|nv)fp4/, '4-bit floats in blocks with a shared scale'],
  [/^q\d_\d/, 'integers in blocks of 32 with a shared scale'],
];

/** Describes the types of a file's weights in a sentence; undefined if it has no tensors. */
export function aboutTypes(fileType: number | undefined, tensors: readonly Tensor[]): string | undefined {
  const [main] = [...bytesByType(tensors)].sort(([, one], [, other]) => other.bytes - one.bytes);
  if (!main) return undefined;
  const recipe = fileType === undefined ? undefined : FILE_TYPES[fileType];
  const [dtype] = main;
  const words = FAMILIES.find(([beginning]) => beginning.test(dtype))?.[1];
  const all = [...bytesByType(tensors).values()];
  const [bytes, elements] = [sumOf(all, 'bytes'), sumOf(all, 'elements')];
  const average = elements > 0 ? `, ${Number(((bytes * 8) / elements).toPrecision(3))} bits per weight on average` : '';
  return `Its weights are ${recipe === undefined ? '' : `${recipe}: `}mostly ${dtype}${words === undefined ? '' : ` (${words})`}${average}.`;
}

interface Amount {
  readonly bytes: number;
  readonly elements: number;
}

function bytesByType(tensors: readonly Tensor[]): Map<string, Amount> {
  const types = new Map<string, Amount>();
  for (const { dtype, shape, bytes } of tensors) {
    const before = types.get(dtype) ?? { bytes: 0, elements: 0 };
    types.set(dtype, { bytes: before.bytes + bytes, elements: before.elements + elementsOf(shape) });
  }
  return types;
}

const sumOf = (amounts: readonly Amount[], what: keyof Amount) => amounts.reduce((sum, each) => sum + each[what], 0);
