import { satisfies } from '@renovatebot/pep440';
import { type GpuPackages, gpuPackages } from '../catalogue/gpuPackages.ts';
import { knownValue, type NvidiaLibrary, type Package, type StackFacts } from '../facts/facts.ts';
import { nameGpus } from '../facts/gpuName.ts';
import { majorOf } from '../facts/installed.ts';
import { usableGpus, visibleGpus } from '../facts/usableGpus.ts';
import { installing, onWindows, quoted, setting } from '../plan/installing.ts';
import { installFittingTorch, installTorchOf } from '../plan/installTorch.ts';
import { pinsOnTorch } from '../plan/pins.ts';
import { compareVersions } from '../releases/cudaDriver.ts';
import type { Judge, Judgement, Remedy } from './verdict.ts';

/** Builds from source and NVIDIA's own follow nobody's table. */
function isRelease(version: string): boolean {
  return /^\d+\.\d+\.\d+(\+(cpu|cu\d+|rocm[\d.]+|xpu))?$/.test(version);
}

/** Everything that is installed and that the catalogue may name. */
function installedPackages({ packages, frameworks }: StackFacts): Package[] {
  const builds = [frameworks.torch, frameworks.tensorflow, frameworks.jax, frameworks.keras];
  return [...(knownValue(packages) ?? []), ...builds.flatMap((fact) => knownValue<Package | null>(fact) ?? [])];
}

/** The row of a package; TensorFlow has been published under several names. */
function isOf({ name, version }: Package, row: { name: string; versions: string }): boolean {
  return name.replace(/^tensorflow-(gpu|cpu|intel)$/, 'tensorflow') === row.name && satisfies(version, row.versions);
}

/** Installed packages that ask for another torch than the one that is there. */
export const packagesClash: Judge = {
  id: 'packages-clash',
  judge: (facts) => [...otherTorch(facts), ...known(facts)],
};

function otherTorch(facts: StackFacts): Judgement[] {
  const torch = knownValue(facts.frameworks.torch);
  if (!torch || !isRelease(torch.version)) return [];
  const unmet = pinsOnTorch(facts).filter(({ specifier }) => !satisfies(torch.version, specifier));
  return unmet.map(({ name, version, specifier, source }) => ({
    severity: 'warning',
    finding: `${name} ${version} is made for torch ${specifier.replace(/^==/, '')}, and torch ${torch.version} is installed: importing it, or its GPU code, fails.`,
    why: [
      { fact: `${name} ${version} asks for torch${specifier}`, source },
      { fact: `torch ${torch.version}`, source: facts.frameworks.torch.source },
    ],
    remedies: [
      ...installFittingTorch(facts),
      { title: `Bring ${name} to a release for torch ${torch.version.split('+')[0]}, or compile it here` },
    ],
  }));
}

function known(facts: StackFacts): Judgement[] {
  const packages = installedPackages(facts);
  return gpuPackages().clashes.flatMap((row) => {
    const one = packages.find((each) => isOf(each, row));
    const other = packages.find((each) => isOf(each, { name: row.with, versions: row.than }));
    if (one === undefined || other === undefined) return [];
    const verb = /^(refuses|does|gives)/.test(row.effect) ? '' : 'is ';
    return [
      {
        severity: row.severity,
        finding: `${one.name} ${one.version} beside ${other.name} ${other.version} ${verb}${row.effect}.`,
        why: [one, other].map(({ name, version, folder }) => ({ fact: `${name} ${version}`, source: folder })),
        remedies: row.want.startsWith('torch')
          ? newerTorch(facts, row.want)
          : installing(facts, `Install ${row.want}`, quoted(row.want)),
      },
    ];
  });
}

/** One that fits the machine, where that is known. */
function newerTorch(facts: StackFacts, want: string): Remedy[] {
  const fitting = installTorchOf(facts, want.replace(/^torch/, ''));
  return fitting.length > 0 ? fitting : installing(facts, `Install ${want}`, quoted(want));
}

/** Compiled extensions beside another torch than those for which their release has wheels, or another CUDA. */
export const builtForOtherTorch: Judge = {
  id: 'built-for-other-torch',
  judge(facts) {
    const torch = knownValue(facts.frameworks.torch);
    if (!torch || !isRelease(torch.version)) return [];
    const os = knownValue(facts.os);
    // Elsewhere there are no wheels: what is installed was compiled.
    const haveWheels = os?.family === 'linux' && os.architecture === 'x64' && torch.target === 'cuda';
    return (knownValue(facts.packages) ?? []).flatMap((each) => [
      ...otherCuda(facts, each, torch.cuda),
      ...(haveWheels ? withoutWheel(facts, each, torch.version) : []),
    ]);
  },
};

function otherCuda(facts: StackFacts, { name, version, builtFor }: Package, cuda: string | null): Judgement[] {
  if (!builtFor?.cuda || cuda === null || majorOf(builtFor.cuda) === majorOf(cuda)) return [];
  return [
    {
      severity: 'warning',
      finding: `${name} ${version} was compiled for CUDA ${builtFor.cuda}, and torch is built for CUDA ${cuda}: its GPU code fails to load (libcudart.so.${majorOf(builtFor.cuda)}).`,
      why: [
        { fact: `${name} is for CUDA ${builtFor.cuda}`, source: builtFor.source },
        { fact: `torch is for CUDA ${cuda}`, source: facts.frameworks.torch.source },
      ],
      remedies: [
        { title: `Install the wheel of ${name} for CUDA ${majorOf(cuda)}, which its installation page lists` },
      ],
    },
  ];
}

function withoutWheel(facts: StackFacts, each: Package, torch: string): Judgement[] {
  const row = gpuPackages().wheels.find((one) => isOf(each, one));
  const release = torch.match(/^\d+\.\d+/)?.[0] ?? '';
  if (row === undefined || each.builtFor || compareVersions(release, row.newest) <= 0) return [];
  const { name, version, folder } = each;
  const remedies: Remedy[] = [
    ...(row.next === undefined
      ? []
      : installing(facts, `Install ${name} ${row.next}`, `${name}==${row.next} --no-build-isolation`)),
    ...installing(
      facts,
      `Compile ${name} ${version} against the torch at hand, which takes a CUDA toolkit`,
      `--no-build-isolation --no-cache-dir --no-binary ${name} ${name}==${version}`,
      { anew: true },
    ).slice(0, 1),
  ];
  return [
    {
      severity: 'information',
      finding: `${name} ${version} has wheels for torch up to ${row.newest}, and torch ${torch} is installed: unless it was compiled here, importing it fails.`,
      why: [
        { fact: `${name} ${version}`, source: folder },
        { fact: `torch ${torch}`, source: facts.frameworks.torch.source },
      ],
      remedies,
    },
  ];
}

/** Packages whose code does not run on the GPU that is there. */
export const packageWithoutThisGpu: Judge = {
  id: 'package-without-this-gpu',
  judge: (facts) =>
    gpuPackages().gpus.flatMap((row) => {
      const found = knownValue(facts.packages)?.find((each) => isOf(each, row));
      if (found === undefined) return [];
      return row.only === undefined ? tooOld(facts, found, row) : withoutCuda(facts, found, row);
    }),
};

type GpuRow = GpuPackages['gpus'][number];

function tooOld(
  facts: StackFacts,
  { name, version, folder }: Package,
  { capability = '', instead }: GpuRow,
): Judgement[] {
  const gpus = visibleGpus(facts);
  const isTooOld = ({ computeCapability }: (typeof gpus)[number]) =>
    computeCapability !== null && compareVersions(computeCapability, capability) < 0;
  if (gpus.length === 0 || !gpus.every(isTooOld)) return [];
  return [
    {
      severity: 'warning',
      finding: `${name} ${version} needs a GPU of compute capability ${capability} or newer and does not run on the ${nameGpus(gpus)}.`,
      why: [
        {
          fact: `compute capability ${gpus[0]?.computeCapability} of the ${nameGpus(gpus)}`,
          source: facts.gpus.source,
        },
        { fact: `${name} ${version}`, source: folder },
      ],
      remedies: [{ title: `Use ${instead}` }],
    },
  ];
}

function withoutCuda(facts: StackFacts, { name, version, folder }: Package, { instead }: GpuRow): Judgement[] {
  const torch = knownValue(facts.frameworks.torch);
  // Beside a GPU of NVIDIA the wrong torch is what has to be said.
  if (!torch?.target || torch.target === 'cuda' || knownValue(facts.gpus)?.length) return [];
  // Where nothing computes on a GPU, the package may be there for other machines.
  if (torch.target === 'cpu' && !knownValue(facts.otherAccelerators)?.length) return [];
  const device = { cpu: 'the CPU', mps: 'Metal (MPS)', rocm: 'ROCm', xpu: 'XPU' }[torch.target];
  return [
    {
      severity: 'information',
      finding: `${name} ${version} runs on GPUs of NVIDIA alone; beside a torch for ${device} it is of no use, and libraries such as transformers say that it is missing.`,
      why: [
        { fact: `${name} ${version}`, source: folder },
        { fact: `torch ${torch.version} is for ${device}`, source: facts.frameworks.torch.source },
      ],
      remedies: [{ title: `Use ${instead}` }],
    },
  ];
}

/** Packages that look for CUDA's libraries with the loader, which does not know where torch has its own. */
export const packageWithoutLibrary: Judge = {
  id: 'package-without-library',
  judge(facts) {
    // Windows has a search path of its own for each program.
    if (onWindows(facts) || !usableGpus(facts)?.length) return [];
    return gpuPackages().libraries.flatMap((row) => {
      const found = knownValue(facts.packages)?.find((each) => isOf(each, row));
      const cudnns = knownValue(facts.cudnns);
      if (found === undefined || cudnns === undefined) return [];
      const fitting = cudnns.filter(({ version }) => majorOf(version) === row.cudnn);
      if (fitting.some(isOnLoaderPath)) return [];
      return [lacking(facts, found, row, fitting[0], cudnns)];
    });
  },
};

function isOnLoaderPath({ origin }: NvidiaLibrary): boolean {
  return origin !== 'wheel' && origin !== 'torch';
}

function lacking(
  facts: StackFacts,
  { name, version, folder }: Package,
  { cudnn, cuda, other }: GpuPackages['libraries'][number],
  elsewhere: NvidiaLibrary | undefined,
  cudnns: NvidiaLibrary[],
): Judgement {
  const another = cudnns[0];
  const inWheel = elsewhere?.origin === 'wheel' ? elsewhere.path : undefined;
  const folders = inWheel && `${inWheel}/lib:${inWheel.replace(/cudnn$/, 'cublas')}/lib`;
  return {
    severity: 'warning',
    finding: `${name} ${version} looks for cuDNN ${cudnn} and finds none${elsewhere ? ': the one that torch uses lies where the loader does not look' : another ? `: there is cuDNN ${another.version}` : ''}.`,
    why: [
      { fact: `${name} ${version} is built for cuDNN ${cudnn} and CUDA ${cuda}`, source: folder },
      ...((elsewhere ?? another)
        ? [{ fact: `cuDNN ${(elsewhere ?? another)?.version}`, source: (elsewhere ?? another)?.path ?? '' }]
        : []),
    ],
    remedies: [
      ...(folders === undefined
        ? []
        : [
            {
              title: 'Lead the loader there, before the program starts',
              command: `export LD_LIBRARY_PATH=${folders}:$LD_LIBRARY_PATH`,
            },
          ]),
      ...installing(facts, `Install ${other}`, quoted(other)),
      ...installing(
        facts,
        `Install cuDNN ${cudnn} and cuBLAS`,
        `${quoted(`nvidia-cudnn-cu${cuda}==${cudnn}.*`)} nvidia-cublas-cu${cuda}`,
      ).slice(0, folders === undefined && !elsewhere ? 1 : 0),
    ],
  };
}

/** Faults of single releases, on machines where all fits. */
export const knownFault: Judge = {
  id: 'known-fault',
  judge(facts) {
    const packages = installedPackages(facts);
    return gpuPackages().faults.flatMap((row) => {
      const found = packages.find((each) => isOf(each, row));
      if (found === undefined || !usableGpus(facts)?.length) return [];
      if (row.tag !== undefined && !found.version.endsWith(`+${row.tag}`)) return [];
      const gpus = visibleGpus(facts).filter(({ computeCapability }) => computeCapability === row.capability);
      if (row.capability !== undefined && gpus.length === 0) return [];
      const isSet = row.variable !== undefined && knownValue(facts.variables)?.[row.variable] !== undefined;
      if (isSet) return [];
      const command = row.variable && row.value ? setting(facts, row.variable, row.value) : undefined;
      return [
        {
          severity: 'information' as const,
          finding: `${found.name} ${found.version} has a fault that is known: ${row.fault}.`,
          why: [
            { fact: `${found.name} ${found.version}`, source: found.folder },
            ...(row.capability === undefined
              ? []
              : [{ fact: `compute capability ${row.capability} of the ${nameGpus(gpus)}`, source: facts.gpus.source }]),
          ],
          remedies: [{ title: row.fix, ...(command !== undefined && { command }) }],
        },
      ];
    });
  },
};
