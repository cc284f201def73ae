import { readFolder } from '../dataFiles.ts';
import type { GpuPackage } from './packageSchema.ts';
import { computedOnce } from './remembering.ts';

/** The keys of a package's file with rows. */
type Part =
  | 'torch'
  | 'wheels'
  | 'follows_torch'
  | 'code'
  | 'compiling'
  | 'sources'
  | 'gpus'
  | 'libraries'
  | 'clashes'
  | 'faults';

/** The rows of all packages under one key. */
type Rows<P extends Part> = (NonNullable<GpuPackage[P]>[number] & { name: string })[];

/** The rows of all packages, by key. */
export type GpuPackages = { readonly [P in Part]: Rows<P> } & {
  readonly extensions: readonly string[];
  readonly one_folder: readonly { names: string[]; folder: string }[];
  readonly families: readonly { name: string; cuda: string }[];
};

/** Each package's file, by its name. */
export const gpuPackageFiles = computedOnce(() => readFolder<GpuPackage>(import.meta.dirname, 'packages'));

/** The source that a diagnosis cites for a package's file: "what is known of flash-attn, as of 2026-11". */
export function packageFileSource(name: string): string {
  return `what is known of ${name}, as of ${gpuPackageFiles()[name]?.as_of}`;
}

/** Returns the requirements of packages with native GPU code on the stack. */
export const gpuPackages = computedOnce(
  (): GpuPackages => ({
    torch: rowsOf('torch'),
    wheels: rowsOf('wheels'),
    follows_torch: rowsOf('follows_torch'),
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
  }),
);

function all(): [string, GpuPackage][] {
  return Object.entries(gpuPackageFiles());
}

function rowsOf<P extends Part>(part: P): Rows<P> {
  return all().flatMap(([each, file]) => (file[part] ?? []).map((row) => ({ ...row, name: each }))) as Rows<P>;
}

/** The keys with a package's requirements on the stack. */
const NEEDS = [
  ...(['torch', 'wheels', 'follows_torch', 'code', 'compiling', 'gpus', 'libraries', 'clashes', 'faults'] as const),
  ...(['extension', 'built_for', 'one_folder', 'family'] as const),
];

/** True if a file states requirements on the stack. */
export function saysNeeds(file: GpuPackage): boolean {
  return NEEDS.some((key) => file[key] !== undefined);
}

/** Returns the names of all packages with known requirements on the stack, without frameworks. */
export const cataloguedNames = computedOnce((): ReadonlySet<string> => {
  const { clashes, one_folder } = gpuPackages();
  const own = all().flatMap(([each, file]) => (saysNeeds(file) ? [each] : []));
  const others = [...clashes.map((row) => row.with), ...one_folder.flatMap(({ names }) => names)];
  return new Set([...own, ...others].filter((each) => !gpuPackageFiles()[each]?.framework));
});
