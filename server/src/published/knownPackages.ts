/** Looks up what the files of packages say, by the name of a package and by that of a module. */
import { gpuPackageFiles } from './gpuPackages.ts';
import type { GpuPackage } from './packageSchema.ts';

/** Answers that are worked out once, since each looks at all files. */
const once = <T>(work: () => T): (() => T) => {
  let answer: { readonly is: T } | undefined;
  return () => {
    answer ??= { is: work() };
    return answer.is;
  };
};

/** What the file of a package says of it; undefined for one that has none. */
export function knownPackage(name: string): GpuPackage | undefined {
  const files = gpuPackageFiles();
  return Object.hasOwn(files, name) ? files[name] : undefined;
}

/** A package by its name, with what its file says. */
export interface KnownPackage {
  readonly name: string;
  readonly file: GpuPackage;
}

/** The packages whose file has something under a key, in the order of their names. */
export function packagesWith(key: keyof GpuPackage): readonly KnownPackage[] {
  return Object.entries(gpuPackageFiles()).flatMap(([name, file]) => (file[key] === undefined ? [] : [{ name, file }]));
}

const installedByName = once(() => {
  const named = packagesWith('by_name');
  return new Map(
    named.flatMap(({ name, file }) => (file.imports ?? []).map((module) => [module, file.spelled ?? name])),
  );
});

/** What pip calls the package of a module, where installing it by that name is all there is to it: a guess could name a stranger's package. */
export function distributionOf(module: string): string | undefined {
  return installedByName().get(module);
}

const computing = once(
  () =>
    new Map(packagesWith('computes').flatMap(({ name, file }) => (file.imports ?? []).map((module) => [module, name]))),
);

/** The packages that compute on GPUs, or with what does, by the modules that they bring. */
export function computingModules(): ReadonlyMap<string, string> {
  return computing();
}

/** True for a package that computes on GPUs, or with what does. */
export function computesOnGpus(name: string): boolean {
  return knownPackage(name)?.computes === true;
}

/** The framework that a package computes with; by their names, all that begin with `torch-` are add-ons to torch. */
export function frameworkOf(name: string): string | undefined {
  return knownPackage(name)?.needs ?? (name.startsWith('torch-') ? 'torch' : undefined);
}

const plannedNames = once(
  () =>
    new Map(
      packagesWith('also_called').flatMap(({ name, file }) => (file.also_called ?? []).map((other) => [other, name])),
    ),
);

/** The name under which an environment is planned for a package that projects also ask for by other names. */
export function plannedName(name: string): string {
  return plannedNames().get(name) ?? name;
}

/** The names of packages that bring the same modules, the given one first. */
export function withSameModules(name: string): readonly string[] {
  const names = packagesWith('same_modules').map((each) => [each.name, ...(each.file.same_modules ?? [])]);
  return [name, ...(names.find((each) => each.includes(name)) ?? [])];
}

const cudaBringers = once(() => packagesWith('brings_cuda').map(({ name }) => name));

/** True for a package that brings, or loads, CUDA's libraries from wheels, and for the variants whose names begin with its name. */
export function bringsCuda(name: string): boolean {
  return cudaBringers().some((each) => name.startsWith(each));
}
