import { knownPackage, withSameModules } from '../../published/knownPackages.ts';
import { tensorflowReleaseOf } from '../../published/releases/tensorflowReleases.ts';
import type {
  BuildTarget,
  CondaPackage,
  FrameworkBuild,
  KerasBuild,
  KnownFact,
  Package,
  UnknownFact,
} from '../facts/facts.ts';
import { environmentVariable, type Machine, readTextIfThere } from '../machine/machine.ts';
import { readInstaller } from './metadata.ts';
import { known, unknownFact } from './readFact.ts';
import { findInFolders, type InstalledPackages } from './sitePackages.ts';

type Answer<T> = Promise<KnownFact<T | null> | UnknownFact>;

/** Package names of TensorFlow; all of them install the folder `tensorflow`. */
const tensorflowPackages = () => withSameModules('tensorflow');

/**
 * The installed TensorFlow; its `build_info.py` describes the build: from 2.3 on in a dictionary, before in variables.
 * 1.15 to 2.1 have it in a folder with another name.
 */
export async function readTensorflow(
  machine: Machine,
  folders: string[],
  installed: InstalledPackages,
  condaPackages: CondaPackage[],
): Answer<FrameworkBuild> {
  const [metadata] = installedUnder(installed, tensorflowPackages());
  if (metadata === undefined) return known(machine, folders.join(', '), null);
  const file = ['python', 'platform', 'build_info.py'];
  const info =
    (await findInFolders(machine, [metadata.folder], 'tensorflow', ...file)) ??
    (await findInFolders(machine, [metadata.folder], 'tensorflow_core', ...file));
  const field = (name: string) =>
    info?.text.match(new RegExp(`\\b${name}['"]?\\s*[,:=]\\s*['"]?([\\w.]+)`))?.[1] ?? null;
  const target: BuildTarget | null =
    field('is_cuda_build') === 'True'
      ? 'cuda'
      : field('is_rocm_build') === 'True'
        ? 'rocm'
        : info === undefined
          ? targetOfConda(condaPackages)
          : 'cpu';
  const installer = await readInstaller(machine, installed, metadata.name);
  // The oldest builds record no versions; the versions of PyPI's builds are published.
  const published = installer === null || installer === 'conda' ? undefined : tensorflowReleaseOf(metadata.version);
  const cuda = plainVersion(field('cuda_version') ?? field('cuda_version_number')) ?? published?.cuda ?? null;
  const cudnn = plainVersion(field('cudnn_version') ?? field('cudnn_version_number')) ?? published?.cudnn ?? null;
  return known(machine, info?.path ?? metadata.folder, {
    ...metadata,
    target,
    cuda: target === 'cuda' ? cuda : null,
    rocm: target === 'rocm' ? field('rocm_version') : null,
    cudnn: target === 'cuda' ? cudnn : null,
    architectures: capabilityList(info?.text),
    pinned: [],
    installer,
  });
}

/** "gpu_py36h..." and "cuda112py39..." are CUDA builds; "mkl_py37...", "eigen_py37..." and "cpu_py39..." are not. */
function targetOfConda(condaPackages: CondaPackage[]): BuildTarget | null {
  const builds = condaPackages
    .filter(({ name }) => /^tensorflow(-base|-gpu|-cpu)?$/.test(name))
    .map(({ build }) => build);
  if (builds.some((build) => /^gpu_|cuda/.test(build))) return 'cuda';
  return builds.some((build) => /^(mkl|eigen|cpu)_/.test(build)) ? 'cpu' : null;
}

/** Windows builds record the numbers in the names of the DLLs: "64_112" for 11.2 and "64_8" for 8. */
function plainVersion(recorded: string | null): string | null {
  const digits = recorded?.match(/^64_(\d+)$/)?.[1];
  if (digits === undefined) return recorded;
  return digits.length === 3 ? `${digits.slice(0, 2)}.${digits.slice(2)}` : digits;
}

/** The list of `cuda_compute_capabilities`, with names such as "sm_80" and "compute_90". */
function capabilityList(text: string | undefined): string[] | null {
  const list = text?.match(/['"]cuda_compute_capabilities['"]\s*[,:]\s*\[([^\]]*)\]/)?.[1];
  return list?.match(/\w+/g) ?? null;
}

/** The installed Keras and the backend that importing it would use. Keras 2 only has TensorFlow. */
export async function readKeras(machine: Machine, folders: string[], installed: InstalledPackages): Answer<KerasBuild> {
  const metadata = installed.get('keras');
  if (metadata === undefined) return known(machine, folders.join(', '), null);
  const choice =
    Number.parseInt(metadata.version, 10) < 3 ? { backend: null, backendFrom: null } : await backend(machine);
  const installedBackends = (knownPackage('keras')?.backends ?? []).filter((name) =>
    name === 'tensorflow' ? installedUnder(installed, tensorflowPackages()).length > 0 : installed.has(name),
  );
  return known(machine, metadata.folder, { ...metadata, ...choice, installedBackends });
}

/** Keras 2 as a separate package. */
export async function readTfKeras(machine: Machine, folders: string[], installed: InstalledPackages): Answer<Package> {
  const metadata = installed.get('tf-keras');
  return known(machine, metadata?.folder ?? folders.join(', '), metadata ?? null);
}

async function backend(machine: Machine): Promise<{ backend: string; backendFrom: string }> {
  const variable = environmentVariable(machine, 'KERAS_BACKEND');
  if (variable) return { backend: variable, backendFrom: 'KERAS_BACKEND' };
  const { join } = machine.path;
  const file = join(environmentVariable(machine, 'KERAS_HOME') ?? join(machine.home, '.keras'), 'keras.json');
  try {
    const settings: unknown = JSON.parse((await readTextIfThere(machine, file)) ?? '{}');
    if (typeof settings === 'object' && settings !== null && 'backend' in settings && settings.backend) {
      return { backend: String(settings.backend), backendFrom: file };
    }
  } catch {
    // Keras also ignores a file that it cannot read or parse.
  }
  return { backend: 'tensorflow', backendFrom: 'default' };
}

/** The installed JAX; its plug-ins determine the GPUs that it can use. */
export async function readJax(
  machine: Machine,
  folders: string[],
  installed: InstalledPackages,
  condaPackages: CondaPackage[],
): Answer<FrameworkBuild> {
  const jax = installed.get('jax');
  const jaxlib = installed.get('jaxlib');
  if (jax === undefined) return known(machine, folders.join(', '), null);
  const names = [...installed.keys()].filter((name) => /^jax-(cuda|rocm)\d*-(plugin|pjrt)$|^jax-metal$/.test(name));
  const cuda = names.flatMap((name) => name.match(/^jax-cuda(\d+)-/)?.[1] ?? [])[0];
  const rocm = names.flatMap((name) => name.match(/^jax-rocm(\d+)-/)?.[1] ?? [])[0];
  // Before plug-ins, jaxlib itself was built for CUDA, with a tag: "0.4.7+cuda12.cudnn88".
  const tag = jaxlib?.version.match(/\+cuda(\d+)(?:\.cudnn(\d)(\d*))?/);
  // In conda-forge "cuda129py312h...".
  const [, conda] = condaPackages.find(({ name }) => name === 'jaxlib')?.build.match(/^cuda(\d{2})\d/) ?? [];
  const build = {
    cuda: cuda ?? tag?.[1] ?? conda ?? null,
    rocm: rocm ?? null,
    cudnn: tag?.[2] ? [tag[2], tag[3]].filter(Boolean).join('.') : null,
  };
  const target: BuildTarget =
    build.cuda !== null ? 'cuda' : build.rocm !== null ? 'rocm' : names.includes('jax-metal') ? 'mps' : 'cpu';
  const installer = await readInstaller(machine, installed, jax.name);
  return known(machine, jax.folder, { ...jax, target, ...build, architectures: null, pinned: [], installer });
}

/** Package names of ONNX Runtime. They share one folder, so the one installed last runs. */
const ONNXRUNTIME_PACKAGES = [
  'onnxruntime',
  'onnxruntime-gpu',
  'onnxruntime-rocm',
  'onnxruntime-migraphx',
  'onnxruntime-directml',
  'onnxruntime-openvino',
  'onnxruntime-silicon',
];

/** The installed ONNX Runtime; its folder identifies the package that was installed last. */
export async function readOnnxruntime(
  machine: Machine,
  folders: string[],
  installed: InstalledPackages,
): Answer<FrameworkBuild> {
  const packages = installedUnder(installed, ONNXRUNTIME_PACKAGES);
  if (packages.length === 0) return known(machine, folders.join(', '), null);
  const info = await findInFolders(machine, folders, 'onnxruntime', 'capi', 'build_and_package_info.py');
  const field = (name: string) => info?.text.match(new RegExp(`^${name}\\s*=\\s*['"]([^'"]+)['"]`, 'm'))?.[1] ?? null;
  const running = packages.find(({ name }) => name === field('package_name')) ?? packages[0];
  if (running === undefined) return unknownFact(machine, folders.join(', '), 'unreadable', 'no ONNX Runtime');
  const cuda = field('cuda_version');
  const target: BuildTarget | null =
    cuda !== null || running.name === 'onnxruntime-gpu'
      ? 'cuda'
      : running.name === 'onnxruntime-rocm' || running.name === 'onnxruntime-migraphx'
        ? 'rocm'
        : running.name === 'onnxruntime'
          ? 'cpu'
          : null;
  const others = packages.filter((each) => each !== running).map(({ name, version }) => `${name} ${version}`);
  return known(machine, info?.path ?? running.folder, {
    ...running,
    alsoInstalled: [...running.alsoInstalled, ...others],
    target,
    cuda,
    rocm: null,
    cudnn: field('cudnn_version'),
    architectures: null,
    pinned: [],
    installer: await readInstaller(machine, installed, running.name),
  });
}

function installedUnder(installed: InstalledPackages, names: readonly string[]): Package[] {
  return names.flatMap((name) => installed.get(name) ?? []);
}
