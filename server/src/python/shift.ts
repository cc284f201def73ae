import type { Node } from './syntax.ts';
import { walk } from './syntax.ts';

/** Where the nodes of a statement, or a part of one, are: one list to go through for each edit before it. */
const placesIn = new WeakMap<Node, { start: number; end: number }[]>();

/** To be called when a node got other ones within it. */
export function forgetPlaces(node: Node): void {
  placesIn.delete(node);
}

/** Moves a node and everything in it by `by` characters. */
export function shift(node: Node, by: number): void {
  if (by === 0) return;
  const places = placesIn.get(node) ?? [];
  if (places.length === 0) {
    walk(node, ({ span }) => {
      places.push(span);
    });
    placesIn.set(node, places);
  }
  for (const place of places) {
    place.start += by;
    place.end += by;
  }
}
