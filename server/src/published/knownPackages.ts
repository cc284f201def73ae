/** Looks up the files of packages, by package and by module. */
import { gpuPackageFiles } from './gpuPackages.ts';
import type { GpuPackage } from './packageSchema.ts';
import { computedOnce } from './remembering.ts';

/** Returns the file of a package; undefined if it has none. */
export function knownPackage(name: string): GpuPackage | undefined {
  const files = gpuPackageFiles();
  return Object.hasOwn(files, name) ? files[name] : undefined;
}

/** A package by its name, with its file. */
interface KnownPackage {
  readonly name: string;
  readonly file: GpuPackage;
}

/** Returns the packages whose file has a key, sorted by name. */
export function packagesWith(key: keyof GpuPackage): readonly KnownPackage[] {
  return Object.entries(gpuPackageFiles()).flatMap(([name, file]) => (file[key] === undefined ? [] : [{ name, file }]));
}

const installedByName = computedOnce(() => {
  const named = packagesWith('by_name');
  return new Map(
    named.flatMap(({ name, file }) => (file.imports ?? []).map((module) => [module, file.spelled ?? name])),
  );
});

/**
 * Returns the package that installs a module, if `pip install` with that name is sufficient; a guess could name an
 * unrelated package.
 */
export function distributionOf(module: string): string | undefined {
  return installedByName().get(module);
}

const computing = computedOnce(
  () =>
    new Map(packagesWith('computes').flatMap(({ name, file }) => (file.imports ?? []).map((module) => [module, name]))),
);

/** Returns the packages that compute on GPUs, or use packages that do, by module. */
export function computingModules(): ReadonlyMap<string, string> {
  return computing();
}

/** True if a package computes on GPUs, or uses a package that does. */
export function computesOnGpus(name: string): boolean {
  return knownPackage(name)?.computes === true;
}

/** Returns the framework of a package. Every package whose name begins with `torch-` is an add-on to torch. */
export function frameworkOf(name: string): string | undefined {
  return knownPackage(name)?.needs ?? (name.startsWith('torch-') ? 'torch' : undefined);
}

const plannedNames = computedOnce(
  () =>
    new Map(
      packagesWith('also_called').flatMap(({ name, file }) => (file.also_called ?? []).map((other) => [other, name])),
    ),
);

/** Returns the name that plans use for a package with several names. */
export function plannedName(name: string): string {
  return plannedNames().get(name) ?? name;
}

const sameModules = computedOnce(() => {
  const groups = packagesWith('same_modules').map(({ name, file }) => [name, ...(file.same_modules ?? [])]);
  return new Map(groups.toReversed().flatMap((group) => group.map((each) => [each, group] as const)));
});

/** Returns the packages that install the same modules, the given one first. */
export function withSameModules(name: string): readonly string[] {
  return [name, ...(sameModules().get(name) ?? [])];
}

const cudaBringers = computedOnce(() => packagesWith('brings_cuda').map(({ name }) => name));

/** True if a package, or the package that it is a variant of, installs or loads CUDA libraries from wheels. */
export function bringsCuda(name: string): boolean {
  return cudaBringers().some((each) => name.startsWith(each));
}

/** True for torch and the packages that have a build for each of its builds. */
export function hasBuildsOfTorch(name: string): boolean {
  return knownPackage(name)?.builds_of_torch === true;
}

const torchDevices = computedOnce(
  () => new Map(packagesWith('torch_device').map(({ name, file }) => [file.torch_device ?? '', name])),
);

/** The package that adds a kind of device to torch, by torch's tag for tensors on it ("xla"). */
export function packageOfTorchDevice(kind: string): string | undefined {
  return torchDevices().get(kind);
}

/** The names of a package and its variants: tensorflow, tensorflow-gpu and tensorflow-cpu. */
export function withEditions(name: string): readonly string[] {
  return [name, ...(knownPackage(name)?.editions ?? [])];
}

const editions = computedOnce(
  () =>
    new Map(packagesWith('editions').flatMap(({ name, file }) => (file.editions ?? []).map((each) => [each, name]))),
);

/** The package that a name is a variant of: "tensorflow" for "tensorflow-gpu"; other names are unchanged. */
export function editionOf(name: string): string {
  return editions().get(name) ?? name;
}

/** conda's name of a package, such as "pytorch" for "torch"; undefined if it is the package's own name. */
export function condaNameOf(name: string): string | undefined {
  const [conda] = condaNamesOf(name);
  return conda === name ? undefined : conda;
}

/** conda's names of a package: pytorch, pytorch-gpu and pytorch-cpu. */
export function condaNamesOf(name: string): readonly string[] {
  return knownPackage(name)?.conda ?? [];
}

/** The package with that name in conda; undefined for other names, and for parts of packages. */
export function packageOfConda(name: string): KnownPackage | undefined {
  return packagesWith('conda').find(({ file }) =>
    file.conda?.some((each) => (each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : each === name)),
  );
}

const condaParts = computedOnce(
  () => new Set(packagesWith('conda_parts').flatMap(({ file }) => file.conda_parts ?? [])),
);

/** True for conda's name of a framework or a part of it. */
export function isCondaNameOfPackage(name: string): boolean {
  return packageOfConda(name) !== undefined || condaParts().has(name);
}

const filesByModule = computedOnce(
  () =>
    new Map(
      Object.values(gpuPackageFiles()).flatMap((file) => (file.imports ?? []).map((module) => [module, file] as const)),
    ),
);

/** The file of the package that installs a top-level module. */
export function packageOfModule(module: string): GpuPackage | undefined {
  return filesByModule().get(module);
}

/** True for a module whose package computes with a framework, or imports it. */
export function importsFramework(module: string, framework: 'torch' | 'keras'): boolean {
  const file = packageOfModule(module);
  return file?.needs === framework || file?.uses?.includes(framework) === true;
}

const gpuFiles = computedOnce(() => packagesWith('gpu_files').flatMap(({ file }) => file.gpu_files ?? []));

/** True for the path of a source file that is only used for GPUs: ".../site-packages/torch/cuda/__init__.py". */
export function isGpuFile(path: string): boolean {
  const plain = path.replaceAll('\\', '/');
  return gpuFiles().some((each) => {
    const at = plain.indexOf(`/${each}`);
    return at >= 0 && !/^\w/.test(plain.slice(at + each.length + 1));
  });
}
