import { folderFor } from '../../../fit/sameFolder.ts';
import { gpuPackages } from '../../../published/gpuPackages.ts';
import { message } from '../../../rules/engine/message.ts';
import type { Requirement } from '../../environmentFile.ts';
import { mayMeet } from '../../markers.ts';
import { quotedName, requiredHere, requirementsNamed } from '../requirements.ts';
import type { Contradiction } from './contradiction.ts';

/** Reports two packages that overwrite each other's files. */
export const twins: Contradiction = (installation, report) => {
  for (const { names } of gpuPackages().one_folder) {
    const [one, other] = names
      .flatMap((name) => requirementsNamed(installation, name))
      .filter(({ manager }) => manager === 'pip');
    if (!one || !other || one.name === other.name || !mayMeet(one.marker, other.marker)) continue;
    if (one.marker !== '' || other.marker !== '') continue;
    report({
      span: other.span,
      level: folderFor(distributionOf(one), distributionOf(other)).fit === 'fails' ? 'flag' : 'hint',
      message: message`${quotedName(one)} and ${quotedName(other)} overwrite each other: both install the same modules.`,
      related: [requiredHere(one)],
      fixes: () => [],
    });
  }
};

const distributionOf = ({ name, pin }: Requirement) => ({ name, version: pin?.text });
