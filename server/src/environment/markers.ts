/** PEP 508 conditions, to the extent that rules need them. */
import { type MarkerEnvironment, markerHolds } from '../published/marker.ts';
import { WHEEL_SYSTEMS, type WheelSystem } from '../published/platforms.ts';

/** Environments that conditions distinguish. */
const ENVIRONMENTS: readonly MarkerEnvironment[] = WHEEL_SYSTEMS.flatMap((system) =>
  Array.from({ length: 10 }, (_, index) => ({ system, python: `3.${index + 6}` })),
);

/** False if, according to their conditions, two requirements are never installed together. */
export function mayMeet(one: string, other: string): boolean {
  if (one === '' || other === '' || plain(one) === plain(other)) return true;
  return ENVIRONMENTS.some((environment) => markerHolds(one, environment) && markerHolds(other, environment));
}

function plain(marker: string): string {
  return marker.replace(/\s+/g, '').replaceAll("'", '"');
}

/** Returns the systems to which a condition is limited; undefined if it is not limited to any. */
export function systemsOf(marker: string): WheelSystem[] | undefined {
  const systems = WHEEL_SYSTEMS.filter((system) => markerHolds(marker, { system }) !== false);
  return systems.length === WHEEL_SYSTEMS.length ? undefined : systems;
}
