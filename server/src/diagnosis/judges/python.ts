import { tensorflowReleases } from '../../published/releases/tensorflowReleases.ts';
import { torchReleases } from '../../published/releases/torchReleases.ts';
import { compareVersions } from '../../published/versions.ts';
import { knownValue } from '../../stack/facts/facts.ts';
import { installedFrameworks } from '../../stack/facts/installed.ts';
import { usableGpus } from '../../stack/facts/usableGpus.ts';
import type { Judge } from '../diagnosis.ts';

/** A Python for which a framework has no wheels yet: pip finds none, or an old one to compile. */
export const pythonTooNew: Judge = {
  id: 'python-too-new',
  judge(facts) {
    const python = knownValue(facts.interpreter)?.version?.match(/^\d+\.\d+/)?.[0];
    const torch = torchReleases().at(-1)?.python[1];
    const tensorflow = tensorflowReleases()[0]?.python[1];
    if (python === undefined || torch === undefined || tensorflow === undefined || !usableGpus(facts)?.length)
      return [];
    // An installed framework was published for this Python, or built here.
    if (compareVersions(python, torch) <= 0 || installedFrameworks(facts).length > 0) return [];
    if (facts.frameworks.torch && !('value' in facts.frameworks.torch)) return [];
    return [
      {
        severity: 'information',
        finding: `Python ${python} is too new: published wheels of PyTorch (up to ${torch}) and TensorFlow (up to ${tensorflow}) do not support it, so pip finds none ("No matching distribution found").`,
        why: [
          { fact: `Python ${python}`, source: facts.interpreter.source },
          { fact: 'neither torch nor TensorFlow is installed', source: facts.frameworks.torch.source },
        ],
        remedies: [
          { do: 'createEnvironment', title: 'Recreate the environment with an older Python', python: tensorflow },
        ],
      },
    ];
  },
};
