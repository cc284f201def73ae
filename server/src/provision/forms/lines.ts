import { quoted } from '../../stack/plan/installing.ts';
import type { Draft, Installation, SystemCuda } from '../environmentPlan.ts';

/** What a plan begins with, whatever its form: for what it is, and what comes before it. */
export function opening({ machine, needs, driver, outcome, trouble, instead, notes }: Draft): string[] {
  const asked = needs.map(({ requirement, because }) => `${requirement} (${because})`).join(', ');
  return [
    `An environment for ${machine}.`,
    ...(asked === '' ? [] : [`It is for: ${asked}.`]),
    ...(outcome === 'driverFirst' ? [updateDriver(driver)] : []),
    ...(trouble === null ? [] : [trouble]),
    ...instead,
    ...notes,
  ];
}

function updateDriver(driver: string | null): string {
  return `First update the NVIDIA driver to ${driver} or newer (https://www.nvidia.com/drivers): the one at hand is too old for what follows.`;
}

/** Reasons as comments above what they are for. */
export function commented(reasons: readonly string[], mark = '#'): string[] {
  return reasons.map((reason) => `${mark} ${reason}`);
}

/** Why the Python, as a comment above it. */
export function pythonReason({ python }: Draft): string[] {
  return python === null ? [] : [`Python ${python.version}: ${python.reason}`];
}

/** The arguments of pip, and of uv, that install it. */
export function pipArguments(installation: Installation): string {
  const { index, page, requirements, keeps, isIsolated } = installation;
  return [
    ...[...requirements, ...keeps].map(quoted),
    ...(index === null ? [] : ['--index-url', index]),
    ...(page === null ? [] : ['--find-links', page]),
    ...(isIsolated ? [] : ['--no-build-isolation']),
  ].join(' ');
}

/** The reasons of an installation, for installers that take one after the other. */
export function reasonsOf({ reasons, keeps }: Installation): string[] {
  const again = keeps.map((each) => `${each} is named again, so that nothing replaces it by another build.`);
  return [...reasons, ...again];
}

/** What conda-forge has of CUDA's libraries. Until 11, one package had them all. */
export function condaCuda({ cuda, cudnn }: SystemCuda): string[] {
  if (Number(cuda.split('.')[0]) < 12) return [`cudatoolkit=${cuda}`, `cudnn=${cudnn}`];
  return [`cuda-version=${cuda}`, `cudnn=${cudnn}`, 'cuda-cudart', 'cuda-nvrtc', 'libcublas', 'libcufft', 'libcurand'];
}

export function systemCudaReason({ for: whom, cuda, cudnn }: SystemCuda): string {
  return `${whom} looks for CUDA ${cuda} and cuDNN ${cudnn}, which no wheel brings: conda-forge has them.`;
}

/** Wheels that look for a CUDA of the system's, in an environment that has none. */
export function withoutWheels({ systemCuda }: Draft): string[] {
  if (systemCuda === null) return [];
  return commented([`${systemCudaReason(systemCuda)} Plan for conda instead, or install both on the system.`]);
}

/** What tries the environment, where it is to compute on a GPU. */
export function trying({ hasGpu }: Draft, command: string): string[] {
  if (!hasGpu) return [];
  return [...commented(['Computes on every GPU that a framework sees, and says what fails.']), command];
}
