import { publishedReleases } from '../../../published/releases/publishedWheels.ts';
import { systemsOf } from '../../markers.ts';
import { admits } from '../../versions.ts';
import { named, wanted } from '../requirements.ts';
import type { Contradiction } from './contradiction.ts';

/** torch of PyPI for Windows, which is for the CPU alone, beside that for Linux, which is for CUDA. */
export const windowsCpu: Contradiction = (installation, report) => {
  const torches = named(installation, 'torch').filter(({ manager }) => manager === 'pip');
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
      message: `On Windows PyPI has ${wanted(torch)} for the CPU alone: builds for CUDA are on PyTorch's own index.`,
      related: [{ span: linux.span, message: 'That for Linux' }],
    });
  }
};
