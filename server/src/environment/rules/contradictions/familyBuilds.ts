import { TORCH_COMPANIONS } from '../../../published/releases/torchCompanions.ts';
import { message } from '../../../rules/engine/message.ts';
import type { Requirement } from '../../environmentFile.ts';
import { mayMeet } from '../../markers.ts';
import { describeTag, torchBuildOf } from '../../torchBuild.ts';
import { quotedName, requirementsNamed, tagFix } from '../requirements.ts';
import type { Contradiction } from './contradiction.ts';

/** Reports torchvision or torchaudio in a build that differs from torch's. */
export const familyBuilds: Contradiction = (installation, report, file) => {
  for (const torch of requirementsNamed(installation, 'torch')) {
    const build = torchBuildOf(torch);
    if (build === undefined || torch.manager !== 'pip') continue;
    for (const name of TORCH_COMPANIONS) {
      for (const other of requirementsNamed(installation, name)) {
        if (other.manager !== 'pip' || !mayMeet(torch.marker, other.marker)) continue;
        const own = torchBuildOf(other);
        if (own !== undefined ? own.tag === build.tag : !comesFromPypi(other, torch, file.kind)) continue;
        const its = own === undefined ? 'from PyPI' : describeTag(own.tag);
        report({
          span: other.span,
          level: 'flag',
          message: message`${quotedName(other)} does not load with this torch: it is installed ${its}, but torch ${describeTag(build.tag)}.`,
          related: [{ span: build.span, message: `torch is installed ${describeTag(build.tag)} here.` }],
          fixes: () => (torch.local ? tagFix(other, torch.local.text) : []),
        });
      }
    }
  }
};

/** True if a project file names a source for torch but none for the other package. */
function comesFromPypi(other: Requirement, torch: Requirement, kind: string): boolean {
  const isChosen = torch.sources.some(({ kind: each }) => each === 'index') && torch.local === undefined;
  return kind === 'pyproject' && isChosen && other.sources.length === 0 && other.url === undefined && !other.local;
}
