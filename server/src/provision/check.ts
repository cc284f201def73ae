import { judgeStack } from '../diagnosis/judgeStack.ts';
import { cataloguedNames } from '../published/gpuPackages.ts';
import { fits } from '../published/specifier.ts';
import { type Need, type Needs, withOrigin, written } from '../solver/needs.ts';
import { knownValue, type StackFacts } from '../stack/facts/facts.ts';
import { completeNeeds } from './completeNeeds.ts';

/** The result of checking whether an environment meets the needs. */
export interface EnvironmentCheck {
  readonly version: 1;
  /** Null if the environment cannot be read. */
  readonly isSatisfied: boolean | null;
  /** The inspected interpreter. */
  readonly python: string | null;
  /** Problems, each a sentence. */
  readonly findings: readonly string[];
  /** Packages without any information. */
  readonly notLookedAt: readonly string[];
}

/** Everything that is installed in an environment. */
export interface InstalledEnvironment {
  /** The version of a package, or of one that provides the same modules. */
  readonly versionOf: (name: string) => string | undefined;
  /** Unmet requirements of needed packages, each a sentence. */
  readonly unmet: readonly string[];
}

/**
 * Checks whether the environment in these facts has everything needed, in builds that work on the machine. Facts only
 * include the packages of the stack; `installed` includes all, if the environment can be read.
 */
export function checkInstalled(facts: StackFacts, given: Needs, installed?: InstalledEnvironment): EnvironmentCheck {
  const interpreter = knownValue(facts.interpreter);
  if (interpreter === undefined || knownValue(facts.packages) === undefined) {
    const { source } = facts.interpreter;
    const why = 'unknown' in facts.interpreter ? facts.interpreter.unknown : `its packages are unknown (${source})`;
    return {
      version: 1,
      isSatisfied: null,
      python: null,
      findings: [`There is no environment to check: ${why}.`],
      notLookedAt: [],
    };
  }
  const { needs } = completeNeeds(given);
  const looked = needs.packages.map((need) => ({ need, version: installedVersion(facts, need.name, installed) }));
  const findings = [
    ...pythonFindings(interpreter.version, needs),
    ...looked.flatMap(({ need, version }) => findingsOf(need, version)),
    ...given.packages.flatMap((need) => cpuInstead(facts, need)),
    ...(installed?.unmet ?? []),
    ...judgeStack(facts)
      // The requirements of all installed packages are checked above.
      .filter(({ id, severity }) => severity !== 'information' && !(installed && id === 'requirement-not-met'))
      .map(({ finding }) => finding),
  ];
  const notLookedAt = looked.filter(({ version }) => version === undefined).map(({ need }) => need.name);
  return {
    version: 1,
    isSatisfied: findings.length === 0,
    python: interpreter.path || interpreter.chosenBy,
    findings,
    notLookedAt,
  };
}

function pythonFindings(version: string | null, { python }: Needs): string[] {
  if (python === null || version === null || fits(version, python.specifier)) return [];
  return [`Python is ${version}, but ${withOrigin(`${python.specifier} is needed`, python.because)}.`];
}

function findingsOf(need: Need, version: string | null | undefined): string[] {
  if (version === undefined) return [];
  if (version === null) return [`${withOrigin(`${written(need)} is not installed`, need.because)}.`];
  if (fits(version, need.specifier)) return [];
  return [`${need.name} is ${version}, but ${withOrigin(`${written(need)} is needed`, need.because)}.`];
}

/** True if a GPU build is requested by name or extra, but a CPU build is installed. */
function cpuInstead({ frameworks }: StackFacts, need: Need): string[] {
  const isOfGpu =
    need.name === 'onnxruntime-gpu' || (need.name === 'jax' && need.extras.some((each) => /^cuda/.test(each)));
  const there = isOfGpu ? knownValue(need.name === 'jax' ? frameworks.jax : frameworks.onnxruntime) : undefined;
  if (there?.target !== 'cpu') return [];
  return [
    `${there.name} ${there.version} is built for the CPU, but ${withOrigin(`${written(need)} is needed`, need.because)}.`,
  ];
}

/** Null: known not to be installed; undefined: unknown. */
export function installedVersion(
  { frameworks, packages }: StackFacts,
  name: string,
  installed?: InstalledEnvironment,
): string | null | undefined {
  const { tfKeras, ...others } = frameworks;
  const fact = name === 'tf-keras' ? tfKeras : others[name as keyof typeof others];
  if (fact !== undefined) {
    const value = knownValue(fact);
    return value === undefined ? undefined : (value?.version ?? null);
  }
  const found = knownValue(packages)?.find((each) => each.name === name)?.version;
  if (installed !== undefined) return found ?? installed.versionOf(name) ?? null;
  return found ?? (cataloguedNames().has(name) ? null : undefined);
}
