import { dataOnUse } from './dataOnUse.ts';

const data = dataOnUse<readonly (readonly [name: string, capability: string])[]>(
  import.meta.dirname,
  'gpuCapabilities',
);

/**
 * Returns the compute capability of the GPU with that name, such as "3.7" for "Tesla K80"; null for names not in the
 * table.
 */
export function capabilityOf(name: string): string | null {
  return data().find(([pattern]) => new RegExp(pattern).test(name))?.[1] ?? null;
}
