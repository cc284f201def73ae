import { publishedReleases } from '../../../stack/releases/publishedWheels.ts';
import { admits } from '../../versions.ts';
import { statedSystems } from '../missing/missing.ts';
import { named, wanted } from '../requirements.ts';
import type { Contradiction } from './contradiction.ts';

/** torch for Windows from PyPI, whose wheels for Windows are for the CPU alone. */
export const windowsCpu: Contradiction = (installation, report) => {
  for (const torch of named(installation, 'torch')) {
    if (torch.manager !== 'pip' || torch.sources.length > 0 || torch.local || torch.url !== undefined) continue;
    const stated = statedSystems(torch, installation.platforms);
    if (!stated?.length || !stated.every(({ systems }) => systems.every((system) => system === 'w'))) continue;
    const releases = publishedReleases('torch')?.filter(({ version }) => admits(torch.specifier, version));
    if (!releases?.some(({ wheels }) => wheels.has('w'))) continue;
    report({
      span: torch.span,
      verdict: 'hint',
      message: `On Windows PyPI has ${wanted(torch)} for the CPU alone: builds for CUDA are on PyTorch's own index.`,
    });
  }
};
