/** The NVIDIA driver that a CUDA version needs, and the compute capabilities that its compilers support. */
import { readData } from '../../dataFiles.ts';
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
  odd_libraries: { file: string; cuda: string }[];
  last_drivers: { highest: string; branch: number }[];
}

let table: CudaReleases | undefined;

function cudaReleases(): CudaReleases {
  table ??= readData<CudaReleases>(import.meta.dirname, 'cudaReleases');
  return table;
}

export type DriverSystem = 'linux' | 'windows';

/** The lowest driver for a build for that CUDA version ("12.4", "12"), or undefined for versions without a known one. */
export function lowestDriver(cuda: string, system: DriverSystem): string | undefined {
  return cudaReleases().families.find((floor) => cuda === floor.cuda || cuda.startsWith(`${floor.cuda}.`))?.[system];
}

/** The newest CUDA version that a driver knows by itself, PTX included; undefined for drivers before CUDA 11. */
export function cudaOfDriver(driver: string, system: DriverSystem): string | undefined {
  return cudaReleases().drivers.find((each) => compareVersions(driver, each[system]) >= 0)?.cuda;
}

/** The first driver that knows all of a CUDA version. */
export function driverOfCuda(cuda: string, system: DriverSystem): string | undefined {
  return cudaReleases().drivers.find((each) => each.cuda === cuda)?.[system];
}

/**
 * A driver that is newer than all that know a CUDA version ("11.0", "9.0") and older than the next: the newest that one of
 * which a program says no more than its CUDA can be. Undefined for a version of which nothing newer is known.
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
export interface CompiledFor {
  readonly lowest: string;
  readonly highest: string;
  /** All of it, the lowest first: not all that lies between is known to each. */
  readonly capabilities: readonly string[];
}

/**
 * Returns the compute capabilities that the compilers of a CUDA version support; undefined if unknown. A major version
 * ("12") covers all of its releases, because it does not show which one made a build.
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

/** The first and the last release of CUDA whose compilers make code for a compute capability; no last one while it is known. */
export function compilersFor(capability: string): { readonly since: string; readonly until?: string } | undefined {
  const { compilers, drivers, families } = cudaReleases();
  const knows = (row: { readonly capabilities: string }) => row.capabilities.split(' ').includes(capability);
  const since = compilers.findLast(knows)?.since;
  const dropped = compilers[compilers.findIndex(knows) - 1]?.since;
  const releases = [...drivers, ...families].filter(({ cuda }) => cuda.includes('.'));
  const until = dropped && releases.find(({ cuda }) => compareVersions(cuda, dropped) < 0)?.cuda;
  return since === undefined ? undefined : { since, ...(until !== undefined && { until }) };
}

/** The first release of CUDA whose compilers make code such as "sm_90a" for one part alone; undefined for other code. */
export function compilersForPart(architecture: string): string | undefined {
  return cudaReleases().parts.find(({ code }) => architecture.endsWith(`_${code}`))?.since;
}

/** The first release of CUDA that conda's channel of NVIDIA's has. */
export function firstCudaOfChannel(): string {
  return cudaReleases().conda_channel;
}

/** The CUDA of a library whose number is another one, such as "11.0" of libcusolver.so.10; undefined for other libraries. */
export function cudaOfOddLibrary(file: string): string | undefined {
  return cudaReleases().odd_libraries.find((each) => each.file === file)?.cuda;
}

/** The last branch of drivers, such as 470, for a GPU of that compute capability; undefined while there are new ones. */
export function lastDriverBranch(capability: string): number | undefined {
  return cudaReleases().last_drivers.find(({ highest }) => compareVersions(capability, highest) <= 0)?.branch;
}
