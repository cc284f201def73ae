import { dataOnUse } from '../dataOnUse.ts';
import { minorOf } from '../versions.ts';
import { jaxReleaseOf } from './jaxReleases.ts';
import { torchWheelsOf } from './torchWheels.ts';

interface TensorflowWheels {
  readonly releases: readonly { tensorflow: string; wheels: Readonly<Record<string, string>> }[];
}

const tensorflowWheels = dataOnUse<TensorflowWheels>(import.meta.dirname, 'tensorflowWheels');

/**
 * NVIDIA's wheels that a framework release from PyPI requires on Linux, as PEP 440 specifiers by wheel name; undefined
 * if it requires none, or if they are unknown.
 */
export function nvidiaWheelsOf(
  framework: string,
  version: string,
  extras: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (framework === 'torch') {
    const wheels = Object.entries(torchWheelsOf(version)?.wheels ?? {});
    return Object.fromEntries(wheels.map(([name, exact]) => [name, `==${exact}`]));
  }
  if (framework === 'tensorflow' && extras.includes('and-cuda')) {
    const minor = minorOf(version);
    return tensorflowWheels().releases.find((each) => each.tensorflow === minor)?.wheels;
  }
  const family = extras.map((extra) => /^cuda(\d\d)$/.exec(extra)?.[1]).find((each) => each !== undefined);
  const cudnn = framework === 'jax' && family !== undefined ? jaxReleaseOf(version)?.cudnn[family] : undefined;
  return cudnn === undefined ? undefined : { [`nvidia-cudnn-cu${family}`]: cudnn };
}
