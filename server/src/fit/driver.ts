/** The relation between a build's CUDA version and NVIDIA's driver. */
import { lowestDriver } from '../published/releases/cudaDriver.ts';
import { compareVersions, majorOf } from '../published/versions.ts';
import type { Fit } from './relation.ts';
import type { NvidiaTarget } from './target.ts';

/** The oldest driver for a build. */
interface DriverDetails {
  readonly lowest: string;
}

/** Returns whether a driver supports builds for a CUDA version ("12.4", "12"). */
export function driverFor(
  cuda: string,
  { driver, system, supports }: Pick<NvidiaTarget, 'driver' | 'system' | 'supports'>,
): Fit<DriverDetails> {
  const lowest = system && lowestDriver(cuda, system);
  if (lowest === undefined) return { fit: 'unknown', missing: system ? `the driver for CUDA ${cuda}` : 'the system' };
  // A driver that reports support for this CUDA version has it, whatever its number.
  if (supports !== undefined && compareVersions(supports, cuda) >= 0) return { fit: 'holds', lowest };
  if (driver !== undefined) return { fit: compareVersions(driver, lowest) < 0 ? 'fails' : 'holds', lowest };
  if (supports === undefined) return { fit: 'unknown', missing: 'the driver' };
  // Since 11, all releases of one major version run.
  const isOther = majorOf(supports) !== majorOf(cuda) || compareVersions(cuda, '11') < 0;
  return { fit: isOther ? 'fails' : 'holds', lowest };
}
