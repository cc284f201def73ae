import { normalized } from '../../published/packageName.ts';
import { type FrameworkBuild, knownValue, type RuntimeFramework, type StackFacts } from './facts.ts';
import { RUNTIME_FRAMEWORKS } from './nothingYet.ts';

export interface InstalledFramework {
  framework: RuntimeFramework;
  build: FrameworkBuild;
  /** "torch 2.9.0+cu130". */
  title: string;
  source: string;
}

/** The installed frameworks that can use a GPU. */
export function installedFrameworks({ frameworks }: StackFacts): InstalledFramework[] {
  return RUNTIME_FRAMEWORKS.flatMap((framework) => {
    const build = knownValue(frameworks[framework]);
    if (!build) return [];
    return [{ framework, build, title: `${build.name} ${build.version}`, source: frameworks[framework].source }];
  });
}

/** The minor version of the interpreter: "3.12". */
export function pythonMinor({ interpreter }: StackFacts): string | undefined {
  return knownValue(interpreter)?.version?.match(/^\d+\.\d+/)?.[0];
}

/** The version of another package, by any spelling of its name. */
export function packageVersion(facts: StackFacts | undefined, packageName: string): string | undefined {
  const packages = (facts && knownValue(facts.packages)) ?? [];
  return packages.find(({ name }) => normalized(name) === normalized(packageName))?.version;
}

export function builtForCuda(facts: StackFacts): InstalledFramework[] {
  return installedFrameworks(facts).filter(({ build }) => build.target === 'cuda');
}

/** True if a framework was run and lists a GPU, which shows that driver, device files and services work. */
export function seesGpu({ runtime }: StackFacts): boolean {
  return Object.values(runtime).some((fact) => Boolean(knownValue(fact)?.devices.length));
}
