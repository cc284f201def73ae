import type { Tensor } from '../../server/src/checkpoint/checkpoint.ts';
import type { Leaf } from './tree.ts';

/** The words of a filter, all of which a tensor must have in it. */
export function termsIn(filter: string): string[] {
  return filter.toLowerCase().replaceAll('×', 'x').split(/\s+/).filter(Boolean);
}

/** Finds tensors by their name, type, shape (`3x8`) and device. What is compared is made once for each tensor. */
export function createFilter(): (leaf: Leaf, terms: readonly string[]) => boolean {
  const texts: string[] = [];
  return ({ tensor, index }, terms) => {
    if (terms.length === 0) return true;
    texts[index] ??= textOf(tensor);
    const text = texts[index];
    return terms.every((term) => text.includes(term));
  };
}

function textOf({ name, dtype, shape, device = '' }: Tensor): string {
  return `${name}\n${dtype}\n${shape.join('x')}\n${device}`.toLowerCase();
}

/** Where in a text the terms are, as spans that do not overlap, in order. */
export function spansOf(text: string, terms: readonly string[]): [start: number, end: number][] {
  const lower = text.toLowerCase();
  // Some letters change their length with their case, and then places in one are not places in the other.
  if (lower.length !== text.length) return [];
  const found = terms.flatMap((term) => placesOf(term, lower)).sort(([a], [b]) => a - b);
  const spans: [number, number][] = [];
  for (const [start, end] of found) {
    const last = spans.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else spans.push([start, end]);
  }
  return spans;
}

function placesOf(term: string, text: string): [number, number][] {
  const places: [number, number][] = [];
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + term.length))
    places.push([at, at + term.length]);
  return places;
}
