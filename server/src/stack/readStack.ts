import type { StackFacts } from './facts.ts';
import type { Machine } from './machine.ts';

export interface StackOptions {
  machine: Machine;
  /** The selected Python: a program or the folder of an environment. One is looked for where none is given. */
  interpreter?: string;
  /** Folders whose `.venv` or `venv` counts: those of the workspace, or the current one. */
  folders: string[];
  signal?: AbortSignal;
  /** Called with all that is known so far whenever more is known; pending facts say so. */
  onFacts?: (facts: StackFacts) => void;
}

/**
 * Reads the stack in layers: files and the environment first, without starting any process, then `nvidia-smi`.
 * It never throws; what cannot be read is an unknown fact with its reason.
 */
export declare function readStack(options: StackOptions): Promise<StackFacts>;
