import { installArguments } from '../../commands/installers.ts';
import type { PackageIndex } from '../../commands/projectTools.ts';
import { oneLine } from '../../printable.ts';
import { withOrigin } from '../../solver/needs.ts';
import type { Draft, PlannedChange, PlannedInstallation, SystemCuda } from '../environmentPlan.ts';

/** The introduction of a plan in any form: its target and prerequisites. */
export function opening({ machine, needs, driver, outcome, trouble, changes, leftOut, notes }: Draft): string[] {
  const asked = needs.map(({ requirement, because }) => withOrigin(requirement, because)).join(', ');
  return [
    `An environment for ${machine}.`,
    ...(asked === '' ? [] : [`Requirements: ${asked}.`]),
    ...(outcome === 'driverFirst' ? [updateDriver(driver)] : []),
    ...(trouble === null ? [] : [trouble]),
    ...changeSentences(changes, driver),
    ...omissions(leftOut),
    ...notes,
  ];
}

/** One sentence for each reason why requirements are not in the plan. */
function omissions(leftOut: Draft['leftOut']): string[] {
  const reasons = [...new Set(leftOut.map(({ reason }) => reason))];
  return reasons.map((reason) => {
    const names = leftOut.filter((each) => each.reason === reason).map(({ requirement }) => requirement);
    return `Not in this plan: ${names.join(', ')} (${reason}).`;
  });
}

/** The folders that the loader must search, in an environment with that prefix. */
export function libraryPath({ libraries, python }: Draft, prefix: string): string {
  return libraries.map((folder) => `${prefix}/lib/python${python?.version}/site-packages/${folder}`).join(':');
}

/** The command that lets the loader find the libraries in the environment's folder. */
export function exportLibraries(draft: Draft, folder: string): string[] {
  if (draft.libraries.length === 0) return [];
  return [
    ...commented(['The loader finds the CUDA libraries there. Repeat this in every shell that starts the program.']),
    `export LD_LIBRARY_PATH="${libraryPath(draft, folder)}"`,
  ];
}

/** The changes of pins, one sentence each, the smallest first. `driver`: the driver needed without them. */
export function changeSentences(changes: readonly PlannedChange[], driver: string | null): string[] {
  return changes.map((change, at) => {
    const start = at > 0 ? 'Or change' : driver === null ? 'Change' : 'Or keep the driver and change';
    return `${start} ${changeInWords(change)}: that gives ${change.summary}.`;
  });
}

/** "torch==2.9.1 (requirements.txt) to torch==2.7.1". */
function changeInWords({ pins }: PlannedChange): string {
  return pins.map(({ from, because, to }) => `${withOrigin(from, because)} to ${to}`).join(' and ');
}

function updateDriver(driver: string | null): string {
  return `First update the NVIDIA driver to ${driver} or newer (https://www.nvidia.com/drivers): the installed one is too old for this plan.`;
}

/** Reasons as comments above their line, each on one line: the next line would be a command. */
export function commented(reasons: readonly string[], mark = '#'): string[] {
  return reasons.map((reason) => `${mark} ${oneLine(reason)}`);
}

/** The reason for the Python, as a comment above it. */
export function pythonReason({ python }: Draft): string[] {
  return python === null ? [] : [`Python ${python.version}: ${python.reason}`];
}

/** The arguments of `pip install` and `uv pip install` for an installation. */
export function pipArguments(installation: PlannedInstallation): string {
  const { page, requirements, keeps, isIsolated } = installation;
  return installArguments({
    requirements: [...requirements, ...keeps],
    index: indexOf(installation),
    options: [...(page === null ? [] : ['--find-links', page]), ...(isIsolated ? [] : ['--no-build-isolation'])],
  });
}

/** One command for each installation, below its reasons. `installer` precedes the arguments. */
export function installCommands({ installations }: Draft, installer: string): string[] {
  return installations.flatMap((each) => [...commented(reasonLines(each)), `${installer} ${pipArguments(each)}`]);
}

/** The index of an installation, in the syntax of project files; undefined for PyPI. */
export function indexOf({ index }: PlannedInstallation): PackageIndex | undefined {
  return index === null ? undefined : { name: `pytorch-${index.match(/[^/]+$/)?.[0]}`, url: index };
}

/** The reasons of an installation, for installers that process packages one by one. */
export function reasonLines({ reasons, keeps }: PlannedInstallation): string[] {
  const again = keeps.map((each) => `${each} is listed again so that no other build replaces it.`);
  return [...reasons, ...again];
}

/**
 * conda-forge's CUDA libraries, by name and version. Until 11, one package had all of them. It has one cuDNN for each
 * few releases (7.6.5, 8.0.5, 8.1.0, 8.2, 8.3.2, 8.4, 8.8.0, 8.9), and each replaces the earlier ones of its
 * generation. Source: https://anaconda.org/conda-forge/cudnn/files
 */
function condaCuda({ cuda, cudnn }: SystemCuda): readonly (readonly [name: string, version: string])[] {
  if (cudnn === null) return condaCompiler(cuda);
  const newer = `>=${cudnn},<${Number(cudnn.split('.')[0]) + 1}`;
  const parts = ['cuda-cudart', 'cuda-nvrtc', 'libcublas', 'libcufft', 'libcurand'].map((each) => [each, '*'] as const);
  if (Number(cuda.split('.')[0]) < 12)
    return [
      ['cudatoolkit', `${cuda}.*`],
      ['cudnn', newer],
    ];
  return [['cuda-version', `${cuda}.*`], ['cudnn', newer], ...parts];
}

/** nvcc and CUDA's headers, with a compiler that is found by its plain name if nothing is activated. */
function condaCompiler(cuda: string): readonly (readonly [name: string, version: string])[] {
  if (Number(cuda.split('.')[0]) < 12)
    return [
      ['cuda-toolkit', `${cuda}.*`],
      ['gxx', '*'],
    ];
  return [
    ['cuda-version', `${cuda}.*`],
    ['cuda-toolkit', '*'],
    ['gxx', '*'],
  ];
}

/** The name of the environment in a conda plan. */
export const CONDA_NAME = 'gpu';

/**
 * The channels with that CUDA, by precedence. Versions before 9.2 are only in Anaconda's own; compilers from before
 * CUDA 12 are in NVIDIA's, under a label for each release.
 */
export function condaChannels(system: SystemCuda | null, further: readonly string[] = []): readonly string[] {
  const cuda = Number(system?.cuda ?? '12');
  if (system?.cudnn === null && cuda < 12) return [`nvidia/label/cuda-${system.cuda}.0`, 'conda-forge', ...further];
  return [cuda < 9.2 ? 'https://repo.anaconda.com/pkgs/main' : 'conda-forge', ...further];
}

/** The command that creates conda's environment, with CUDA if no wheel includes it. `option` starts with a space. */
export function createCondaEnvironment(draft: Draft, option = ''): string {
  const { python, systemCuda, condaChannels: further } = draft;
  const channels = condaChannels(systemCuda, further).map((each) => `--channel ${each}`);
  const packages = condaPackages(draft).map(([name, version]) => condaWord(name, version));
  return `conda create${option} --name ${CONDA_NAME} --override-channels ${channels.join(' ')} ${[`python=${python?.version}`, 'pip', ...packages].join(' ')}`;
}

/** Packages that conda installs besides Python: CUDA's libraries, and the project's own conda packages. */
export function condaPackages({ systemCuda, conda }: Draft): readonly (readonly [name: string, version: string])[] {
  return [
    ...(systemCuda === null ? [] : condaCuda(systemCuda)),
    ...conda.map(({ name, version }) => [name, version] as const),
  ];
}

/** A package as an argument of a command. */
function condaWord(name: string, version: string): string {
  if (version === '*') return name;
  return /[<>!~]/.test(version) ? `"${name}${version}"` : `${name}=${version.replace(/^==/, '=').replace(/\.\*$/, '')}`;
}

export function systemCudaReason(system: SystemCuda): string {
  const { for: whom, cuda, cudnn } = system;
  const [first = ''] = condaChannels(system);
  const channel =
    first === 'conda-forge' ? first : first.startsWith('nvidia') ? "NVIDIA's channel" : "Anaconda's own channel";
  if (cudnn === null) return `${whom} is compiled by nvcc of CUDA ${cuda}, which is not on PyPI; ${channel} has it.`;
  return `${whom} searches for CUDA ${cuda} and cuDNN ${cudnn}, which its wheel does not include; ${channel} has them.`;
}

/** Wheels that search for the system's CUDA, in an environment without one. */
export function withoutWheels({ systemCuda }: Draft): string[] {
  if (systemCuda === null) return [];
  return commented([
    `${systemCudaReason(systemCuda)} Plan for conda instead, or install ${systemCuda.cudnn === null ? 'the toolkit' : 'both'} on the system.`,
  ]);
}

/** The command that tests the environment, if it computes on a GPU. */
export function trying({ hasGpu }: Draft, command: string): string[] {
  if (!hasGpu) return [];
  return [...commented(['Computes on every GPU that a framework sees, and says what fails.']), command];
}
