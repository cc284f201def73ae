import {
  type Fact,
  type FrameworkBuild,
  isUnknown,
  knownValue,
  type Package,
  type StackFacts,
} from '../../stack/facts/facts.ts';
import type { FrameworkName, RecordedFramework, RecordedGpu, RecordedStack } from './recordedStack.ts';

/**
 * Returns the parts of a stack that matter to a project, in a fixed order, without names of machines, users, folders or
 * devices. Omits what is unknown. Also accepts facts that another version of GPU Doctor printed, which may lack a
 * field.
 */
export function recordStack(facts: StackFacts): RecordedStack {
  const system = systemOf(facts);
  const gpus = gpusOf(facts);
  const frameworks = frameworksOf(facts);
  const packages = packagesOf(facts);
  return {
    format: '1',
    ...(Object.keys(system).length > 0 && { system }),
    ...optional('driver', known(facts.driver)),
    ...optional('driver-cuda', known(facts.driverCuda)),
    ...(gpus && { gpus }),
    ...optional('python', known(facts.interpreter)?.version),
    ...(Object.keys(frameworks).length > 0 && { frameworks }),
    ...(Object.keys(packages).length > 0 && { packages }),
  };
}

/** The value of a field that may be missing. */
const known = <T>(fact: Fact<T> | undefined): T | undefined => (fact === undefined ? undefined : knownValue(fact));

const optional = <K extends string>(key: K, value: string | null | undefined): Partial<Record<K, string>> =>
  value ? ({ [key]: value } as Record<K, string>) : {};

function systemOf({ os, wsl, container }: StackFacts): NonNullable<RecordedStack['system']> {
  const about = known(os);
  const version = known(wsl);
  return {
    ...optional('os', about?.name ?? about?.family),
    ...optional('architecture', about?.architecture),
    ...optional('wsl', version ? String(version) : undefined),
    ...optional('container', known(container)),
  };
}

/** Reasons that are equivalent to an empty list. */
const NO_GPU = ['absent', 'notApplicable', 'driverNotRunning'];

function gpusOf({ gpus, otherAccelerators }: StackFacts): RecordedGpu[] | undefined {
  const nvidia = known(gpus);
  if (!nvidia && !(gpus && isUnknown(gpus) && NO_GPU.includes(gpus.cause))) return undefined;
  const own = (nvidia ?? []).map(({ name, memoryTotal, computeCapability, migInstances }) => ({
    name,
    ...optional('memory', inGibibytes(memoryTotal)),
    ...optional('compute-capability', computeCapability),
    ...optional('mig', counted((migInstances ?? []).map(({ profile }) => profile))),
  }));
  const others = (known(otherAccelerators) ?? []).flatMap(({ vendor, devices }) =>
    (devices ?? []).length > 0
      ? devices.map(({ name, memoryTotal }) => ({ name, ...optional('memory', inGibibytes(memoryTotal)) }))
      : [{ name: { apple: 'Apple GPU', amd: 'AMD GPU', intel: 'Intel GPU' }[vendor] }],
  );
  return grouped([...own, ...others]);
}

/** Rounds memory: drivers report some MiB more or less for the same GPU. */
const inGibibytes = (mebibytes: number | null): string | undefined =>
  mebibytes === null ? undefined : `${Math.round(mebibytes / 1024)} GiB`;

function grouped(gpus: readonly RecordedGpu[]): RecordedGpu[] {
  const groups = new Map<string, { gpu: RecordedGpu; count: number }>();
  for (const gpu of gpus) {
    const key = JSON.stringify(gpu);
    groups.set(key, { gpu, count: (groups.get(key)?.count ?? 0) + 1 });
  }
  return [...groups.values()].map(({ gpu: { name, ...rest }, count }) => ({
    name,
    ...(count > 1 && { count: String(count) }),
    ...rest,
  }));
}

/** "7 × 1g.5gb", "1 × 3g.20gb, 4 × 1g.5gb" */
function counted(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${count} × ${name}`).join(', ');
}

const BUILDS = { cpu: 'CPU', cuda: 'CUDA', rocm: 'ROCm', xpu: 'XPU', mps: 'MPS' } as const;

function frameworksOf({ frameworks, loadedCudnn }: StackFacts): Partial<Record<FrameworkName, RecordedFramework>> {
  const built = (fact: Fact<FrameworkBuild | null> | undefined, cudnn?: string): RecordedFramework | undefined => {
    const build = known(fact);
    if (!build) return undefined;
    const target = build.target && `${BUILDS[build.target]} ${build.cuda ?? build.rocm ?? ''}`.trim();
    return { version: build.version, ...optional('build', target), ...optional('cudnn', cudnn) };
  };
  const cudnnOf = (name: keyof StackFacts['loadedCudnn']) => known(loadedCudnn?.[name])?.version;
  const keras = known(frameworks?.keras);
  const legacy = known(frameworks?.tfKeras);
  const found: [FrameworkName, RecordedFramework | undefined][] = [
    ['torch', built(frameworks?.torch, cudnnOf('torch'))],
    ['torchvision', built(frameworks?.torchvision)],
    ['torchaudio', built(frameworks?.torchaudio)],
    ['tensorflow', built(frameworks?.tensorflow, cudnnOf('tensorflow'))],
    ['keras', keras ? { version: keras.version, ...optional('backend', keras.backend) } : undefined],
    ['tf-keras', legacy ? { version: legacy.version } : undefined],
    ['jax', built(frameworks?.jax, cudnnOf('jax'))],
    ['onnxruntime', built(frameworks?.onnxruntime)],
  ];
  return Object.fromEntries(found.flatMap(([name, framework]) => (framework ? [[name, framework]] : [])));
}

function packagesOf({ nvidiaWheels, packages, condaPackages }: StackFacts): Record<string, string> {
  const all: Pick<Package, 'name' | 'version'>[] = [
    ...(known(condaPackages) ?? []),
    ...(known(packages) ?? []),
    ...(known(nvidiaWheels) ?? []),
  ];
  const versions = new Map(all.map(({ name, version }) => [name, version]));
  return Object.fromEntries([...versions].sort(([a], [b]) => (a < b ? -1 : 1)));
}
