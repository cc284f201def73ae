import type { Tensor } from '../checkpoint/checkpoint.ts';

/** A parsed filter. */
export interface TensorFilter {
  /** Words that match the name, so that they can be highlighted. */
  readonly words: readonly string[];
  /** True for a filter without terms, which all tensors pass. */
  readonly isAll: boolean;
  passes(tensor: Tensor): boolean;
}

/** The property that a term filters by, keyed by the word before its colon. */
const FIELDS: Readonly<Record<string, keyof Pick<Tensor, 'name' | 'dtype' | 'shape' | 'device'>>> = {
  name: 'name',
  dtype: 'dtype',
  type: 'dtype',
  shape: 'shape',
  device: 'device',
};

/**
 * Parses a filter: terms separated by spaces, all of which a tensor must match. A plain word must be in its name, type,
 * shape (`3x8`) or device; `dtype:float16`, `name:attn`, `device:cuda` match one of these. `shape:*x768` compares all
 * dimensions, with `*` for any size, and `name:*.bias` the whole name. `textOf` returns the text in which plain words
 * are searched.
 */
export function tensorFilter(text: string, textOf: (tensor: Tensor) => string = searchedText): TensorFilter {
  const words = text.toLowerCase().replaceAll('×', 'x').split(/\s+/).filter(Boolean);
  const terms = words.map((word) => termIn(word, textOf));
  return {
    isAll: terms.length === 0,
    words: terms.flatMap(({ word }) => word ?? []),
    passes: (tensor) => terms.every(({ passes }) => passes(tensor)),
  };
}

interface Term {
  readonly word?: string;
  passes(tensor: Tensor): boolean;
}

function termIn(term: string, textOf: (tensor: Tensor) => string): Term {
  const colon = term.indexOf(':');
  const field = FIELDS[term.slice(0, Math.max(0, colon))];
  const wanted = term.slice(colon + 1);
  if (field === undefined) return { word: term, passes: (tensor) => textOf(tensor).includes(term) };
  // An incomplete term does not hide anything yet.
  if (wanted === '') return { passes: () => true };
  switch (field) {
    case 'shape':
      return { passes: ({ shape }) => matches(shape, wanted === 'scalar' ? [] : wanted.split('x')) };
    case 'name': {
      if (!wanted.includes('*')) return { word: wanted, passes: ({ name }) => name.toLowerCase().includes(wanted) };
      const parts = wanted.split('*');
      return { passes: ({ name }) => holdsInOrder(name.toLowerCase(), parts) };
    }
    default:
      return { passes: (tensor) => (tensor[field] ?? '').toLowerCase().includes(wanted) };
  }
}

/** Returns the text in which a plain word of a filter is searched. */
export function searchedText({ name, dtype, shape, device = '' }: Tensor): string {
  return `${name}\n${dtype}\n${shape.join('x')}\n${device}`.toLowerCase();
}

function matches(shape: readonly number[], wanted: readonly string[]): boolean {
  return (
    shape.length === wanted.length && shape.every((size, axis) => wanted[axis] === '*' || wanted[axis] === `${size}`)
  );
}

/** True for text that starts with the first part, ends with the last, and contains the others in order. */
function holdsInOrder(text: string, parts: readonly string[]): boolean {
  const [first = '', ...others] = parts;
  const last = others.pop() ?? '';
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
