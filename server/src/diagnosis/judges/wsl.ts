import { builtCudnnOf } from '../../stack/builds/gpuCode.ts';
import { isUnknown, knownValue } from '../../stack/facts/facts.ts';
import { builtForCuda } from '../../stack/facts/installed.ts';
import type { Judge } from '../diagnosis.ts';
import { RESTARTING_WSL, updatingWsl } from '../remedies/updatingDriver.ts';

const WSL_LIBRARIES = '/usr/lib/wsl/';

export const wslWithoutDriver: Judge = {
  id: 'wsl-without-driver',
  judge(facts) {
    const { wsl, gpus, driverLibraries } = facts;
    if (knownValue(wsl) !== 2 || !isUnknown(gpus) || gpus.cause !== 'absent') return [];
    if (knownValue(driverLibraries)?.length !== 0 || builtForCuda(facts).length === 0) return [];
    return [
      {
        // WSL does not show whether the PC has an NVIDIA GPU.
        severity: 'information',
        finding: 'Windows provides no NVIDIA driver to WSL, so an NVIDIA GPU, if the PC has one, cannot be used here.',
        why: [
          { fact: 'no libcuda in WSL', source: `${WSL_LIBRARIES}lib` },
          { fact: gpus.unknown, source: gpus.source },
        ],
        remedies: () => [
          {
            do: 'advise',
            title: "Install NVIDIA's driver (https://www.nvidia.com/drivers) in Windows, never in WSL",
          },
          { ...updatingWsl('Then update WSL'), continues: true },
          RESTARTING_WSL,
        ],
      },
    ];
  },
};

export const wslLinuxDriver: Judge = {
  id: 'wsl-linux-driver',
  judge(facts) {
    const [first] = knownValue(facts.driverLibraries) ?? [];
    if (knownValue(facts.wsl) !== 2 || first === undefined || first.path.startsWith(WSL_LIBRARIES)) return [];
    // Distributions may link to Windows' library; a library of their own has its version in its name.
    if (knownValue(facts.container) || !first.version.includes('.')) return [];
    return [
      {
        severity: 'warning',
        finding: `A Linux driver (${first.version}) is installed in WSL and hides Windows' driver, which is the only one that works here.`,
        why: [
          { fact: `libcuda ${first.version}`, source: first.path },
          { fact: 'WSL 2 uses the Windows driver', source: facts.wsl.source },
        ],
        remedies: () => [
          {
            do: 'run',
            title: 'Remove the Linux driver from WSL',
            command: 'sudo apt-get purge "libnvidia-*" "nvidia-driver-*" "nvidia-utils-*" && sudo ldconfig',
          },
        ],
      },
    ];
  },
};

export const wslOfFirstVersion: Judge = {
  id: 'wsl-1',
  judge(facts) {
    if (knownValue(facts.wsl) !== 1 || builtForCuda(facts).length === 0) return [];
    return [
      {
        severity: 'information',
        finding: 'WSL 1 cannot use GPUs; WSL 2 can.',
        why: [{ fact: 'WSL version 1', source: facts.wsl.source }],
        remedies: () => [
          {
            do: 'run',
            title: 'Convert the distribution to WSL 2, in a Windows terminal',
            command: 'wsl --set-version DISTRIBUTION 2',
          },
        ],
      },
    ];
  },
};

/**
 * cuDNN 8 and Triton open libcuda by its name without a number, which WSL has in a folder that the loader does not
 * search. Source: https://github.com/microsoft/WSL/issues/5663
 */
export const wslWithoutLibcudaLink: Judge = {
  id: 'wsl-without-libcuda-link',
  judge(facts) {
    const libraries = knownValue(facts.driverLibraries);
    const torch = knownValue(facts.frameworks.torch);
    const [first] = libraries ?? [];
    if (knownValue(facts.wsl) !== 2 || knownValue(facts.container) || first === undefined || torch?.target !== 'cuda')
      return [];
    if (!first.path.startsWith(WSL_LIBRARIES)) return [];
    const cudnn = builtCudnnOf(facts, 'torch')?.value;
    const opens = cudnn?.startsWith('8') || knownValue(facts.packages)?.some(({ name }) => name === 'triton');
    if (!opens || libraries?.some(({ hasPlainName }) => hasPlainName)) return [];
    return [
      {
        // The loader's cache may know more names than its folders show.
        severity: 'information',
        finding: `The loader finds libcuda.so.1 but not libcuda.so, which ${cudnn?.startsWith('8') ? `cuDNN ${cudnn}` : 'Triton'} loads by that name ("Could not load library libcudnn_cnn_infer.so.8").`,
        why: [
          { fact: 'only libcuda.so.1', source: first.path },
          {
            fact: `torch ${torch.version}${cudnn ? ` with cuDNN ${cudnn}` : ''}`,
            source: facts.frameworks.torch.source,
          },
        ],
        remedies: () => [
          {
            do: 'run',
            title: "Link it and update the loader's cache",
            command: 'sudo ln -s /usr/lib/wsl/lib/libcuda.so.1 /usr/local/lib/libcuda.so && sudo ldconfig',
          },
          {
            do: 'addLibraryFolders',
            title: "Add WSL's folder to LD_LIBRARY_PATH",
            folders: ['/usr/lib/wsl/lib'],
          },
        ],
      },
    ];
  },
};
