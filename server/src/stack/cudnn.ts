import type { CudaToolkit, CudnnLibrary, FrameworkBuild, Interpreter } from './facts.ts';
import { environmentVariable, listIfThere, type Machine, readTextIfThere } from './machine.ts';
import type { InstalledPackages } from './sitePackages.ts';

/** Where the dynamic linker of the usual distributions looks by itself. */
const SYSTEM_FOLDERS = [
  '/usr/local/lib',
  '/usr/lib/x86_64-linux-gnu',
  '/usr/lib/aarch64-linux-gnu',
  '/usr/lib64',
  '/usr/lib',
];
const SYSTEM_HEADERS = ['/usr/include', '/usr/include/x86_64-linux-gnu', '/usr/include/aarch64-linux-gnu'];

/**
 * Every cuDNN that could be loaded: from NVIDIA's wheels, inside torch, in the conda environment, on LD_LIBRARY_PATH,
 * in a toolkit and in the system's folders, in about the order in which they win.
 */
export async function findCudnns(
  machine: Machine,
  interpreter: Interpreter | undefined,
  installed: InstalledPackages,
  toolkits: CudaToolkit[],
): Promise<CudnnLibrary[]> {
  const { join } = machine.path;
  const windows = machine.platform === 'win32';
  const found: CudnnLibrary[] = [];
  const add = (library: CudnnLibrary | undefined) => {
    if (library !== undefined && !found.some(({ path }) => path === library.path)) found.push(library);
  };

  for (const { name, version, folder } of installed.values()) {
    // The fourth part of a wheel's version is a build number.
    const short = version.split('.').slice(0, 3).join('.');
    if (/^nvidia-cudnn(-cu\d+)?$/.test(name)) {
      add({ version: short, path: join(folder, 'nvidia', 'cudnn'), origin: 'wheel' });
    }
  }
  for (const folder of interpreter?.sitePackages ?? []) {
    add(await libraryIn(machine, join(folder, 'torch', 'lib'), 'torch'));
  }
  if (interpreter?.environment === 'conda') {
    const folder = windows ? join(interpreter.prefix, 'Library', 'bin') : join(interpreter.prefix, 'lib');
    add(await libraryIn(machine, folder, 'conda'));
  }
  const libraryPath = windows ? '' : (environmentVariable(machine, 'LD_LIBRARY_PATH') ?? '');
  for (const folder of libraryPath.split(':').filter((each) => machine.path.isAbsolute(each))) {
    add(await libraryIn(machine, folder, 'libraryPath'));
  }
  for (const { root } of toolkits) {
    const folder = join(root, windows ? 'bin' : 'lib64');
    add(await libraryIn(machine, folder, 'toolkit', [join(root, 'include')]));
  }
  if (machine.platform === 'linux') {
    for (const folder of SYSTEM_FOLDERS) add(await libraryIn(machine, folder, 'system', SYSTEM_HEADERS));
  }
  return found;
}

/** The cuDNN of a folder of libraries, its version from the longest file name or, where that is short, a header. */
async function libraryIn(
  machine: Machine,
  folder: string,
  origin: CudnnLibrary['origin'],
  headers: string[] = [],
): Promise<CudnnLibrary | undefined> {
  const libraries = (await listIfThere(machine, folder)).flatMap((name) => {
    const version = name.match(/^libcudnn\.so\.(\d+(?:\.\d+)*)$|^cudnn64_(\d+)\.dll$/i);
    return version === null ? [] : [{ name, version: version[1] ?? version[2] ?? '' }];
  });
  const [longest] = libraries.sort((left, right) => right.version.length - left.version.length);
  if (longest === undefined) return undefined;
  const path = machine.path.join(folder, longest.name);
  if (longest.version.includes('.')) return { version: longest.version, path, origin };
  for (const header of headers) {
    const version = await headerVersion(machine, header);
    if (version?.split('.')[0] === longest.version) return { version, path, origin };
  }
  return { version: longest.version, path, origin };
}

async function headerVersion(machine: Machine, folder: string): Promise<string | undefined> {
  const file = machine.path.join(folder, 'cudnn_version.h');
  const text = await readTextIfThere(machine, file).catch(() => undefined);
  const part = (name: string) => text?.match(new RegExp(`^#define\\s+CUDNN_${name}\\s+(\\d+)`, 'm'))?.[1];
  const parts = [part('MAJOR'), part('MINOR'), part('PATCHLEVEL')];
  return parts.includes(undefined) ? undefined : parts.join('.');
}

/**
 * The cuDNN that this torch loads. A build that carries one in `torch/lib` takes that; builds since torch 2.0 for Linux
 * have NVIDIA's wheel for their CUDA family on their library path; conda's take the environment's; any other one is
 * found as the dynamic linker finds it.
 */
export function cudnnOfTorch(
  torch: FrameworkBuild,
  cudnns: CudnnLibrary[],
  installed: InstalledPackages,
): CudnnLibrary | undefined {
  const inFolder = (origin: CudnnLibrary['origin']) => cudnns.find((each) => each.origin === origin);
  const bundled = cudnns.find(({ origin, path }) => origin === 'torch' && path.startsWith(torch.folder));
  if (bundled !== undefined) return bundled;
  const family = torch.cuda?.split('.')[0];
  const wheel = installed.get(`nvidia-cudnn-cu${family}`) ?? installed.get('nvidia-cudnn');
  if (wheel !== undefined) {
    const version = wheel.version.split('.').slice(0, 3).join('.');
    return cudnns.find((each) => each.origin === 'wheel' && each.version === version);
  }
  return inFolder('conda') ?? inFolder('libraryPath') ?? inFolder('toolkit') ?? inFolder('system');
}
