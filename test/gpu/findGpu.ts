import path from 'node:path';
import { runPython } from './runPython.ts';

/** PyTorch's view of the machine, from `machine.py`. */
export interface TorchMachine {
  readonly torch: string;
  readonly cuda: string | null;
  readonly cudnn: number | null;
  readonly architectures: readonly string[];
  readonly devices: readonly { readonly name: string; readonly capability: string; readonly memory: number }[];
}

/**
 * Returns the Python whose PyTorch can use an NVIDIA GPU, or the reason why there is none: the one in the variable
 * `GPU_DOCTOR_TEST_PYTHON`, else the first in the current environment and on the PATH.
 */
export async function findGpu(): Promise<
  { readonly python: string; readonly machine: TorchMachine } | { readonly reason: string }
> {
  const named = process.env.GPU_DOCTOR_TEST_PYTHON;
  const reasons: string[] = [];
  for (const command of named === undefined ? ['python', 'python3'] : [named]) {
    const result = await runPython(command, ['-c', 'import sys; print(sys.executable)']);
    if (result.status !== 0) {
      reasons.push(`there is no ${command}`);
      continue;
    }
    const python = result.output.trim();
    const { status, output } = await runPython(python, [path.join(import.meta.dirname, 'machine.py')]);
    if (status !== 0) {
      reasons.push(`${python} has no PyTorch that can be imported`);
      continue;
    }
    const machine: TorchMachine = JSON.parse(output.trim().split('\n').at(-1) ?? '');
    if (machine.devices.length > 0 && machine.cuda !== null) return { python, machine };
    reasons.push(`the PyTorch ${machine.torch} of ${python} sees no NVIDIA GPU`);
  }
  return { reason: `No NVIDIA GPU to test with: ${reasons.join('; ')}.` };
}
