import type { Action } from '../../commands/action.ts';
import { onWindows, quotePath } from '../../commands/shells.ts';
import { knownValue, type NvidiaLibrary, type StackFacts } from '../../stack/facts/facts.ts';

/**
 * Stops the loader from searching a folder: removes it from the library path, whose other entries stay, or from the
 * loader's files.
 */
export function withoutFolder(facts: StackFacts, origin: NvidiaLibrary['origin'], folder: string): Action[] {
  if (origin !== 'libraryPath') {
    return [
      {
        do: 'run',
        title: `Remove ${folder} from /etc/ld.so.conf.d and update the loader's cache`,
        command: `grep -rl ${quotePath(folder, 'posix')} /etc/ld.so.conf.d | xargs -r sudo rm && sudo ldconfig`,
      },
    ];
  }
  if (onWindows(facts)) return [{ do: 'advise', title: `Remove ${folder} from PATH` }];
  const variable = 'LD_LIBRARY_PATH';
  const entries = (knownValue(facts.variables)?.LD_LIBRARY_PATH ?? '').split(':').filter((entry) => entry !== '');
  const rest = entries.filter((entry) => entry.replace(/\/+$/, '') !== folder.replace(/\/+$/, ''));
  const title = `Remove ${folder} from ${variable}`;
  return rest.length > 0 ? [{ do: 'set', title, variable, value: rest.join(':') }] : [{ do: 'unset', title, variable }];
}
