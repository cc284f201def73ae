import type { Tensor } from '../../server/src/checkpoint/checkpoint.ts';
import { searchedText, type TensorFilter, tensorFilter } from '../../server/src/report/tensorFilter.ts';

/** Parses filters over the same tensors: the text of a tensor is computed once, not for every keystroke. */
export function createFilters(): (text: string) => TensorFilter {
  const texts = new Map<Tensor, string>();
  const textOf = (tensor: Tensor) => {
    const known = texts.get(tensor) ?? searchedText(tensor);
    texts.set(tensor, known);
    return known;
  };
  return (text) => tensorFilter(text, textOf);
}

/** The places where the terms match in a text, as ordered spans that do not overlap. */
export function spansOf(text: string, terms: readonly string[]): [start: number, end: number][] {
  const lower = text.toLowerCase();
  // Some letters change their length with their case, so positions differ.
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

/** Returns a filter with its type term replaced, or removed for an empty type. */
export function withType(filter: string, dtype: string): string {
  const others = filter.split(/\s+/).filter((term) => term !== '' && !TYPE.test(term));
  return [...others, ...(dtype === '' ? [] : [`dtype:${dtype}`])].join(' ');
}

/** Returns the type in a filter, if it is one of the given types; otherwise an empty string. */
export function typeIn(filter: string, dtypes: readonly string[]): string {
  const term = filter.split(/\s+/).find((each) => TYPE.test(each));
  const wanted = term?.slice(term.indexOf(':') + 1).toLowerCase();
  return dtypes.find((dtype) => dtype.toLowerCase() === wanted) ?? '';
}

const TYPE = /^d?type:/i;
