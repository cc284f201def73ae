import { quotePath } from '../../commands/shellWords.ts';
import { knownValue, type NvidiaLibrary, type StackFacts } from '../../stack/facts/facts.ts';
import type { Remedy } from '../remedy.ts';
import { onWindows, setting, unsetting } from './installing.ts';

/** How to keep the loader from a folder: of the library path it is taken out, and what else that names stays. */
export function withoutFolder(facts: StackFacts, origin: NvidiaLibrary['origin'], folder: string): Remedy[] {
  if (origin !== 'libraryPath') {
    return [
      {
        title: `Take ${folder} out of /etc/ld.so.conf.d, and let the loader know`,
        command: `grep -rl ${quotePath(folder, false)} /etc/ld.so.conf.d | xargs -r sudo rm && sudo ldconfig`,
      },
    ];
  }
  const variable = onWindows(facts) ? 'PATH' : 'LD_LIBRARY_PATH';
  if (onWindows(facts)) return [{ title: `Take ${folder} out of ${variable}` }];
  const entries = (knownValue(facts.variables)?.LD_LIBRARY_PATH ?? '').split(':').filter((entry) => entry !== '');
  const rest = entries.filter((entry) => entry.replace(/\/+$/, '') !== folder.replace(/\/+$/, ''));
  return [
    {
      title: `Take ${folder} off the library path`,
      command: rest.length > 0 ? setting(facts, variable, rest.join(':')) : unsetting(facts, variable),
    },
  ];
}
