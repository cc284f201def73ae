import { bringsCuda } from '../../../published/knownPackages.ts';
import { cudaOfTag, torchReleaseOf } from '../../../published/releases/torchReleases.ts';
import { majorOf } from '../../../published/versions.ts';
import { message } from '../../../rules/engine/message.ts';
import type { Requirement } from '../../environmentFile.ts';
import { mayMeet } from '../../markers.ts';
import { torchBuildOf } from '../../torchBuild.ts';
import { quotedName, requirementsNamed } from '../requirements.ts';
import type { Contradiction } from './contradiction.ts';

/** Reports CUDA libraries whose major version differs from torch's, or that accompany a CPU build of torch. */
export const besideCuda: Contradiction = (installation, report) => {
  const libraries = installation.requirements.filter(({ name }) => LIBRARY.test(name));
  const [first] = libraries;
  if (first === undefined || installation.requirements.some(usesLibraries)) return;
  for (const torch of requirementsNamed(installation, 'torch')) {
    if (torch.manager !== 'pip' || !mayMeet(torch.marker, first.marker)) continue;
    const build = buildOf(torch);
    if (build === undefined || (build !== 'cpu' && !build.startsWith('cu'))) continue;
    const wrong = libraries.filter(
      ({ name }) => build === 'cpu' || majorOf(cudaOfTag(build)) !== LIBRARY.exec(name)?.[1],
    );
    const [library] = wrong;
    if (library === undefined) continue;
    const isOne = wrong.length === 1;
    const provide = isOne
      ? 'provides'
      : wrong.length === 2
        ? 'and a similar package provide'
        : `and ${wrong.length - 1} similar packages provide`;
    const text =
      build === 'cpu'
        ? message`${quotedName(library)} ${provide} CUDA libraries, but torch is a CPU build.`
        : message`${quotedName(library)} ${provide} CUDA ${LIBRARY.exec(library.name)?.[1] ?? ''}, but ${quotedName(torch)} is for CUDA ${cudaOfTag(build)}.`;
    report({
      span: library.span,
      level: 'flag',
      message: text,
      related: [{ span: torchBuildOf(torch)?.span ?? torch.span, message: 'The torch build is chosen here.' }],
    });
  }
};

const LIBRARY =
  /^nvidia-(?:cublas|cuda-runtime|cuda-nvrtc|cuda-cupti|cudnn|cufft|curand|cusolver|cusparse|nccl|nvtx)-cu(\d\d)$/;

/** Returns "cpu", or the tag of torch's wheels on Linux. */
function buildOf(torch: Requirement): string | undefined {
  const build = torchBuildOf(torch)?.tag;
  if (build !== undefined || torch.sources.length > 0 || torch.pin === undefined) return build;
  return torchReleaseOf(torch.pin.text)?.pypi;
}

/** True for other packages that load CUDA libraries from wheels. */
function usesLibraries({ name, extras }: Requirement): boolean {
  return bringsCuda(name) || extras.some(({ text }) => text.includes('cuda'));
}
