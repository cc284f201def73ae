/** The content of a plan, independent of its form. */
import type { CondaNeed, LeftOut } from '../solver/needs.ts';
import type { ChangedPin } from '../solver/smallestChange.ts';

export const FORMS = ['pip', 'uv', 'poetry', 'pdm', 'pipenv', 'conda', 'pixi', 'dockerfile', 'devcontainer'] as const;
export type Form = (typeof FORMS)[number];

/** True if packages are installed into an image, whatever the machine's system. */
export function isOfContainer(form: Form): boolean {
  return form === 'dockerfile' || form === 'devcontainer';
}

/** Packages that are installed by one command, in one resolution. */
export interface PlannedInstallation {
  /** Such as "torch==2.9.1", in the installers' syntax. */
  readonly requirements: readonly string[];
  /** The reasons, one sentence each. */
  readonly reasons: readonly string[];
  /** The index that replaces PyPI. */
  readonly index: string | null;
  /** A page that lists files, in addition to the index. */
  readonly page: string | null;
  /** Installed packages that are named again so that nothing replaces them. */
  readonly keeps: readonly string[];
  /** True if their installation may see installed packages, which compiling against them requires. */
  readonly isIsolated: boolean;
}

/** Software that the packages expect from the system. */
export interface SystemCuda {
  readonly cuda: string;
  /** Null if only the compiler is missing, for packages that are compiled during installation. */
  readonly cudnn: string | null;
  /** The package that searches for it. */
  readonly for: string;
}

/** A change of the project's pins. */
export interface PlannedChange {
  /** The pins that change together. */
  readonly pins: readonly ChangedPin[];
  /** The resulting builds. */
  readonly summary: string;
}

/** The JSON output of `gpu-doctor plan`. */
export interface EnvironmentPlan {
  readonly version: 1;
  readonly for: Form;
  /** The machine in short. */
  readonly machine: string;
  /** True if programs compute on a GPU. */
  readonly hasGpu: boolean;
  /**
   * `works`: the environment works on the machine as it is. `driverFirst`: after a driver update. `impossible`: no
   * published combination fits.
   */
  readonly outcome: 'works' | 'driverFirst' | 'impossible';
  /** The needs with their origin. */
  readonly needs: readonly { readonly requirement: string; readonly because: string }[];
  /** The requirements that exclude each other, in one sentence; null if none do. */
  readonly trouble: string | null;
  /** The chosen builds: "Python 3.12, torch 2.7.1 for CUDA 11.8"; null if nothing fits. */
  readonly summary: string | null;
  /** The smallest changes to the pins that allow an environment on the machine as it is, the nearest releases first. */
  readonly changes: readonly PlannedChange[];
  /** The required driver, if the present one is older. */
  readonly driver: string | null;
  /** Such as "3.12". */
  readonly python: { readonly version: string; readonly reason: string } | null;
  readonly installations: readonly PlannedInstallation[];
  /** CUDA libraries that no wheel includes. */
  readonly systemCuda: SystemCuda | null;
  /** Folders of the environment's packages that a program's loader must search for CUDA libraries: "nvidia/cublas/lib". */
  readonly libraries: readonly string[];
  /** Packages that compile kernels at run time and need a C compiler; null: none. */
  readonly compilesKernels: string | null;
  /** conda packages of the project that the plan installs, with the project's further channels. */
  readonly conda: readonly CondaNeed[];
  readonly condaChannels: readonly string[];
  /** Requirements of the project that the plan does not include. */
  readonly leftOut: readonly LeftOut[];
  /** Notes: facts that were not checked against an index, and omissions. */
  readonly notes: readonly string[];
  /** The commands on one line for a terminal; null for a plan that is a file. */
  readonly command: string | null;
  /** The commands, or the file, with a comment that explains each line. */
  readonly text: string;
}

/** A plan before it is rendered. */
export type Draft = Omit<EnvironmentPlan, 'command' | 'text' | 'for' | 'version'>;
