import type { Standing } from '../checkpoint.ts';
import { isAllowed } from './allowList.ts';
import { isDangerous } from './dangerous.ts';
import { isPlainData } from './harmless.ts';
import type { Global } from './symbols.ts';

/** What is to be thought of an import. Only what is listed is trusted. */
export function standingOf({ module, name }: Pick<Global, 'module' | 'name'>): Standing {
  const full = `${module}.${name}`;
  // A dotted name could be split in other ways: only what lies in the module itself is what the lists mean.
  if (!name.includes('.') && isAllowed(full)) return 'allowed';
  if (!name.includes('.') && isPlainData(full)) return 'harmless';
  return isDangerous(module, name) ? 'dangerous' : 'unknown';
}
