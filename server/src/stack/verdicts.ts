import { compareVersions, type DriverSystem, lowestDriver, torchWheelFor } from './cudaDriver.ts';
import { countVisibleGpus } from './cudaVisibleDevices.ts';
import { type FrameworkBuild, type Gpu, isUnknown, knownValue, type StackFacts } from './facts.ts';
import { nameGpus } from './gpuName.ts';

export type Severity = 'error' | 'warning' | 'information';

/** A judgement on the stack. */
export interface Verdict {
  /** Stable, in kebab case: links, settings and the documentation name it. */
  id: string;
  severity: Severity;
  /** One sentence. */
  finding: string;
  /** The facts that clash, each with where it was read. */
  why: { fact: string; source: string }[];
  /** Ways out, the most likely first; commands are there to be copied and are never run. */
  remedies: { title: string; command?: string }[];
}

type Judge = (facts: StackFacts) => Verdict | undefined;

const JUDGES: Judge[] = [driverMismatch, driverTooOld, cpuOnlyTorch, gpusHidden, torchvisionOfOtherBuild];
const ORDER: Severity[] = ['error', 'warning', 'information'];

/** What is wrong with this stack, worst first. Unknown and pending facts raise no verdict by their absence. */
export function judgeStack(facts: StackFacts): Verdict[] {
  return JUDGES.flatMap((judge) => judge(facts) ?? []).sort(
    (left, right) => ORDER.indexOf(left.severity) - ORDER.indexOf(right.severity),
  );
}

function driverMismatch({ gpus }: StackFacts): Verdict | undefined {
  if (!isUnknown(gpus) || gpus.cause !== 'driverMismatch') return undefined;
  return {
    id: 'driver-library-mismatch',
    severity: 'error',
    finding:
      'The NVIDIA driver was updated while its old kernel module is still loaded, so nothing can use the GPU until a restart.',
    why: [{ fact: gpus.unknown, source: gpus.source }],
    remedies: [{ title: 'Restart the machine', command: 'sudo reboot' }],
  };
}

function driverTooOld(facts: StackFacts): Verdict | undefined {
  const driver = knownValue(facts.driver);
  const system = driverSystem(facts);
  if (driver === undefined || system === undefined || mayHaveForwardCompatibility(facts)) return undefined;
  const supported = knownValue(facts.driverCuda);
  const { torch, tensorflow, jax } = facts.frameworks;
  for (const fact of [torch, tensorflow, jax]) {
    const build = knownValue(fact);
    const lowest = build?.cuda ? lowestDriver(build.cuda, system) : undefined;
    if (!build?.cuda || lowest === undefined || compareVersions(driver, lowest) >= 0) continue;
    // A driver that says it supports this CUDA version does, whatever its number.
    if (supported !== undefined && compareVersions(supported, build.cuda) >= 0) continue;
    const tag = build.name === 'torch' ? torchWheelFor(driver, system, capabilities(facts)) : undefined;
    return {
      id: 'driver-too-old',
      severity: 'error',
      finding: `The NVIDIA driver ${driver} is too old for ${build.name} ${build.version}, which needs ${lowest} or newer.`,
      why: [
        { fact: `driver ${driver}`, source: facts.driver.source },
        { fact: `${build.name} ${build.version} is built for CUDA ${build.cuda}`, source: fact.source },
      ],
      remedies: [
        { title: `Update the NVIDIA driver to ${lowest} or newer` },
        ...(tag === undefined ? [] : reinstallTorch(facts, tag)),
      ],
    };
  }
  return undefined;
}

/** The number of the driver in WSL is that of the Windows driver. */
function driverSystem({ os, wsl }: StackFacts): DriverSystem | undefined {
  const family = knownValue(os)?.family;
  if (family === 'windows' || knownValue(wsl)) return 'windows';
  return family === 'linux' ? 'linux' : undefined;
}

/**
 * NVIDIA's cuda-compat package lets data-center GPUs run newer CUDA on an older driver; images for containers bring it.
 * It does not work on GeForce.
 */
function mayHaveForwardCompatibility({ variables, container, gpus }: StackFacts): boolean {
  if (/compat/.test(knownValue(variables)?.LD_LIBRARY_PATH ?? '')) return true;
  return Boolean(knownValue(container)) && !knownValue(gpus)?.some(({ name }) => /GeForce/i.test(name));
}

function cpuOnlyTorch(facts: StackFacts): Verdict | undefined {
  const torch = knownValue(facts.frameworks.torch);
  const gpus = visible(facts);
  if (torch?.target !== 'cpu' || gpus === undefined || gpus.length === 0) return undefined;
  const { tensorflow, jax } = facts.frameworks;
  // A torch for the CPU beside JAX or TensorFlow on the GPU is how Keras advises to install them.
  const other = [tensorflow, jax].some((fact) => knownValue(fact)?.target === 'cuda');
  const driver = knownValue(facts.driver);
  const system = driverSystem(facts);
  const tag =
    driver === undefined || system === undefined ? undefined : torchWheelFor(driver, system, capabilities(facts));
  return {
    id: 'cpu-only-torch',
    severity: other ? 'information' : 'warning',
    finding: `torch ${torch.version} is built for the CPU only and cannot use the ${nameGpus(gpus)}.`,
    why: [
      { fact: `torch ${torch.version} is built without CUDA`, source: facts.frameworks.torch.source },
      {
        fact: `${nameGpus(gpus)} works${driver === undefined ? '' : ` with driver ${driver}`}`,
        source: facts.gpus.source,
      },
    ],
    remedies:
      tag === undefined
        ? [{ title: 'No wheel of torch is known to fit this driver and GPU: update the NVIDIA driver first' }]
        : reinstallTorch(facts, tag),
  };
}

/** The GPUs, where CUDA_VISIBLE_DEVICES leaves any of them to be seen. */
function visible({ gpus, variables }: StackFacts): Gpu[] | undefined {
  const list = knownValue(gpus);
  if (list === undefined) return undefined;
  return countVisibleGpus(knownValue(variables)?.CUDA_VISIBLE_DEVICES, list) === 0 ? [] : list;
}

function capabilities({ gpus }: StackFacts): string[] {
  return (knownValue(gpus) ?? []).flatMap(({ computeCapability }) => computeCapability ?? []);
}

function reinstallTorch(facts: StackFacts, tag: string): Verdict['remedies'] {
  const { torchvision } = facts.frameworks;
  const packages = knownValue(torchvision) ? 'torch torchvision' : 'torch';
  const index = `--index-url https://download.pytorch.org/whl/${tag}`;
  const interpreter = knownValue(facts.interpreter);
  if (interpreter === undefined) return [];
  const windows = knownValue(facts.os)?.family === 'windows';
  if (interpreter.environment === 'system' && !windows) {
    return [
      {
        title: `Install torch with CUDA (${tag}) in an environment of the project's own`,
        command: `python3 -m venv .venv && .venv/bin/pip install ${packages} ${index}`,
      },
    ];
  }
  const python = quotePath(interpreter.path, windows);
  // PowerShell starts a quoted path only after the call operator.
  const call = windows && python.startsWith('"') ? `& ${python}` : python;
  return [
    {
      title: `Install torch with CUDA (${tag}) with pip`,
      command: `${call} -m pip install --upgrade --force-reinstall ${packages} ${index}`,
    },
    {
      title: 'The same with uv',
      command: `uv pip install --python ${python} --reinstall ${packages} ${index}`,
    },
  ];
}

function quotePath(path: string, windows: boolean): string {
  if (/^[\w@%+=:,./\\~-]+$/.test(path)) return path;
  return windows ? `"${path}"` : `'${path.replaceAll("'", "'\\''")}'`;
}

function gpusHidden(facts: StackFacts): Verdict | undefined {
  const gpus = knownValue(facts.gpus);
  const value = knownValue(facts.variables)?.CUDA_VISIBLE_DEVICES;
  if (!gpus?.length || value === undefined || countVisibleGpus(value, gpus) !== 0) return undefined;
  const { torch, tensorflow, jax } = facts.frameworks;
  const builds: (FrameworkBuild | null | undefined)[] = [torch, tensorflow, jax].map(knownValue);
  const build = builds.find((each) => each?.target === 'cuda');
  if (!build) return undefined;
  const windows = knownValue(facts.os)?.family === 'windows';
  return {
    id: 'gpus-hidden',
    severity: 'warning',
    finding: `CUDA_VISIBLE_DEVICES="${value}" hides every GPU, so ${build.name} runs on the CPU.`,
    why: [
      { fact: `CUDA_VISIBLE_DEVICES="${value}" names no GPU of this machine`, source: facts.variables.source },
      { fact: `${nameGpus(gpus)} is there`, source: facts.gpus.source },
    ],
    remedies: [
      {
        title: 'Remove the variable where it is set, then start the program or the editor again',
        command: windows ? 'Remove-Item Env:CUDA_VISIBLE_DEVICES' : 'unset CUDA_VISIBLE_DEVICES',
      },
    ],
  };
}

/** Wheels of PyTorch's own index say in their local tag what they are for; those that do not are left alone. */
function torchvisionOfOtherBuild({ frameworks }: StackFacts): Verdict | undefined {
  const torch = knownValue(frameworks.torch);
  const vision = knownValue(frameworks.torchvision);
  if (!torch?.target || !vision?.target) return undefined;
  const cuda = torch.cuda ?? vision.cuda;
  if (cuda === null || torch.cuda?.split('.')[0] === vision.cuda?.split('.')[0]) return undefined;
  return {
    id: 'torchvision-of-other-build',
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
  };
}
