import { knownValue, type Package, type StackFacts } from '../../stack/facts/facts.ts';
import type { Remedy } from '../remedy.ts';
import { onWindows, removing, setting, unsetting } from './installing.ts';

/** Whether a package of the user's folder or of PYTHONPATH comes before the environment's own of another version. */
export function hidesTheEnvironments(
  facts: StackFacts,
  build: Package,
): build is Package & Required<Pick<Package, 'hides'>> {
  const interpreter = knownValue(facts.interpreter);
  // Whoever installs over a system's own packages means to hide them.
  if (interpreter === undefined || interpreter.environment === 'system') return false;
  if (!build.hides || build.hides.version === build.version.split('+')[0]) return false;
  // An environment hides what lies behind it, as it should.
  return !build.folder.startsWith(interpreter.prefix) && build.hides.folder.startsWith(interpreter.prefix);
}

/** How to have Python import the environment's own again. */
export function unhiding(facts: StackFacts, { name, folder }: Package): Remedy[] {
  const named = pythonPath(facts);
  if (named.includes(folder)) {
    const rest = named.filter((each) => each !== '' && each !== folder).join(onWindows(facts) ? ';' : ':');
    const command = rest === '' ? unsetting(facts, 'PYTHONPATH') : setting(facts, 'PYTHONPATH', rest);
    return [{ title: 'Take the folder out of PYTHONPATH, here and where that is set', command }];
  }
  return [
    ...removing(facts, `Remove the ${name} of the user's folder, which is the one that pip finds first`, name, true),
    { title: "Leave the user's folder out", command: setting(facts, 'PYTHONNOUSERSITE', '1') },
  ];
}

/** The folders that PYTHONPATH names. */
export function pythonPath({ variables }: StackFacts): string[] {
  return knownValue(variables)?.PYTHONPATH?.split(/[:;]/) ?? [];
}
