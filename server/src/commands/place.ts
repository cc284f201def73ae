import type { DriverSystem } from '../published/releases/cudaDriver.ts';
import { knownValue, type StackFacts } from '../stack/facts/facts.ts';
import { onChip, visibleGpus } from '../stack/facts/usableGpus.ts';

/** The framework builds that a command may replace. */
export interface InstalledBuild {
  readonly version: string;
  readonly target: string | null;
  readonly cuda: string | null;
  readonly rocm: string | null;
}

/** The machine and the environment that a command is for, as far as they are known. */
export interface Place {
  readonly os?: 'linux' | 'macos' | 'windows';
  readonly architecture?: 'x64' | 'arm64';
  /** True if the text shows the prompt of cmd.exe; Windows means PowerShell otherwise. */
  readonly isCmd?: boolean;
  /** Undefined if unknown. */
  readonly isWsl?: boolean;
  /** A Jetson or similar board, for which only NVIDIA publishes CUDA wheels. */
  readonly isBoard?: boolean;
  /** Major and minor version: "3.8". */
  readonly python?: string;
  readonly driver?: string;
  readonly driverSystem?: DriverSystem;
  /** Compute capabilities of the visible NVIDIA GPUs, such as "8.6"; empty if none is known. */
  readonly capabilities: readonly string[];
  /** By distribution: "torch", "tensorflow". */
  readonly installed: Readonly<Record<string, InstalledBuild | undefined>>;
  /**
   * The newest possible release of a framework, according to what is installed or what a text shows: "1.8" for
   * "tensorflow".
   */
  readonly newest: Readonly<Record<string, string | undefined>>;
  /**
   * The versions of installed toolkits, such as "12.1": a torch for one of them may be intended for compiling with it.
   */
  readonly toolkits?: readonly string[];
  /** True if nothing is installed yet: an environment that the same line creates. */
  readonly isNew?: boolean;
}

const FAMILIES = ['linux', 'macos', 'windows'] as const;

/** Returns the place described by facts. */
export function placeOf(facts: StackFacts): Place {
  const os = knownValue(facts.os);
  const family = FAMILIES.find((each) => each === os?.family);
  const wsl = knownValue(facts.wsl);
  const isWsl = wsl === undefined ? undefined : wsl !== null;
  const architecture = os?.architecture === 'arm64' ? 'arm64' : os?.architecture === 'x64' ? 'x64' : undefined;
  const python = knownValue(facts.interpreter)?.version?.match(/^\d+\.\d+/)?.[0];
  const driver = knownValue(facts.driver);
  const { torch, tensorflow, jax, onnxruntime } = facts.frameworks;
  const builds = Object.entries({ torch, tensorflow, jax, onnxruntime }).flatMap(([name, fact]) => {
    const build = knownValue(fact);
    return build ? [[name, build] as const] : [];
  });
  return {
    ...(family && { os: family }),
    ...(architecture && { architecture }),
    ...(isWsl !== undefined && { isWsl }),
    toolkits: (knownValue(facts.toolkits) ?? []).flatMap(({ version }) => version?.match(/^\d+\.\d+/)?.[0] ?? []),
    ...(onChip(facts) && { isBoard: true }),
    ...(python && { python }),
    ...(driver && { driver, driverSystem: family === 'windows' || isWsl ? 'windows' : 'linux' }),
    capabilities: visibleGpus(facts).flatMap(({ computeCapability }) => computeCapability ?? []),
    installed: Object.fromEntries(builds),
    newest: Object.fromEntries(builds.map(([name, { version }]) => [name, version.match(/^\d+\.\d+/)?.[0]])),
  };
}
