import { extensionTag } from '../../published/extensionTag.ts';
import { cataloguedNames, gpuPackageFiles, gpuPackages } from '../../published/gpuPackages.ts';
import { isCondaNameOfPackage, knownPackage } from '../../published/knownPackages.ts';
import { satisfies } from '../../published/specifier.ts';
import type { BuiltFor, CondaPackage, Interpreter, Package } from '../facts/facts.ts';
import { listIfThere, listUnlessAbsent, type Machine, readTextIfThere } from '../machine/machine.ts';
import { metadataFile, readOfMetadata } from './metadata.ts';
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
async function readPackageCode(
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

/**
 * The build of its compiled code: from its own file, otherwise from the local tag of its version, otherwise from the
 * wheel that was named at installation.
 */
async function readBuiltFor(
  machine: Machine,
  installed: InstalledPackages,
  each: Package,
): Promise<BuiltFor | undefined> {
  const said = await saidByFile(machine, each);
  if (said !== undefined) return said;
  const { name, version } = each;
  if (version.includes('+') || !gpuPackages().extensions.includes(name)) {
    return builtForTag(version.split('+')[1] ?? '', `${name}-${version}`);
  }
  const wheel = await wheelNamed(machine, installed, name);
  return wheel && builtForTag(wheel.name.split('+')[1]?.split('-')[0] ?? '', wheel.source);
}

async function saidByFile(machine: Machine, { name, folder }: Package): Promise<BuiltFor | undefined> {
  const row = gpuPackageFiles()[name]?.built_for;
  if (row === undefined) return undefined;
  const source = machine.path.join(folder, ...row.file.split('/'));
  const text = (await readTextIfThere(machine, source).catch(() => undefined)) ?? '';
  const torch = text.match(row.torch)?.[1];
  if (torch === undefined || (row.where !== undefined && text.match(row.where) === null)) return undefined;
  return { torch, cuda: row.cuda === undefined ? cudaOf(torch) : (text.match(row.cuda)?.[1] ?? null), source };
}

/** The wheel that was installed by URL, as recorded by PEP 610. */
async function wheelNamed(
  machine: Machine,
  installed: InstalledPackages,
  name: string,
): Promise<{ name: string; source: string } | undefined> {
  const text = await readOfMetadata(machine, installed, name, 'direct_url.json');
  const wheel = text?.match(/"url": *"[^"]*\/([^"/]+\.whl)["#?]/)?.[1]?.replaceAll(/%2B/gi, '+');
  return wheel === undefined
    ? undefined
    : { name: wheel, source: metadataFile(machine, installed, name, 'direct_url.json') ?? wheel };
}

function builtForTag(local: string, source: string): BuiltFor | undefined {
  const { torch = null, build = '' } = extensionTag(local);
  const cuda = cudaOf(build);
  return torch === null && cuda === null ? undefined : { torch, cuda, source };
}

/** "12.1" for "cu121", "12" for "cu12", "9.2" for "cu92". */
function cudaOf(tag: string): string | null {
  const digits = tag.match(/cu(\d{2,3})/)?.[1];
  if (digits === undefined) return null;
  if (digits.length === 3) return `${digits.slice(0, 2)}.${digits.slice(2)}`;
  return digits === '92' ? '9.2' : digits;
}
