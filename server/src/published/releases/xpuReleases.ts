import { dataOnUse } from '../dataOnUse.ts';
import { compareVersions } from '../versions.ts';

/** An Intel GPU that torch's XPU builds support. */
interface XpuGpu {
  /** The beginning of its PCI device number, such as "e20b". */
  readonly device: string;
  readonly name: string;
  /** The first torch that lists it, such as "2.7". */
  readonly torch: string;
}

/** The first torch with XPU wheels, by the family of the operating system. */
interface XpuReleases {
  readonly wheels: Readonly<Record<string, string>>;
  readonly gpus: readonly XpuGpu[];
}

const xpuReleases = dataOnUse<XpuReleases>(import.meta.dirname, 'xpuReleases');

/** Returns the name of an Intel GPU by PCI device number; undefined if torch does not support it. */
export function nameOfXpu(device: string): string | undefined {
  return xpuReleases().gpus.find((row) => device.startsWith(row.device))?.name;
}

/**
 * The first torch with XPU wheels on a system ("linux", "windows") that supports a GPU, by its name if known; undefined
 * if there are none for the system.
 */
export function firstTorchForXpu(system: string, gpu?: string): string | undefined {
  const { wheels, gpus } = xpuReleases();
  const first = wheels[system];
  const own = gpus.find(({ name }) => name === gpu)?.torch;
  return first !== undefined && own !== undefined && compareVersions(own, first) > 0 ? own : first;
}
