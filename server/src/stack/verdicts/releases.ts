import { knownValue } from '../facts.ts';
import type { Judge } from './verdict.ts';

/** Wheels of PyTorch's own index say in their local tag what they are for; those that do not are left alone. */
export const torchvisionOfOtherBuild: Judge = {
  id: 'torchvision-of-other-build',
  judge({ frameworks }) {
    const torch = knownValue(frameworks.torch);
    const vision = knownValue(frameworks.torchvision);
    if (!torch?.target || !vision?.target) return [];
    const cuda = torch.cuda ?? vision.cuda;
    if (cuda === null || torch.cuda?.split('.')[0] === vision.cuda?.split('.')[0]) return [];
    return [
      {
        severity: 'warning',
        finding: `torchvision ${vision.version} was not built for torch ${torch.version}; its own operators, such as nms, fail.`,
        why: [
          { fact: `torch ${torch.version}`, source: frameworks.torch.source },
          { fact: `torchvision ${vision.version}`, source: frameworks.torchvision.source },
        ],
        remedies: [
          {
            title: 'Install both from one index',
            command: `pip install --force-reinstall torch torchvision --index-url https://download.pytorch.org/whl/cu${cuda.replace('.', '')}`,
          },
        ],
      },
    ];
  },
};
