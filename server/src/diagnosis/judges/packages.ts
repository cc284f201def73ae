import type { Action } from '../../commands/action.ts';
import { onWindows } from '../../commands/shells.ts';
import { codeFor } from '../../fit/gpuCode.ts';
import { type GpuPackages, gpuPackages, packageFileSource } from '../../published/gpuPackages.ts';
import { majorOf } from '../../published/versions.ts';
import { isPackageOfRow } from '../../stack/builds/installedPackages.ts';
import { knownValue, type NvidiaLibrary, type Package, type StackFacts } from '../../stack/facts/facts.ts';
import { nameGpus } from '../../stack/facts/gpuName.ts';
import { usableGpus, visibleGpus } from '../../stack/facts/usableGpus.ts';
import type { Judge, Judgement } from '../diagnosis.ts';

/** Packages whose code does not run on this machine's GPU. */
export const packageWithoutThisGpu: Judge = {
  id: 'package-without-this-gpu',
  judge: (facts) =>
    gpuPackages().gpus.flatMap((row) => {
      const found = knownValue(facts.packages)?.find((each) => isPackageOfRow(each, row));
      if (found === undefined) return [];
      return row.only === undefined ? outOfRange(facts, found, row) : withoutCuda(facts, found, row);
    }),
};

type GpuRow = GpuPackages['gpus'][number];

function outOfRange(
  facts: StackFacts,
  { name, version, folder }: Package,
  { name: listed, capability, highest, severity, part, instead }: GpuRow,
): Judgement[] {
  const gpus = visibleGpus(facts);
  const isOutside = ({ computeCapability }: (typeof gpus)[number]) =>
    computeCapability !== null &&
    codeFor({ cuda: null, lowest: capability, highest }, computeCapability).fit === 'fails';
  if (gpus.length === 0 || !gpus.every(isOutside)) return [];
  const needs =
    capability === undefined ? `compute capability up to ${highest}` : `compute capability ${capability} or newer`;
  return [
    {
      severity: severity ?? 'warning',
      finding:
        part === undefined
          ? `${name} ${version} needs a GPU with ${needs} and does not run on the ${nameGpus(gpus)}.`
          : `${part} needs a GPU with ${needs} and does not work on the ${nameGpus(gpus)}; everything else does.`,
      why: [
        {
          fact: `compute capability ${gpus[0]?.computeCapability} of the ${nameGpus(gpus)}`,
          source: facts.gpus.source,
        },
        { fact: `${name} ${version}`, source: folder },
        { fact: `it needs ${needs}`, source: packageFileSource(listed) },
      ],
      remedies: () => [{ do: 'advise', title: `Use ${instead}` }],
    },
  ];
}

function withoutCuda(facts: StackFacts, { name, version, folder }: Package, { instead }: GpuRow): Judgement[] {
  const torch = knownValue(facts.frameworks.torch);
  // With an NVIDIA GPU, the wrong torch is reported instead.
  if (!torch?.target || torch.target === 'cuda' || knownValue(facts.gpus)?.length) return [];
  // If nothing computes on a GPU, the package may be installed for other machines.
  if (torch.target === 'cpu' && !knownValue(facts.otherAccelerators)?.length) return [];
  const device = { cpu: 'the CPU', mps: 'Metal (MPS)', rocm: 'ROCm', xpu: 'XPU' }[torch.target];
  return [
    {
      severity: 'information',
      finding: `${name} ${version} runs only on NVIDIA GPUs; with a torch for ${device} it is useless, and libraries such as transformers report it as missing.`,
      why: [
        { fact: `${name} ${version}`, source: folder },
        { fact: `torch ${torch.version} is for ${device}`, source: facts.frameworks.torch.source },
      ],
      remedies: () => [{ do: 'advise', title: `Use ${instead}` }],
    },
  ];
}

/** Packages that find CUDA's libraries with the loader, which does not know the folders of torch's own. */
export const packageWithoutLibrary: Judge = {
  id: 'package-without-library',
  judge(facts) {
    if (!usableGpus(facts)?.length) return [];
    return gpuPackages().libraries.flatMap((row) => {
      const found = knownValue(facts.packages)?.find((each) => isPackageOfRow(each, row));
      const libraries = knownValue(row.cudnn === undefined ? facts.cudaRuntimes : facts.cudnns);
      if (found === undefined || libraries === undefined) return [];
      const fitting = libraries.filter(({ version }) => majorOf(version) === (row.cudnn ?? row.cuda));
      // Windows has a separate search path for each program, but another cuDNN in torch is evidence anyway.
      const isPlain = row.cudnn !== undefined && libraries.length > 0 && fitting.length === 0;
      if (onWindows(facts) && !isPlain) return [];
      // Distributions configure the linker for a toolkit in ways that GPU Doctor does not read.
      const toolkits = knownValue(facts.toolkits);
      if (row.cudnn === undefined && (toolkits === undefined || toolkits.some(isOfFamily(row.cuda)))) return [];
      if (fitting.some(isOnLoaderPath)) return [];
      return [lacking(facts, found, row, fitting[0], libraries)];
    });
  },
};

function isOfFamily(cuda: string): (toolkit: { version: string | null }) => boolean {
  return ({ version }) => version !== null && majorOf(version) === cuda;
}

function isOnLoaderPath({ origin }: NvidiaLibrary): boolean {
  return origin !== 'wheel' && origin !== 'torch';
}

function lacking(
  facts: StackFacts,
  { name, version, folder }: Package,
  { name: listed, cudnn, cuda, other }: GpuPackages['libraries'][number],
  elsewhere: NvidiaLibrary | undefined,
  all: NvidiaLibrary[],
): Judgement {
  const kind = cudnn === undefined ? 'CUDA' : 'cuDNN';
  const another = all[0];
  const inWheel = elsewhere?.origin === 'wheel' ? elsewhere.path : undefined;
  const folders = inWheel?.replace(/[\\/][^\\/]*$/, '');
  const where = elsewhere
    ? `: ${elsewhere.origin === 'torch' ? "torch's own is" : "NVIDIA's wheels are"} outside the folders that the loader searches`
    : another
      ? `: only ${kind} ${another.version} is installed`
      : '';
  return {
    severity: 'warning',
    finding: `${name} ${version} needs ${kind} ${cudnn ?? cuda} and finds none${where}.`,
    why: [
      {
        fact: `${name} ${version} is built for ${cudnn === undefined ? '' : `cuDNN ${cudnn} and `}CUDA ${cuda}`,
        source: packageFileSource(listed),
      },
      ...((elsewhere ?? another)
        ? [{ fact: `${kind} ${(elsewhere ?? another)?.version}`, source: (elsewhere ?? another)?.path ?? '' }]
        : []),
    ],
    remedies: () => [
      ...(folders === undefined
        ? []
        : [{ do: 'addLibraryFolders' as const, folders: [folders], ofEachSubfolder: true as const }]),
      // Another release supports the installed cuDNN.
      ...(cudnn === undefined || another
        ? [{ do: 'install' as const, title: `Install ${other}`, requirements: [other] }]
        : []),
      ...(folders === undefined && !elsewhere && cudnn !== undefined
        ? bringingLibraries(facts, folder, cuda, cudnn)
        : []),
    ],
  };
}

/** Installs NVIDIA's wheels and makes the loader search them. */
function bringingLibraries(facts: StackFacts, folder: string, cuda: string, cudnn: string): Action[] {
  const install: Action = {
    do: 'install',
    title: `Install cuDNN ${cudnn} and cuBLAS`,
    requirements: [`nvidia-cudnn-cu${cuda}==${cudnn}.*`, `nvidia-cublas-cu${cuda}`],
  };
  if (onWindows(facts)) return [install];
  return [install, { do: 'addLibraryFolders', folders: [`${folder}/nvidia`], ofEachSubfolder: true, continues: true }];
}
