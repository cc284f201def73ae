import type { Build } from '../fit/build.ts';
import { installedBuild } from '../fit/installed.ts';
import { type NvidiaTarget, nvidiaTargetOf, type Target } from '../fit/target.ts';
import { type Distribution, knownValue, type StackFacts } from '../stack/facts/facts.ts';
import { pythonMinor } from '../stack/facts/installed.ts';
import { RUNTIME_FRAMEWORKS } from '../stack/facts/nothingYet.ts';

/** The machine and the environment that a command is for, as far as they are known. */
export interface CommandTarget extends Target {
  readonly gpu: NvidiaTarget;
  /** True if the text shows the prompt of cmd.exe; Windows means PowerShell otherwise. */
  readonly isCmd?: boolean;
  /** Undefined if unknown. */
  readonly isWsl?: boolean;
  /** Major and minor version: "3.8". */
  readonly python?: string;
  /** The frameworks that a command may replace, by name: "torch", "tensorflow". */
  readonly installed: Readonly<Record<string, Build | undefined>>;
  /**
   * The newest possible release of a framework, according to what is installed or what a text shows: "1.8" for
   * "tensorflow".
   */
  readonly newest: Readonly<Record<string, string | undefined>>;
  /**
   * The versions of installed toolkits, such as "12.1": a torch for one of them may be intended for compiling with it.
   */
  readonly toolkits?: readonly string[];
  /** The installed distributions, which share the folders of those that a command installs. */
  readonly distributions?: readonly Pick<Distribution, 'name' | 'version'>[];
  /** True if the machine is known to have no NVIDIA GPU. */
  readonly lacksGpu?: boolean;
  /** True if nothing is installed yet: an environment that the same line creates. */
  readonly isNew?: boolean;
}

/** A machine without known facts. */
export const UNKNOWN_TARGET: CommandTarget = {
  gpu: { kind: 'cuda', gpus: [], driver: undefined, system: 'linux', cuda: undefined },
  installed: {},
  newest: {},
};

const FAMILIES = ['linux', 'macos', 'windows'] as const;
const ARCHITECTURES = ['x64', 'arm64'] as const;

/** Returns the target described by facts. */
export function commandTargetOf(facts: StackFacts): CommandTarget {
  const os = knownValue(facts.os);
  const wsl = knownValue(facts.wsl);
  const builds = RUNTIME_FRAMEWORKS.flatMap((name) => {
    const build = installedBuild(facts, name);
    return build ? [[name, build] as const] : [];
  });
  return {
    os: FAMILIES.find((each) => each === os?.family),
    architecture: ARCHITECTURES.find((each) => each === os?.architecture),
    isWsl: wsl === undefined ? undefined : wsl !== null,
    toolkits: (knownValue(facts.toolkits) ?? []).flatMap(({ version }) => version?.match(/^\d+\.\d+/)?.[0] ?? []),
    python: pythonMinor(facts),
    gpu: nvidiaTargetOf(facts),
    installed: Object.fromEntries(builds),
    distributions: knownValue(facts.distributions),
    lacksGpu:
      knownValue(facts.gpus)?.length === 0 &&
      knownValue(facts.driver) === undefined &&
      knownValue(facts.pciGpus)?.every((each) => each.vendor !== 'nvidia'),
    newest: Object.fromEntries(builds.map(([name, { version }]) => [name, version.match(/^\d+\.\d+/)?.[0]])),
  };
}
