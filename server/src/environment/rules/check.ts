import type { CheckOptions } from '../../rules/engine/check.ts';
import type { Finding } from '../../rules/engine/contract.ts';
import { observe } from '../../rules/engine/observe.ts';
import { isSelected } from '../../rules/engine/selection.ts';
import type { EnvironmentFile } from '../environmentFile.ts';
import { atOwnFile } from './includedPlaces.ts';
import { environmentRules } from './index.ts';

/** Returns what the selected rules find in a file, without duplicates from shared requirements. */
export function checkEnvironment(file: EnvironmentFile, options: CheckOptions = {}): Finding[] {
  return observe(
    environmentRules.filter((rule) => isSelected(rule, options)),
    {
      run(rule, { report, attempt }) {
        const reportHere: typeof report = (observation) => {
          const here = atOwnFile(observation, file);
          if (here) report(here);
        };
        for (const installation of file.installations)
          attempt(() => rule.check(installation, reportHere, file, options.known));
      },
      // One instruction may have several findings.
      placeOf: ({ span, message }) => `${span.start} ${message}`,
    },
    options,
  );
}
