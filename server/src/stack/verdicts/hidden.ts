import { knownValue, type Package, type StackFacts } from '../facts/facts.ts';
import { removing, setting } from '../plan/installing.ts';
import type { Judge, Remedy } from './verdict.ts';

/** A package of the user's folder or of PYTHONPATH comes before the environment's own. */
export const hiddenInstallation: Judge = {
  id: 'hidden-installation',
  judge(facts) {
    const { torch, torchvision, tensorflow, keras, jax } = facts.frameworks;
    const interpreter = knownValue(facts.interpreter);
    // Whoever installs over a system's own packages means to hide them.
    if (interpreter === undefined || interpreter.environment === 'system') return [];
    const isOfEnvironment = (folder: string) => folder.startsWith(interpreter.prefix);
    const found = [torch, torchvision, tensorflow, keras, jax].flatMap((fact) => {
      const build = knownValue<Package | null>(fact);
      if (!build?.hides || build.hides.version === build.version.split('+')[0]) return [];
      // An environment hides what lies behind it, as it should.
      if (isOfEnvironment(build.folder) || !isOfEnvironment(build.hides.folder)) return [];
      return [{ ...build, hides: build.hides }];
    });
    return found.slice(0, 1).map(({ name, version, folder, hides }) => ({
      severity: 'warning' as const,
      finding: `${name} ${version} of ${isOfUser(facts, folder) ? "the user's own folder" : 'PYTHONPATH'} hides the environment's ${name} ${hides.version}.`,
      why: [
        { fact: `${name} ${version} is what Python imports`, source: folder },
        { fact: `${name} ${hides.version} lies in the environment`, source: hides.folder },
      ],
      remedies: remediesFor(facts, name, folder),
    }));
  },
};

function isOfUser({ variables }: StackFacts, folder: string): boolean {
  const named = knownValue(variables)?.PYTHONPATH?.split(/[:;]/) ?? [];
  return !named.includes(folder);
}

function remediesFor(facts: StackFacts, name: string, folder: string): Remedy[] {
  if (!isOfUser(facts, folder)) return [{ title: 'Take the folder out of PYTHONPATH, where that is set' }];
  return [
    ...removing(facts, `Remove the ${name} of the user's folder, which is the one that pip finds first`, name),
    { title: "Leave the user's folder out", command: setting(facts, 'PYTHONNOUSERSITE', '1') },
  ];
}
