import { dataOnUse } from '../dataOnUse.ts';

/** The exact requirements of PyPI's torch for Linux. */
interface TorchWheels {
  /** "2.6.0". */
  readonly torch: string;
  /** The Triton version, such as "3.2.0"; null if it requires none. */
  readonly triton: string | null;
  /** NVIDIA's wheels: "9.1.0.70" for "nvidia-cudnn-cu12". */
  readonly wheels: Readonly<Record<string, string>>;
}

const data = dataOnUse<{ releases: TorchWheels[] }>(import.meta.dirname, 'torchWheels');

/** The wheels for a version such as "2.6.0"; undefined before 1.13, whose wheels contained all of CUDA themselves. */
export function torchWheelsOf(version: string): TorchWheels | undefined {
  return data().releases.find(({ torch }) => torch === version);
}
