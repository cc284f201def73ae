import { packagesWith } from '../../../published/knownPackages.ts';
import { tensorflowHas } from '../../../published/releases/tensorflowReleases.ts';
import { message } from '../../../rules/engine/message.ts';
import type { Requirement } from '../../environmentFile.ts';
import { mayMeet } from '../../markers.ts';
import { quotedName, requiredHere, requirementsNamed } from '../requirements.ts';
import type { Contradiction } from './contradiction.ts';

/** Reports two packages that overwrite each other's files. */
export const twins: Contradiction = (installation, report) => {
  for (const { name: own, file } of packagesWith('overwrites')) {
    const found = [own, ...(file.overwrites ?? [])]
      .flatMap((name) => requirementsNamed(installation, name))
      .filter(({ manager }) => manager === 'pip');
    const [one, other] = found;
    if (!one || !other || one.name === other.name || !mayMeet(one.marker, other.marker)) continue;
    if (one.marker !== '' || other.marker !== '') continue;
    report({
      span: other.span,
      level: isSame(one, other) ? 'hint' : 'flag',
      message: message`${quotedName(one)} and ${quotedName(other)} overwrite each other: both install the same modules.`,
      related: [requiredHere(one)],
      fixes: () => [],
    });
  }
};

/** True for releases in which tensorflow and tensorflow-gpu are the same. */
function isSame(one: Requirement, other: Requirement): boolean {
  return (
    one.name === 'tensorflow-gpu' &&
    other.name === 'tensorflow' &&
    one.pin !== undefined &&
    one.pin.text === other.pin?.text &&
    tensorflowHas('same_as_gpu_package', one.pin.text)
  );
}
