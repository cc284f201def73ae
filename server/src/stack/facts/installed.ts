import { normalized } from '../../published/packageName.ts';
import { type FrameworkBuild, knownValue, type RuntimeFramework, type StackFacts } from './facts.ts';

/** A framework that is known to be installed. */
export interface InstalledFramework {
  framework: RuntimeFramework;
  build: FrameworkBuild;
  /** "torch 2.9.0+cu130". */
  title: string;
  source: string;
}

/** The installed ones of those frameworks that can use a GPU. */
export function installedFrameworks({ frameworks }: StackFacts): InstalledFramework[] {
  return (['torch', 'tensorflow', 'jax', 'onnxruntime'] as const).flatMap((framework) => {
    const build = knownValue(frameworks[framework]);
    if (!build) return [];
    return [{ framework, build, title: `${build.name} ${build.version}`, source: frameworks[framework].source }];
  });
}

/** The version of a package beside the frameworks, by whatever spelling of its name. */
export function packageVersion(facts: StackFacts | undefined, packageName: string): string | undefined {
  const packages = (facts && knownValue(facts.packages)) ?? [];
  return packages.find(({ name }) => normalized(name) === normalized(packageName))?.version;
}

export function builtForCuda(facts: StackFacts): InstalledFramework[] {
  return installedFrameworks(facts).filter(({ build }) => build.target === 'cuda');
}

/** Whether a framework was asked and lists a GPU: driver, device files and services are well, then. */
export function seesGpu({ runtime }: StackFacts): boolean {
  return Object.values(runtime).some((fact) => Boolean(knownValue(fact)?.devices.length));
}
