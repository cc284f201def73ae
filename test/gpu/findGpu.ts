import path from 'node:path';
import { runPython } from './runPython.ts';

/** What PyTorch says of the machine, by `machine.py`. */
export interface TorchMachine {
  readonly torch: string;
  readonly cuda: string | null;
  readonly cudnn: number | null;
  readonly architectures: readonly string[];
  readonly devices: readonly { readonly name: string; readonly capability: string; readonly memory: number }[];
}

/**
 * The Python whose PyTorch computes on an NVIDIA GPU, or the reason why there is none. It is the one of the variable
 * `GPU_DOCTOR_TEST_PYTHON`, else the first of the environment at hand and the PATH.
 */
export async function findGpu(): Promise<
  { readonly python: string; readonly machine: TorchMachine } | { readonly reason: string }
> {
  const named = process.env.GPU_DOCTOR_TEST_PYTHON;
  const reasons: string[] = [];
  for (const command of named === undefined ? ['python', 'python3'] : [named]) {
    const asked = await runPython(command, ['-c', 'import sys; print(sys.executable)']);
    if (asked.status !== 0) {
      reasons.push(`there is no ${command}`);
      continue;
    }
    const python = asked.output.trim();
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
