import { knownValue, type Package } from '../../stack/facts/facts.ts';
import type { Judge } from '../diagnosis.ts';
import { hidesTheEnvironments, pythonPath, unhiding } from '../remedies/unhiding.ts';

/** A package in the user's folder or on PYTHONPATH precedes the environment's own. */
export const hiddenInstallation: Judge = {
  id: 'hidden-installation',
  judge(facts) {
    const { torch, torchvision, tensorflow, keras, jax } = facts.frameworks;
    const found = [torch, torchvision, tensorflow, keras, jax].flatMap((fact) => {
      const build = knownValue<Package | null>(fact);
      return build && hidesTheEnvironments(facts, build) ? [build] : [];
    });
    return found.slice(0, 1).map((build) => {
      const { name, version, folder, hides } = build;
      const where = pythonPath(facts).includes(folder) ? 'PYTHONPATH' : "the user's own folder";
      return {
        severity: 'warning' as const,
        finding: `${name} ${version} in ${where} hides the environment's ${name} ${hides.version}.`,
        why: [
          { fact: `Python imports ${name} ${version}`, source: folder },
          { fact: `the environment has ${name} ${hides.version}`, source: hides.folder },
        ],
        remedies: unhiding(facts, build),
      };
    });
  },
};
