import { cudnnInCondaTorch } from '../builds/condaTorch.ts';
import { officialOnnxruntimeWheel } from '../builds/officialWheels.ts';
import {
  type CondaPackage,
  type Fact,
  type FrameworkBuild,
  knownValue,
  type NvidiaLibrary,
  type RuntimeFramework,
} from '../facts/facts.ts';
import type { Machine } from '../machine/machine.ts';
import { wheelVersion } from './libraries.ts';
import { known, unknownFact } from './readFact.ts';
import type { InstalledPackages } from './sitePackages.ts';

const SOURCE = 'wheels, conda, library path, toolkits and system folders';

/**
 * The cuDNN that a framework loads, according to files: null if not installed or not a CUDA build.
 *
 * The order of the places differs. Torch's wheels and JAX's plug-ins have an RPATH to NVIDIA's wheels, which the
 * library path cannot override. TensorFlow's have a RUNPATH, which it does override and which keeps the loader from the
 * folder of conda's Python. ONNX Runtime's have neither. TensorFlow's RUNPATH includes NVIDIA's wheels since 2.14, but
 * not in 2.16. Sources: ld.so(8) on RPATH, LD_LIBRARY_PATH and RUNPATH; PyTorch's build scripts (`--force-rpath`);
 * `readelf -d` of the libraries of JAX 0.4.30 to 0.8.0, TensorFlow 2.21 and ONNX Runtime 1.23; ONNX Runtime's page on
 * CUDA (`preload_dlls`).
 */
export function readLoadedCudnn(
  machine: Machine,
  framework: RuntimeFramework,
  buildFact: Fact<FrameworkBuild | null>,
  cudnns: NvidiaLibrary[],
  installed: InstalledPackages,
  condaPackages: CondaPackage[],
): Fact<NvidiaLibrary | null> {
  if ('unknown' in buildFact) return buildFact;
  const build = knownValue(buildFact);
  if (build?.target !== 'cuda') return known(machine, buildFact.source, null);
  const library =
    framework === 'torch'
      ? ofTorch(machine, build, cudnns, installed, condaPackages)
      : firstOf(framework, build, cudnns, installed);
  if (library !== undefined) return known(machine, library.path, library);
  const wheel = framework === 'onnxruntime' ? ofWheel(build, cudnns, installed) : undefined;
  return wheel === undefined
    ? unknownFact(machine, SOURCE, 'absent', `no cuDNN found that ${build.name} would load`)
    : unknownFact(
        machine,
        wheel.path,
        'notApplicable',
        `${build.name} finds ${wheel.package} only after onnxruntime.preload_dlls() or after torch is imported`,
      );
}

/**
 * A build with a copy in `torch/lib` uses it; builds since torch 2.0 for Linux have NVIDIA's wheel for their CUDA
 * version on their RPATH; conda's use the environment's; any other one is found like the dynamic linker does.
 */
function ofTorch(
  machine: Machine,
  torch: FrameworkBuild,
  cudnns: NvidiaLibrary[],
  installed: InstalledPackages,
  condaPackages: CondaPackage[],
): NvidiaLibrary | undefined {
  const inside = cudnnInCondaTorch(torch, condaPackages);
  if (inside !== undefined)
    return { version: inside, path: machine.path.join(torch.folder, 'torch'), origin: 'torch', package: null };
  const bundled = cudnns.find(({ origin, path }) => origin === 'torch' && path.startsWith(torch.folder));
  return bundled ?? ofWheel(torch, cudnns, installed) ?? ofOrigins(cudnns, ['conda', ...LINKER]);
}

const LINKER: NvidiaLibrary['origin'][] = ['libraryPath', 'toolkit', 'system'];

function firstOf(
  framework: RuntimeFramework,
  build: FrameworkBuild,
  cudnns: NvidiaLibrary[],
  installed: InstalledPackages,
): NvidiaLibrary | undefined {
  // A library with another major version has another name, so the linker skips it.
  const cudnn = build.cudnn ?? (framework === 'onnxruntime' ? officialOnnxruntimeWheel(build)?.cudnn : null);
  const major = cudnn?.match(/^\d{1,2}(?=\.|$)/)?.[0];
  const fitting = cudnns.filter(({ version }) => major === undefined || version.split('.')[0] === major);
  const wheel = ofWheel(build, fitting, installed);
  const [onPath, linked] = [ofOrigins(fitting, ['libraryPath']), ofOrigins(fitting, ['toolkit', 'system'])];
  if (framework === 'onnxruntime') return onPath ?? ofOrigins(fitting, ['conda']) ?? linked;
  // Conda's builds have an RPATH to the environment's libraries.
  const own =
    build.installer === 'conda' ? ofOrigins(fitting, ['conda']) : isPlugin(framework, installed) ? wheel : undefined;
  return own ?? onPath ?? (framework === 'tensorflow' && !findsWheels(build.version) ? undefined : wheel) ?? linked;
}

/** True if TensorFlow finds NVIDIA's wheels by itself. */
export function findsWheels(tensorflow: string): boolean {
  const [major, minor] = tensorflow.split('.').map(Number);
  return major !== undefined && minor !== undefined && major >= 2 && minor >= 14 && minor !== 16;
}

/** True if JAX's plug-in provides CUDA; in older releases, jaxlib itself was built for it. */
function isPlugin(framework: RuntimeFramework, installed: InstalledPackages): boolean {
  return framework === 'jax' && [...installed.keys()].some((name) => /^jax-cuda\d+-plugin$/.test(name));
}

function ofOrigins(cudnns: NvidiaLibrary[], origins: NvidiaLibrary['origin'][]): NvidiaLibrary | undefined {
  for (const origin of origins) {
    const library = cudnns.find((each) => each.origin === origin);
    if (library !== undefined) return library;
  }
  return undefined;
}

function ofWheel(
  build: FrameworkBuild,
  cudnns: NvidiaLibrary[],
  installed: InstalledPackages,
): NvidiaLibrary | undefined {
  const family = build.cuda?.split('.')[0];
  const wheel = installed.get(`nvidia-cudnn-cu${family}`) ?? installed.get('nvidia-cudnn');
  if (wheel === undefined) return undefined;
  return cudnns.find((each) => each.package === wheel.name && each.version === wheelVersion(wheel.version));
}
