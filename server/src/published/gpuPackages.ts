import { readFolder } from '../dataFiles.ts';
import type { GpuPackage } from './packageSchema.ts';

/** The parts of what is known of a package that are rows. */
type Part =
  | 'torch'
  | 'wheels'
  | 'companions'
  | 'code'
  | 'compiling'
  | 'sources'
  | 'gpus'
  | 'libraries'
  | 'clashes'
  | 'faults';

/** The rows of one part, of all packages. */
type Rows<P extends Part> = (NonNullable<GpuPackage[P]>[number] & { name: string })[];

/** What is known of all packages, by what it is about. */
export type GpuPackages = { readonly [P in Part]: Rows<P> } & {
  readonly extensions: readonly string[];
  readonly one_folder: readonly { names: string[]; folder: string }[];
  readonly families: readonly { name: string; cuda: string }[];
};

let files: Readonly<Record<string, GpuPackage>> | undefined;
let catalogue: GpuPackages | undefined;

/** Each package's file, by its name. */
export function gpuPackageFiles(): Readonly<Record<string, GpuPackage>> {
  files ??= readFolder<GpuPackage>(import.meta.dirname, 'packages');
  return files;
}

/** Where what a file says of its package comes from: "what is known of flash-attn, as of 2026-11". */
export function sourceOf(name: string): string {
  return `what is known of ${name}, as of ${gpuPackageFiles()[name]?.as_of}`;
}

/** What packages with native GPU code need of the stack around them. */
export function gpuPackages(): GpuPackages {
  catalogue ??= {
    torch: rowsOf('torch'),
    wheels: rowsOf('wheels'),
    companions: rowsOf('companions'),
    code: rowsOf('code'),
    compiling: rowsOf('compiling'),
    sources: rowsOf('sources'),
    gpus: rowsOf('gpus'),
    libraries: rowsOf('libraries'),
    clashes: rowsOf('clashes'),
    faults: rowsOf('faults'),
    extensions: all().flatMap(([each, { extension }]) => (extension ? [each] : [])),
    one_folder: all().flatMap(([, { one_folder }]) => one_folder ?? []),
    families: all().flatMap(([each, { family }]) => (family === undefined ? [] : [{ name: each, cuda: family }])),
  };
  return catalogue;
}

function all(): [string, GpuPackage][] {
  return Object.entries(gpuPackageFiles());
}

function rowsOf<P extends Part>(part: P): Rows<P> {
  return all().flatMap(([each, file]) => (file[part] ?? []).map((row) => ({ ...row, name: each }))) as Rows<P>;
}

/** The keys under which a file says what a package needs of the stack. */
const NEEDS = [
  ...(['torch', 'wheels', 'companions', 'code', 'compiling', 'gpus', 'libraries', 'clashes', 'faults'] as const),
  ...(['extension', 'built_for', 'one_folder', 'family'] as const),
];

/** True for a file that says what its package needs of the stack around it. */
export function saysNeeds(file: GpuPackage): boolean {
  return NEEDS.some((key) => file[key] !== undefined);
}

let catalogued: ReadonlySet<string> | undefined;

/** The names of all packages of which it is known what they need of the stack, but for frameworks. */
export function cataloguedNames(): ReadonlySet<string> {
  catalogued ??= namesInCatalogue();
  return catalogued;
}

function namesInCatalogue(): ReadonlySet<string> {
  const { clashes, one_folder } = gpuPackages();
  const own = all().flatMap(([each, file]) => (saysNeeds(file) ? [each] : []));
  const others = [...clashes.map((row) => row.with), ...one_folder.flatMap(({ names }) => names)];
  return new Set([...own, ...others].filter((each) => !gpuPackageFiles()[each]?.framework));
}
