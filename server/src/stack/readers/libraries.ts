import type { CudaToolkit, Interpreter, LibraryPathFolder, NvidiaLibrary } from '../facts/facts.ts';
import { listIfThere, type Machine, readTextIfThere, realPathIfThere } from '../machine/machine.ts';
import { libraryPathVariable, searchFolders, systemLibraryFolders } from './libraryFolders.ts';
import type { InstalledPackages } from './sitePackages.ts';

interface FoundLibraries {
  cudnns: NvidiaLibrary[];
  cudaRuntimes: NvidiaLibrary[];
  libraryPath: LibraryPathFolder[];
  brokenLinks: string[];
}

type Origin = NvidiaLibrary['origin'];
type Kind = 'cudnns' | 'cudaRuntimes';

interface Place {
  folder: string;
  origin: Origin;
  /** Headers with versions that file names lack. */
  headers: string[];
}

/** File names that contain versions. On Windows, cudart has the number "110" for every 11.x and "101" for 10.1. */
const FILE_NAMES: Record<Kind, RegExp> = {
  cudnns: /^libcudnn\.so\.(\d+(?:\.\d+)*)$|^cudnn64_(\d+)\.dll$/i,
  cudaRuntimes: /^libcudart(?:-[0-9a-f]+)?\.so\.(\d+(?:\.\d+)*)$|^cudart64_(\d+)\.dll$/i,
};

/** The wheels that contain them. */
const WHEELS: Record<Kind, RegExp> = {
  cudnns: /^nvidia-cudnn(-cu\d+)?$/,
  cudaRuntimes: /^nvidia-cuda-runtime(-cu\d+)?$/,
};

/** NVIDIA's libraries by the names that the dynamic linker uses. */
const LINKED_NAME =
  /^lib(cuda|cudart|cudnn\w*|cublas(Lt)?|cufft|curand|cusolver|cusparse(Lt)?|nccl|nvrtc|nvJitLink|cupti|nvidia-ml)\.so(\.\d+){1,3}$|^(cudart|cudnn\w*|cublas(Lt)?|cufft|curand|cusolver|cusparse|nvrtc|nvJitLink)(64)?_\w+\.dll$/;

/**
 * Every cuDNN and CUDA runtime that could be loaded: from NVIDIA's wheels, inside torch, in the conda environment, on
 * the library path, in a toolkit and in the system's folders, approximately by precedence.
 */
export async function findLibraries(
  machine: Machine,
  interpreter: Interpreter | undefined,
  installed: InstalledPackages,
  toolkits: CudaToolkit[],
): Promise<FoundLibraries> {
  const found: FoundLibraries = {
    cudnns: ofWheels(machine, installed, 'cudnns'),
    cudaRuntimes: ofWheels(machine, installed, 'cudaRuntimes'),
    libraryPath: [],
    brokenLinks: [],
  };
  const listings = await listEach(machine, await places(machine, interpreter, toolkits));
  for (const { place, names, isRepeated } of listings) {
    const { folder, origin } = place;
    const libraries = origin === 'libraryPath' ? linkedNames(names) : [];
    if (libraries.length > 0) {
      const versions = exactVersions(libraries, names);
      found.libraryPath.push({
        variable: libraryPathVariable(machine),
        folder,
        libraries,
        ...(versions && { versions }),
      });
    }
    if (isRepeated) continue;
    const broken = await brokenLinks(machine, folder, names);
    found.brokenLinks.push(...broken.map((name) => machine.path.join(folder, name)));
    const there = names.filter((name) => !broken.includes(name));
    for (const kind of ['cudnns', 'cudaRuntimes'] as const) {
      const library = await libraryIn(machine, place, there, kind);
      if (library !== undefined) found[kind].push(library);
    }
  }
  return found;
}

/** The names, for both kinds of libraries, that do not point to a file. */
async function brokenLinks(machine: Machine, folder: string, names: string[]): Promise<string[]> {
  const libraries = names.filter((name) => Object.values(FILE_NAMES).some((pattern) => pattern.test(name)));
  const reals = await Promise.all(libraries.map((name) => realPathIfThere(machine, machine.path.join(folder, name))));
  return libraries.filter((_, at) => reals[at] === undefined);
}

/** The names of a library and its links that programs use, with one number or two. */
function linkedNames(names: string[]): string[] {
  const all = names.filter((name) => LINKED_NAME.test(name));
  const isFull = (name: string) => /\.so(\.\d+){3}$/.test(name);
  const stem = (name: string) => name.match(/^.*\.so\.\d+/)?.[0];
  const isLinked = (name: string) =>
    all.some((other) => other !== name && (isFull(name) ? stem(other) === stem(name) : name.startsWith(`${other}.`)));
  return all.filter((name) => !isLinked(name)).sort();
}

function exactVersions(linked: string[], names: string[]): Record<string, string> | undefined {
  const exact = linked.flatMap((name) => {
    const longest = names.find((other) => other.startsWith(`${name}.`));
    const version = longest?.match(/\.so\.(\d+(?:\.\d+)+)$/)?.[1];
    return version === undefined ? [] : [[name, version] as const];
  });
  return exact.length === 0 ? undefined : Object.fromEntries(exact);
}

interface Listing {
  place: Place;
  names: string[];
  /** True if an earlier place is the same folder. */
  isRepeated: boolean;
}

/** System folders are large, and links lead to each of them by several paths. */
async function listEach(machine: Machine, all: Place[]): Promise<Listing[]> {
  const reals = await Promise.all(all.map(({ folder }) => realPathIfThere(machine, folder)));
  return Promise.all(
    all.map(async (place, at) => {
      const real = reals[at];
      const isRepeated = real === undefined || reals.indexOf(real) < at;
      const isWanted = real !== undefined && (!isRepeated || place.origin === 'libraryPath');
      return { place, isRepeated, names: isWanted ? await listIfThere(machine, place.folder) : [] };
    }),
  );
}

function ofWheels(machine: Machine, installed: InstalledPackages, kind: Kind): NvidiaLibrary[] {
  return [...installed.values()]
    .filter(({ name }) => WHEELS[kind].test(name))
    .map(({ name, version, folder }) => ({
      version: wheelVersion(version),
      path: machine.path.join(folder, 'nvidia', wheelFolder(name, version, kind)),
      origin: 'wheel',
      package: name,
    }));
}

/** The fourth part of a wheel's version is a build number. */
export function wheelVersion(version: string): string {
  return version.split('.').slice(0, 3).join('.');
}

/** From CUDA 13 on, the toolkit's wheels share one folder. */
function wheelFolder(name: string, version: string, kind: Kind): string {
  if (kind === 'cudnns') return 'cudnn';
  return /-cu\d+$/.test(name) ? 'cuda_runtime' : `cu${version.split('.')[0]}`;
}

async function places(
  machine: Machine,
  interpreter: Interpreter | undefined,
  toolkits: CudaToolkit[],
): Promise<Place[]> {
  const { join } = machine.path;
  const windows = machine.platform === 'win32';
  const at = (folder: string, origin: Origin, headers: string[] = []): Place => ({ folder, origin, headers });
  const conda = interpreter?.environment === 'conda' ? [interpreter.prefix] : [];
  const headers = ['/usr/include', '/usr/include/x86_64-linux-gnu', '/usr/include/aarch64-linux-gnu'];
  return [
    ...(interpreter?.sitePackages ?? []).map((folder) => at(join(folder, 'torch', 'lib'), 'torch')),
    ...conda.map((prefix) => at(windows ? join(prefix, 'Library', 'bin') : join(prefix, 'lib'), 'conda')),
    ...searchFolders(machine).map((folder) => at(folder, 'libraryPath', [join(folder, '..', 'include')])),
    ...toolkits.flatMap(({ root }) =>
      (windows ? [join('bin', 'x64'), 'bin'] : ['lib64']).map((libraries) =>
        at(join(root, libraries), 'toolkit', [join(root, 'include')]),
      ),
    ),
    ...(await systemLibraryFolders(machine)).map((folder) =>
      at(folder, 'system', [join(folder, '..', 'include'), ...headers]),
    ),
  ];
}

/** The library in a folder, with its version from the longest file name or, if that is short, a header. */
async function libraryIn(
  machine: Machine,
  { folder, origin, headers }: Place,
  names: string[],
  kind: Kind,
): Promise<NvidiaLibrary | undefined> {
  const libraries = names.flatMap((name) => {
    const [, linux, windows] = name.match(FILE_NAMES[kind]) ?? [];
    const version = linux ?? (windows === undefined ? undefined : dllVersion(windows));
    return version === undefined ? [] : [{ name, version }];
  });
  const [longest] = libraries.sort((left, right) => right.version.length - left.version.length);
  if (longest === undefined) return undefined;
  const path = machine.path.join(folder, longest.name);
  const library: NvidiaLibrary = { version: longest.version, path, origin, package: null };
  if (longest.version.includes('.') || kind !== 'cudnns') return library;
  for (const header of headers) {
    const version = await cudnnHeaderVersion(machine, header);
    if (version?.split('.')[0] === longest.version) return { ...library, version };
  }
  return library;
}

function dllVersion(digits: string): string {
  if (digits.length < 3) return digits;
  return digits === '110' ? '11' : `${digits.slice(0, -1)}.${digits.slice(-1)}`;
}

async function cudnnHeaderVersion(machine: Machine, folder: string): Promise<string | undefined> {
  const read = (file: string) => readTextIfThere(machine, machine.path.join(folder, file)).catch(() => undefined);
  // Before version 8, it was in the main header.
  const text = (await read('cudnn_version.h')) ?? (await read('cudnn.h'));
  const part = (name: string) => text?.match(new RegExp(`^#define\\s+CUDNN_${name}\\s+(\\d+)`, 'm'))?.[1];
  const parts = [part('MAJOR'), part('MINOR'), part('PATCHLEVEL')];
  return parts.includes(undefined) ? undefined : parts.join('.');
}
