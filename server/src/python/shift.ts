import type { Node } from './syntax.ts';
import { walk } from './syntax.ts';

/** To be called when a node got other ones within it. */
export function forgetPlaces(node: Node): void {
  node.places = undefined;
}

/** Moves a node and everything in it by `by` characters. */
export function shift(node: Node, by: number): void {
  if (by === 0) return;
  node.places ??= placesIn(node);
  for (const place of node.places) {
    place.start += by;
    place.end += by;
  }
}

function placesIn(node: Node): Node['span'][] {
  const places: Node['span'][] = [];
  walk(node, ({ span }) => {
    places.push(span);
  });
  return places;
}
