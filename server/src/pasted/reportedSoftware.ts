/** The packages and frameworks of an environment in reports. */

import { knownPackage } from '../published/knownPackages.ts';
import { tensorflowHas } from '../published/releases/tensorflowReleases.ts';
import type { TorchCompanion } from '../published/releases/torchCompanions.ts';
import type { Fact, KnownFact, NvidiaLibrary, Package, StackFacts } from '../stack/facts/facts.ts';
import { forEachFramework, forEachRuntime } from '../stack/facts/nothingYet.ts';
import { wheelVersion } from '../stack/readers/libraries.ts';
import { isCondaPackageOfStack, isNvidiaWheel, isRelatedPackage } from '../stack/readers/packages.ts';
import {
  jaxOf,
  onnxruntimeOf,
  type ReportedEnvironment,
  reportedCompanion,
  reportedKeras,
  tensorflowOf,
  torchOf,
} from './builds.ts';
import type { Report } from './report.ts';
import { first, NEVER, notReported, reported, reportSource } from './reportedFacts.ts';

/** Everything that the reports say about an environment. */
export function environmentOf(
  reports: readonly Report[],
  os: ReportedEnvironment['os'],
  withoutCuda: boolean,
): ReportedEnvironment {
  const packages = new Map<string, Package>();
  for (const report of reports)
    for (const { name, version, builtFor, hasNoGpuCode } of report.packages ?? []) {
      const folder = reportSource(report);
      if (!packages.has(name))
        packages.set(name, {
          name,
          version,
          folder,
          alsoInstalled: [],
          ...(builtFor && { builtFor: { ...builtFor, source: folder } }),
          ...(hasNoGpuCode && { gpuCode: { files: [], folder } }),
        });
    }
  const conda = reports.flatMap((report) => report.conda?.packages ?? []);
  const isConda = reports.some((report) => report.conda !== undefined);
  const hasPipRow = reports.some(
    ({ program, packages: listed }) => program === 'conda list' && listed?.some(({ name }) => name === 'torch'),
  );
  const cudaNamed = first(reports, (report) => report.cudaNamed)?.value;
  const mayBeConda = isConda && !hasPipRow && conda.some(({ name }) => name === 'pytorch');
  const torchCode = first(reports, ({ runtime }) => runtime?.torch?.architectures ?? undefined)?.value ?? null;
  return { os, packages, conda, mayBeConda, cudaNamed, torchCode, jaxLacksCuda: withoutCuda };
}

/** True if a package would be listed if it were installed: a complete list contains all names up to its last one. */
function listedUpTo(reports: readonly Report[]): (name: string) => Report | undefined {
  return (name) => reports.find(({ isWhole, packages }) => isWhole && (packages?.at(-1)?.name ?? '') > name);
}

/** The frameworks of an environment. `usesCuda`: true if TensorFlow searches for CUDA libraries. */
export function reportedFrameworks(
  reports: readonly Report[],
  environment: ReportedEnvironment,
  usesCuda: boolean,
): StackFacts['frameworks'] {
  const whole = listedUpTo(reports);
  const torch = first(reports, ({ builds }) => builds?.torch);
  const tensorflow = first(reports, ({ builds }) => builds?.tensorflow);
  const onnxruntime = first(reports, ({ builds }) => builds?.onnxruntime);
  const ofConda = reports.find((report) => report.conda);
  /** `listedAs`: the last name under which the framework may be listed. */
  const framework = <T>(
    name: string,
    make: (source: string) => T | undefined,
    own?: { source: string },
    listedAs = name,
  ): Fact<T | null> => {
    const source = own?.source ?? environment.packages.get(name)?.folder ?? reportSource(ofConda);
    const value = make(source);
    if (value !== undefined) return { value, source, readAt: NEVER };
    const list = environment.conda.length > 0 ? undefined : whole(listedAs);
    return list ? reported(null, list) : notReported();
  };
  const companion = (name: TorchCompanion) => framework(name, (source) => reportedCompanion(name, environment, source));
  return {
    ...forEachFramework(notReported()),
    torch: framework('torch', (source) => torchOf(torch?.value, environment, source), torch),
    torchvision: companion('torchvision'),
    torchaudio: companion('torchaudio'),
    tensorflow: framework(
      'tensorflow',
      (source) => tensorflowOf(tensorflow?.value, environment, usesCuda, source),
      tensorflow,
      'tensorflow-rocm',
    ),
    jax: framework('jax', (source) => jaxOf(environment, (name) => whole(name) !== undefined, source)),
    onnxruntime: framework(
      'onnxruntime',
      (source) => onnxruntimeOf(onnxruntime?.value, environment, source),
      onnxruntime,
      'onnxruntime-rocm',
    ),
    keras: framework('keras', (source) => reportedKeras(environment, source)),
    tfKeras: framework('tf-keras', () => environment.packages.get('tf-keras')),
  };
}

/** The packages of an environment that matter to the stack. */
export function packagesOf(
  reports: readonly Report[],
  { packages, conda }: ReportedEnvironment,
): Pick<StackFacts, 'nvidiaWheels' | 'packages' | 'condaPackages'> {
  const ofPip = reports.find((report) => report.packages?.length);
  const ofConda = reports.find((report) => report.conda);
  const condas = conda
    .filter(({ name }) => !packages.has(name))
    .map(({ name, version }): Package => ({ name, version, folder: reportSource(ofConda), alsoInstalled: [] }));
  const all = [...packages.values(), ...condas];
  const isFramework = ({ name }: Package) => knownPackage(name)?.framework === true;
  const listed = <T>(report: Report | undefined, rows: T[]): Fact<T[]> =>
    report ? reported(rows, report) : notReported();
  return {
    nvidiaWheels: listed(
      ofPip,
      all.filter(({ name }) => isNvidiaWheel(name)),
    ),
    packages: listed(
      ofPip ?? ofConda,
      all.filter((each) => isRelatedPackage(each.name) && !isFramework(each)),
    ),
    condaPackages: listed(
      ofConda,
      conda.filter(({ name }) => isCondaPackageOfStack(name)),
    ),
  };
}

/** torch's wheels determine NVIDIA's. */
export function loadedCudnnOf(
  { torch, tensorflow }: StackFacts['frameworks'],
  { packages }: ReportedEnvironment,
  said: KnownFact<string> | undefined,
): StackFacts['loadedCudnn'] {
  const build = 'value' in torch ? torch.value : null;
  const family = build?.target === 'cuda' ? build.cuda?.split('.')[0] : undefined;
  const wheel = packages.get(`nvidia-cudnn-cu${family}`);
  const known = {
    ...forEachRuntime<Fact<NvidiaLibrary | null>>(() => notReported()),
    ...ofTensorflow(tensorflow, said),
  };
  if (build === null || build.installer === 'conda' || wheel === undefined || Number(build.version.split('.')[0]) < 2)
    return known;
  const value: NvidiaLibrary = {
    version: wheelVersion(wheel.version),
    path: wheel.folder,
    origin: 'wheel',
    package: wheel.name,
  };
  return { ...known, torch: { value, source: wheel.folder, readAt: NEVER } };
}

/** Releases that do not install NVIDIA's wheels load the system's cuDNN. */
function ofTensorflow(
  fact: StackFacts['frameworks']['tensorflow'],
  said: KnownFact<string> | undefined,
): Partial<StackFacts['loadedCudnn']> {
  const build = 'value' in fact ? fact.value : null;
  if (!said || !build || tensorflowHas('and_cuda', build.version)) return {};
  const value: NvidiaLibrary = { version: said.value, path: said.source, origin: 'system', package: null };
  return { tensorflow: { ...said, value } };
}
