/** Conditions of PEP 508, as far as rules want to know of them. */

/** False where two requirements are never installed together, as far as their conditions tell. */
export function mayMeet(one: string, other: string): boolean {
  return one === '' || other === '' || plain(one) === plain(other);
}

function plain(marker: string): string {
  return marker.replace(/\s+/g, '').replaceAll("'", '"');
}
