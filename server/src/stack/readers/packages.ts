import { cataloguedNames, gpuPackages } from '../../published/gpuPackages.ts';
import { isCondaNameOfPackage, knownPackage } from '../../published/knownPackages.ts';
import { satisfies } from '../../published/specifier.ts';
import type { CondaPackage, Interpreter, Package } from '../facts/facts.ts';
import { listIfThere, listUnlessAbsent, type Machine } from '../machine/machine.ts';
import { readBuiltFor } from './builtFor.ts';
import type { InstalledPackages } from './sitePackages.ts';

/** NVIDIA's own wheels with CUDA libraries for frameworks; its management tools and Python bindings are excluded. */
export function nvidiaWheels(installed: InstalledPackages): Package[] {
  return select(installed, isNvidiaWheel);
}

/** True if a package is one of them. */
export function isNvidiaWheel(name: string): boolean {
  return /^nvidia-(?!ml-py|pyindex|dali|smi|modelopt)/.test(name) || name === 'cuda-toolkit';
}

/** The packages that matter to the stack besides frameworks and NVIDIA's wheels. */
export function relatedPackages(machine: Machine, installed: InstalledPackages): Promise<Package[]> {
  const found = select(installed, isRelatedPackage);
  return Promise.all(
    found.map(async (each) => {
      const [builtFor, gpuCode] = await Promise.all([
        readBuiltFor(machine, installed, each),
        readPackageCode(machine, each),
      ]);
      return { ...each, ...(builtFor && { builtFor }), ...(gpuCode && { gpuCode }) };
    }),
  );
}

/** True if a package is one of them. */
export function isRelatedPackage(name: string): boolean {
  if (knownPackage(name)?.related || cataloguedNames().has(name)) return true;
  return /^(jax-(cuda|rocm)|jax-metal|cupy|pytorch-triton|cuda-python|rapids)/.test(name);
}

function select(installed: InstalledPackages, wanted: (name: string) => boolean): Package[] {
  return [...installed.values()]
    .filter(({ name }) => wanted(name))
    .sort((left, right) => left.name.localeCompare(right.name, 'en'));
}

/** Names of CUDA libraries and compilers in conda. */
const CONDA_CUDA = /^(cuda(toolkit|-.*)?|cpuonly|cudnn|libcudnn.*|libcu(blas|fft|rand|solver|sparse).*|libnv.*|nccl)$/;

/** True if a package with that name in conda is a part of CUDA or a framework. */
export function isCondaPackageOfStack(name: string): boolean {
  return CONDA_CUDA.test(name) || isCondaNameOfPackage(name);
}

/** The conda packages that contain CUDA or frameworks, by the file names in `conda-meta`. */
export async function readCondaPackages(
  machine: Machine,
  interpreter: Interpreter | undefined,
): Promise<CondaPackage[]> {
  if (interpreter?.environment !== 'conda') return [];
  const names = await listIfThere(machine, machine.path.join(interpreter.prefix, 'conda-meta'));
  return names.sort().flatMap((file) => {
    const [, name, version, build] = file.match(/^(.+)-([^-]+)-([^-]+)\.json$/) ?? [];
    if (name === undefined || version === undefined || build === undefined || !isCondaPackageOfStack(name)) return [];
    return [{ name, version, build }];
  });
}

/**
 * The files with a package's GPU code, if the catalogue knows their names. Undefined if only metadata is installed, as
 * in an editable installation.
 */
export async function readPackageCode(
  machine: Machine,
  { name, version, folder }: Package,
): Promise<Package['gpuCode'] | undefined> {
  const row = gpuPackages().code.find((each) => each.name === name && satisfies(version, each.versions));
  if (row === undefined) return undefined;
  const list = (place: string) => listUnlessAbsent(machine, place).catch(() => undefined);
  const imported = row.folder.split('/')[0] || name.replaceAll('-', '_');
  const place = machine.path.join(folder, ...row.folder.split('/'));
  const names = (await list(folder))?.includes(imported) ? await list(place) : undefined;
  if (names === undefined) return undefined;
  return { files: names.filter((each) => new RegExp(row.file).test(each)).sort(), folder: place };
}
