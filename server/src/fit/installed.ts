import { gpuCodeOf } from '../stack/builds/gpuCode.ts';
import { type FrameworkBuild, knownValue, type RuntimeFramework, type StackFacts } from '../stack/facts/facts.ts';
import type { Build } from './build.ts';

/** An installed framework. */
interface InstalledBuild extends Build {
  readonly version: string;
  readonly target: FrameworkBuild['target'];
}

/** Returns an installed framework as a build; undefined if it is not known to be installed. */
export function installedBuild(facts: StackFacts, framework: RuntimeFramework): InstalledBuild | undefined {
  const installed = knownValue(facts.frameworks[framework]);
  if (!installed) return undefined;
  const { name, version, target, cuda, rocm } = installed;
  const code = gpuCodeOf(facts, framework)?.value;
  return { name, title: `${name} ${version}`, version, target, cuda, rocm, code, cudnn: null, isInstalled: true };
}
