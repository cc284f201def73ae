import { publishedReleases } from '../../../published/releases/publishedWheels.ts';
import { tensorflowReleases } from '../../../published/releases/tensorflowReleases.ts';
import { liesWithin } from '../../../published/specifier.ts';
import { compareVersions } from '../../../published/versions.ts';
import { message } from '../../../rules/engine/message.ts';
import { systemsOf } from '../../markers.ts';
import { admits } from '../../versions.ts';
import { quotedName, requiredHere, requirementsNamed } from '../requirements.ts';
import type { Contradiction } from './contradiction.ts';

/** Reports releases of TensorFlow that have no CUDA on Windows. */
export const declaredTensorflowOnWindows: Contradiction = (installation, report) => {
  const last = tensorflowReleases().find(({ windows }) => windows)?.tensorflow ?? '';
  const next = tensorflowReleases().findLast(({ tensorflow }) => compareVersions(tensorflow, last) > 0)?.tensorflow;
  for (const requirement of ['tensorflow', 'tensorflow-gpu'].flatMap((name) => requirementsNamed(installation, name))) {
    const systems = requirement.manager === 'pip' ? systemsOf(requirement.marker) : undefined;
    if (systems?.join() !== 'windows' || !liesWithin(requirement.specifier, `>=${next}`)) continue;
    report({
      span: requirement.span,
      level: requirement.extras.some(({ text }) => text === 'and-cuda') ? 'flag' : 'hint',
      message: `TensorFlow ${next} and newer do not use GPUs on Windows: use WSL 2, or ${last}, the last release with CUDA there.`,
    });
  }
};

/** Reports PyPI's CPU build of torch for Windows next to its CUDA build for Linux. */
export const windowsCpu: Contradiction = (installation, report) => {
  const torches = requirementsNamed(installation, 'torch').filter(({ manager }) => manager === 'pip');
  const linux = torches.find(({ marker }) => systemsOf(marker)?.includes('linux'));
  if (linux === undefined) return;
  for (const torch of torches) {
    if (torch.sources.length > 0 || torch.local || torch.url !== undefined) continue;
    if (systemsOf(torch.marker)?.join() !== 'windows') continue;
    const releases = publishedReleases('torch')?.filter(({ version }) => admits(torch.specifier, version));
    if (!releases?.some(({ wheels }) => wheels.has('windows'))) continue;
    report({
      span: torch.span,
      level: 'hint',
      message: message`On Windows, PyPI has only CPU builds of ${quotedName(torch)}: CUDA builds are on PyTorch's own index.`,
      related: [requiredHere(linux)],
    });
  }
};
