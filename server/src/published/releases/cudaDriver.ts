/** The NVIDIA driver that a CUDA version needs, and the compute capabilities that its compilers support. */
import { dataOnUse } from '../dataOnUse.ts';
import { compareVersions } from '../versions.ts';

interface Drivers {
  cuda: string;
  linux: string;
  windows: string;
}

interface CudaReleases {
  families: Drivers[];
  drivers: Drivers[];
  compilers: { since: string; capabilities: string }[];
  parts: { code: string; since: string }[];
  conda_channel: string;
  last_drivers: { highest: string; branch: number }[];
}

const cudaReleases = dataOnUse<CudaReleases>(import.meta.dirname, 'cudaReleases');

export type DriverSystem = 'linux' | 'windows';

/** The minimum driver for a build for that CUDA version ("12.4", "12"); undefined for versions without a known one. */
export function lowestDriver(cuda: string, system: DriverSystem): string | undefined {
  return cudaReleases().families.find((floor) => cuda === floor.cuda || cuda.startsWith(`${floor.cuda}.`))?.[system];
}

/** The newest CUDA version that a driver supports by itself, including PTX; undefined for drivers before CUDA 11. */
export function cudaOfDriver(driver: string, system: DriverSystem): string | undefined {
  return cudaReleases().drivers.find((each) => compareVersions(driver, each[system]) >= 0)?.cuda;
}

/** The first driver that supports a CUDA version completely. */
export function driverOfCuda(cuda: string, system: DriverSystem): string | undefined {
  return cudaReleases().drivers.find((each) => each.cuda === cuda)?.[system];
}

/**
 * The newest possible driver if a program only reports the CUDA version that the driver supports ("11.0", "9.0"): older
 * than the first one for the next version. Undefined if no newer version is known.
 */
export function newestDriverOf(cuda: string, system: DriverSystem): string | undefined {
  const { families, drivers } = cudaReleases();
  const known = [...drivers, ...families.filter((each) => each.cuda.includes('.'))];
  const next = known.findLast((each) => compareVersions(each.cuda, cuda) > 0)?.[system];
  const [major = 0, minor = 0] = next?.split('.').map(Number) ?? [];
  if (next === undefined) return undefined;
  return minor > 0 ? `${major}.${minor - 1}.99` : `${major - 1}.999`;
}

/** The compute capabilities that compilers support. */
interface CompiledFor {
  readonly lowest: string;
  readonly highest: string;
  /** All of them, the lowest first: values in between are not necessarily supported. */
  readonly capabilities: readonly string[];
}

/**
 * Returns the compute capabilities that the compilers of a CUDA version support; undefined if unknown. A major version
 * ("12") includes all of its releases, because it does not show which release compiled a build.
 */
export function compiledBy(cuda: string): CompiledFor | undefined {
  const { compilers } = cudaReleases();
  const isFamily = !cuda.includes('.');
  const rows = isFamily
    ? compilers.filter(({ since }) => since.startsWith(`${cuda}.`))
    : compilers.filter(({ since }) => compareVersions(cuda, since) >= 0).slice(0, 1);
  const capabilities = [...new Set(rows.flatMap((row) => row.capabilities.split(' ')))].sort(compareVersions);
  const [lowest, highest] = [capabilities[0], capabilities.at(-1)];
  return lowest === undefined || highest === undefined ? undefined : { lowest, highest, capabilities };
}

/**
 * The first and the last CUDA release whose compilers generate code for a compute capability; without a last one if the
 * newest compilers support it.
 */
export function compilersFor(capability: string): { readonly since: string; readonly until?: string } | undefined {
  const { compilers, drivers, families } = cudaReleases();
  const knows = (row: { readonly capabilities: string }) => row.capabilities.split(' ').includes(capability);
  const since = compilers.findLast(knows)?.since;
  const dropped = compilers[compilers.findIndex(knows) - 1]?.since;
  const releases = [...drivers, ...families].filter(({ cuda }) => cuda.includes('.'));
  const until = dropped && releases.find(({ cuda }) => compareVersions(cuda, dropped) < 0)?.cuda;
  return since === undefined ? undefined : { since, ...(until !== undefined && { until }) };
}

/** The first CUDA release whose compilers generate code such as "sm_90a" for a single GPU; undefined for other code. */
export function compilersForPart(architecture: string): string | undefined {
  return cudaReleases().parts.find(({ code }) => architecture.endsWith(`_${code}`))?.since;
}

/** The first CUDA release in NVIDIA's conda channel. */
export function firstCudaOfChannel(): string {
  return cudaReleases().conda_channel;
}

/** The last driver branch, such as 470, for a GPU of that compute capability; undefined if new branches support it. */
export function lastDriverBranch(capability: string): number | undefined {
  return cudaReleases().last_drivers.find(({ highest }) => compareVersions(capability, highest) <= 0)?.branch;
}
