import type { Fix } from '../contract.ts';
export function fixesOfIndex(..._: unknown[]): Fix[] {
  return [];
}
