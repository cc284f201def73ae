import type { Action } from '../../commands/action.ts';
import { onWindows, quotePath } from '../../commands/shells.ts';
import { knownValue, type NvidiaLibrary, type Package, type StackFacts } from '../../stack/facts/facts.ts';

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

/** True if a package in the user's folder or on PYTHONPATH precedes another version in the environment itself. */
export function hidesTheEnvironments(
  facts: StackFacts,
  build: Package,
): build is Package & Required<Pick<Package, 'hides'>> {
  const interpreter = knownValue(facts.interpreter);
  // A user who installs a package over the system's own hides it intentionally.
  if (interpreter === undefined || interpreter.environment === 'system') return false;
  if (!build.hides || build.hides.version === build.version.split('+')[0]) return false;
  // An environment hides the packages behind it by design.
  return !build.folder.startsWith(interpreter.prefix) && build.hides.folder.startsWith(interpreter.prefix);
}

/** Makes Python import the environment's own package again. */
export function unhiding(facts: StackFacts, { name, folder }: Package): Action[] {
  const named = pythonPath(facts);
  if (named.includes(folder)) {
    const rest = named.filter((each) => each !== '' && each !== folder).join(onWindows(facts) ? ';' : ':');
    const title = 'Remove the folder from PYTHONPATH where it is set';
    return rest === ''
      ? [{ do: 'unset', title, variable: 'PYTHONPATH' }]
      : [{ do: 'set', title, variable: 'PYTHONPATH', value: rest }];
  }
  return [
    {
      do: 'uninstall',
      title: `Remove ${name} from the user's folder (pip finds it first)`,
      packages: [name],
      ofUser: true,
    },
    { do: 'set', title: "Ignore the user's folder", variable: 'PYTHONNOUSERSITE', value: '1' },
  ];
}

/** The folders on PYTHONPATH. */
export function pythonPath({ variables }: StackFacts): string[] {
  return knownValue(variables)?.PYTHONPATH?.split(/[:;]/) ?? [];
}
