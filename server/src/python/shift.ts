import type { Statement } from './syntax.ts';
import { walk } from './syntax.ts';

/** Where the nodes of a statement are, its own included: one list to go through for each edit before it. */
const placesIn = new WeakMap<Statement, { start: number; end: number }[]>();

/** To be called when a statement got other nodes. */
export function forgetPlaces(statement: Statement): void {
  placesIn.delete(statement);
}

/** Moves a statement and everything in it by `by` characters. */
export function shift(statement: Statement, by: number): void {
  if (by === 0) return;
  const places = placesIn.get(statement) ?? [];
  if (places.length === 0) {
    walk(statement, ({ span }) => {
      places.push(span);
    });
    placesIn.set(statement, places);
  }
  for (const place of places) {
    place.start += by;
    place.end += by;
  }
}
