import { globSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/root.ts';
import type { EnvironmentPlan } from '../../server/src/provision/environmentPlan.ts';
import { torchReleaseOf } from '../../server/src/published/releases/torchReleases.ts';
import { type Need, type Needs, needOf } from '../../server/src/solver/needs.ts';
import {
  type Fact,
  type FrameworkBuild,
  knownValue,
  type Package,
  type StackFacts,
} from '../../server/src/stack/facts/facts.ts';
import { forEachFramework, forEachRuntime } from '../../server/src/stack/facts/nothingYet.ts';
import { readStack } from '../../server/src/stack/readStack.ts';
import { loadRecording, recordedMachine } from '../stack/recordedMachine.ts';

const MACHINES = path.join(root, 'test', 'stack', 'machines');

export const machineNames = globSync('*/machine.yaml', { cwd: MACHINES }).map(path.dirname).sort();

const read = new Map<string, Promise<StackFacts>>();

/** The facts of a recorded machine; each is read once. */
export function factsOf(name: string): Promise<StackFacts> {
  const known = read.get(name) ?? readMachine(name);
  read.set(name, known);
  return known;
}

async function readMachine(name: string): Promise<StackFacts> {
  const folder = path.join(MACHINES, name);
  const recording = await loadRecording(folder);
  return readStack({ machine: recordedMachine(folder, recording), folders: recording.folders ?? [] });
}

/** The requirements from the command line. */
export function needsOf(...requirements: string[]): Needs {
  const packages = requirements.map((requirement): Need => {
    const need = needOf(requirement, 'asked for');
    if (need === undefined) throw new Error(requirement);
    return need;
  });
  return { python: null, packages };
}

const known = <T>(value: T): Fact<T> => ({ value, source: 'test', readAt: '' });

/** The same machine with an empty environment and no variables set in the shell. */
export function withEmptyEnvironment(facts: StackFacts): StackFacts {
  return {
    ...facts,
    frameworks: forEachFramework<Fact<null>>(known(null)),
    loadedCudnn: forEachRuntime(() => known(null)),
    runtime: forEachRuntime(() => known(null)),
    nvidiaWheels: known([]),
    packages: known([]),
    distributions: known([]),
    condaPackages: known([]),
    variables: known({}),
    libraryPath: known([]),
    cudaRuntimes: known([]),
    cudnns: known([]),
    projectTool: known(null),
  };
}

/** The same machine after following a plan, according to the plan's versions. */
export function withPlanApplied(facts: StackFacts, plan: EnvironmentPlan): StackFacts {
  const empty = withEmptyEnvironment(facts);
  const frameworks = { ...empty.frameworks };
  const packages: Package[] = [];
  const os = knownValue(facts.os);
  for (const { requirements, index } of plan.installations)
    for (const requirement of requirements) {
      const { name, extras, specifier } = needOf(requirement, '') as Need;
      const version = exactOf(specifier);
      const build = { ...plainBuild, name, version };
      switch (name) {
        case 'torch': {
          const tag = specifier.split('+')[1] ?? index?.match(/[^/]+$/)?.[0] ?? pypiTag(version, os?.family);
          frameworks.torch = known({
            ...build,
            version: `${version}+${tag}`,
            ...targetOf(tag),
            cudnn: torchReleaseOf(version)?.builds.get(tag)?.cudnn ?? null,
          });
          break;
        }
        case 'torchvision':
        case 'torchaudio': {
          const tag = index?.match(/[^/]+$/)?.[0];
          frameworks[name] = known({
            ...build,
            version: tag ? `${version}+${tag}` : version,
            ...(tag && targetOf(tag)),
          });
          break;
        }
        case 'tensorflow':
          frameworks.tensorflow = known({ ...build, target: plan.machine.includes('driver') ? 'cuda' : 'cpu' });
          break;
        case 'jax':
          frameworks.jax = known({
            ...build,
            target: extras.length > 0 ? 'cuda' : 'cpu',
            cuda: extras[0]?.slice(4) ?? null,
          });
          break;
        default:
          // The installed version is unknown for a requirement with only an upper bound.
          if (/[=>]=/.test(specifier)) packages.push({ name, version, folder: '/new', alsoInstalled: [] });
      }
    }
  return { ...empty, frameworks, packages: known(packages), interpreter: withPython(facts, plan) };
}

const plainBuild: FrameworkBuild = {
  name: '',
  version: '',
  folder: '/new',
  alsoInstalled: [],
  target: null,
  cuda: null,
  rocm: null,
  cudnn: null,
  architectures: null,
  pinned: [],
  installer: 'pip',
};

function targetOf(tag: string): Pick<FrameworkBuild, 'target' | 'cuda' | 'rocm'> {
  if (tag.startsWith('cu')) return { target: 'cuda', cuda: `${tag.slice(2, -1)}.${tag.slice(-1)}`, rocm: null };
  if (tag.startsWith('rocm')) return { target: 'rocm', cuda: null, rocm: tag.slice(4) };
  return { target: tag === 'cpu' || tag === 'mps' || tag === 'xpu' ? tag : null, cuda: null, rocm: null };
}

/** "2.21.0" for "==2.21.*", "0.10.2" for ">=0.10.2,<0.11.1". */
function exactOf(specifier: string): string {
  const [version = '1'] = specifier.match(/\d+(?:\.\d+)*(?:\.post\d+)?/) ?? [];
  return version.split('.').length < 3 ? `${version}.0` : version;
}

function pypiTag(version: string, family: string | undefined): string {
  if (family === 'macos') return 'mps';
  return family === 'windows' ? 'cpu' : (torchReleaseOf(version)?.pypi ?? 'cpu');
}

function withPython({ interpreter }: StackFacts, { python }: EnvironmentPlan): StackFacts['interpreter'] {
  const value = knownValue(interpreter);
  if (value === undefined || python === null) return interpreter;
  return known({ ...value, version: python.version, environment: 'venv' });
}
