import { compareVersions } from '../../../published/versions.ts';
import { message } from '../../../rules/engine/message.ts';
import type { Requirement } from '../../environmentFile.ts';
import { mayMeet } from '../../markers.ts';
import { quotedName, requiredHere, requirementsNamed } from '../requirements.ts';
import type { Contradiction } from './contradiction.ts';

/** Packages that install the same modules, so that the last one installed is imported. */
const TWINS: readonly (readonly string[])[] = [
  ['onnxruntime-gpu', 'onnxruntime'],
  ['tensorflow-gpu', 'tensorflow', 'tensorflow-cpu'],
  ['faiss-gpu', 'faiss-cpu'],
  ['cupy-cuda13x', 'cupy-cuda12x', 'cupy-cuda11x', 'cupy'],
  ['paddlepaddle-gpu', 'paddlepaddle'],
];

/** Reports two packages that overwrite each other's files. */
export const twins: Contradiction = (installation, report) => {
  for (const names of TWINS) {
    const found = names
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

/** Since 2.1, tensorflow and tensorflow-gpu are the same. */
function isSame(one: Requirement, other: Requirement): boolean {
  return (
    one.name === 'tensorflow-gpu' &&
    other.name === 'tensorflow' &&
    one.pin !== undefined &&
    one.pin.text === other.pin?.text &&
    compareVersions(one.pin.text, '2.1') >= 0
  );
}
