/** What a plan says, whatever it is written for. */
import type { ChangedPin } from '../solver/smallestChange.ts';

export type { ChangedPin };

export const FORMS = ['pip', 'uv', 'poetry', 'pdm', 'pipenv', 'conda', 'pixi', 'dockerfile', 'devcontainer'] as const;
export type Form = (typeof FORMS)[number];

/** Whether packages are installed into an image, whatever system the machine has. */
export function isOfContainer(form: Form): boolean {
  return form === 'dockerfile' || form === 'devcontainer';
}

/** Packages that are installed by one command, in one resolution. */
export interface Installation {
  /** Such as "torch==2.9.1", as installers take them. */
  readonly requirements: readonly string[];
  /** Why, a sentence each. */
  readonly reasons: readonly string[];
  /** The index that they come from instead of PyPI. */
  readonly index: string | null;
  /** A page that lists files beside the index. */
  readonly page: string | null;
  /** What is installed already and named again, so that nothing replaces it. */
  readonly keeps: readonly string[];
  /** Whether their installation may see what is installed already; it does where code is compiled for it. */
  readonly isIsolated: boolean;
}

/** What the packages leave to the system. */
export interface SystemCuda {
  readonly cuda: string;
  /** Null where it is the compiler that is missing, for what is compiled while it is installed. */
  readonly cudnn: string | null;
  /** The package that looks for it. */
  readonly for: string;
}

/** A change of what the project pins. */
export interface PlannedChange {
  /** The pins that change together. */
  readonly pins: readonly ChangedPin[];
  /** The builds that it leads to. */
  readonly summary: string;
}

/** What `gpu-doctor plan --format json` prints. */
export interface EnvironmentPlan {
  readonly version: 1;
  readonly for: Form;
  /** The machine that it is for, in a few words. */
  readonly machine: string;
  /** Whether programs are to compute on a GPU. */
  readonly hasGpu: boolean;
  /**
   * `works`: the environment works on the machine as it is. `driverFirst`: once the driver is updated. `impossible`:
   * nothing that is published fits.
   */
  readonly outcome: 'works' | 'driverFirst' | 'impossible';
  /** What it is for, and who says so. */
  readonly needs: readonly { readonly requirement: string; readonly because: string }[];
  /** What cannot be combined, in one sentence; null where all can. */
  readonly trouble: string | null;
  /** The chosen builds: "Python 3.12, torch 2.7.1 for CUDA 11.8"; null where nothing fits. */
  readonly summary: string | null;
  /** The smallest changes of pins after which an environment works on the machine as it is, the nearest releases first. */
  readonly changes: readonly PlannedChange[];
  /** The driver that it takes, where the one at hand is older. */
  readonly driver: string | null;
  /** Such as "3.12". */
  readonly python: { readonly version: string; readonly reason: string } | null;
  readonly installations: readonly Installation[];
  /** CUDA that no wheel brings. */
  readonly systemCuda: SystemCuda | null;
  /** What compiles kernels while it runs, so that a C compiler has to be there; null: nothing. */
  readonly compilesKernels: string | null;
  /** What else is worth knowing: what was not asked of an index, what was left out. */
  readonly notes: readonly string[];
  /** The commands in one line for a terminal; null for a plan that is a file. */
  readonly command: string | null;
  /** The commands, or the file, each line with its reason as a comment. */
  readonly text: string;
}

/** A plan before it is written down. */
export type Draft = Omit<EnvironmentPlan, 'command' | 'text' | 'for' | 'version'>;
