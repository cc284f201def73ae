import type { Standing } from '../checkpoint.ts';
import { isAllowed } from './allowList.ts';
import { isDangerous } from './dangerous.ts';
import { isInGrammar } from './grammar.ts';
import type { Global } from './symbols.ts';

/** How an import by itself is judged. Only what is listed is trusted. */
export function standingOf({ module, name }: Pick<Global, 'module' | 'name'>): Standing {
  // A dotted name could be parted in other ways: only what lies in the module itself is what the lists mean.
  if (!name.includes('.') && isAllowed(`${module}.${name}`)) return 'allowed';
  if (isInGrammar({ module, name })) return 'harmless';
  return isDangerous(module, name) ? 'dangerous' : 'unknown';
}
