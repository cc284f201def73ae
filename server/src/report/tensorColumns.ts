import type { Tensor } from '../checkpoint/checkpoint.ts';

/**
 * Tensors by column. With this form, a hundred thousand of them are sent between processes in half the bytes and in a
 * handful of arrays instead of as many objects as there are tensors.
 */
export interface TensorColumns {
  readonly names: readonly string[];
  readonly dtypes: Coded;
  /** Empty if none is recorded. */
  readonly devices: Coded;
  /** The number of dimensions of each tensor. */
  readonly ranks: readonly number[];
  /** The dimensions of all tensors, concatenated. */
  readonly sizes: readonly number[];
  readonly bytes: readonly number[];
}

/** Repeated texts: each distinct text once, and an index into them for every tensor. */
interface Coded {
  readonly texts: readonly string[];
  readonly codes: readonly number[];
}

export function columnsOf(tensors: readonly Tensor[]): TensorColumns {
  return {
    names: tensors.map(({ name }) => name),
    dtypes: coded(tensors.map(({ dtype }) => dtype)),
    devices: coded(tensors.map(({ device = '' }) => device)),
    ranks: tensors.map(({ shape }) => shape.length),
    sizes: tensors.flatMap(({ shape }) => shape),
    bytes: tensors.map(({ bytes }) => bytes),
  };
}

export function tensorsIn({ names, dtypes, devices, ranks, sizes, bytes }: TensorColumns): Tensor[] {
  let at = 0;
  return names.map((name, index) => {
    const start = at;
    at += ranks[index] ?? 0;
    return {
      name,
      dtype: textAt(dtypes, index),
      shape: sizes.slice(start, at),
      device: textAt(devices, index) || undefined,
      bytes: bytes[index] ?? 0,
    };
  });
}

function coded(all: readonly string[]): Coded {
  const codes = new Map<string, number>();
  for (const text of all) if (!codes.has(text)) codes.set(text, codes.size);
  return { texts: [...codes.keys()], codes: all.map((text) => codes.get(text) ?? 0) };
}

function textAt({ texts, codes }: Coded, index: number): string {
  return texts[codes[index] ?? 0] ?? '';
}
