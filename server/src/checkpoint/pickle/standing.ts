import type { Standing } from '../checkpoint.ts';
import { isAllowed } from './allowList.ts';
import { isDangerous } from './dangerous.ts';
import { isInGrammar } from './grammar.ts';
import type { GlobalValue } from './symbols.ts';

/** Rates an import on its own. Only listed names are trusted. */
export function standingOf({ module, name }: Pick<GlobalValue, 'module' | 'name'>): Standing {
  // A dotted name can be split in more than one way; the lists refer to names in the module itself.
  if (!name.includes('.') && isAllowed(`${module}.${name}`)) return 'allowed';
  if (isInGrammar({ module, name })) return 'harmless';
  return isDangerous(module, name) ? 'dangerous' : 'unknown';
}
