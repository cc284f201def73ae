/** Names that packages added and removed, from the wheels of their releases: `scripts/tables/names.py`. */
import { dataOnUse } from '../dataOnUse.ts';

/** Names by minor release, in one string; names in modules are preceded by the module. */
type ByRelease = Readonly<Record<string, string>>;

interface PackageTable {
  readonly came?: ByRelease;
  readonly left?: ByRelease;
  /** Folders of models, by the release that added them: class names begin with the name of such a folder. */
  readonly models?: ByRelease;
}

const data = dataOnUse<{ packages: Record<string, PackageTable> }>(import.meta.dirname, 'packageNames');

/** The releases that added and removed a name; undefined if it was always there, or still is. */
export interface NameHistory {
  readonly came?: string;
  readonly left?: string;
}

/** The history of a name in a module; undefined if the tables do not know it, or if all releases have it. */
export function historyOf(module: string, name: string): NameHistory | undefined {
  const tables = data().packages;
  const [root = '', ...inner] = module.split('.');
  const table = Object.hasOwn(tables, root) ? tables[root] : undefined;
  if (!table) return undefined;
  const written = [...inner, name].join('.');
  const came = releaseOf(table.came, written) ?? modelRelease(table.models, name);
  const left = releaseOf(table.left, written);
  return came === undefined && left === undefined ? undefined : { came, left };
}

function releaseOf(byRelease: ByRelease = {}, name: string): string | undefined {
  return Object.entries(byRelease).find(([, names]) => ` ${names} `.includes(` ${name} `))?.[0];
}

/** Endings of class names after the name of a model. */
const CLASS_OF_MODEL =
  /^(?:for[a-z]\w*|model\w*|pretrained\w*|config|tokenizer\w*|processor|imageprocessor\w*|videoprocessor\w*|featureextractor|lmheadmodel|textmodel|visionmodel|textconfig|visionconfig)?$/;

function modelRelease(models: ByRelease | undefined, name: string): string | undefined {
  const plain = name
    .replace(/^models\./, '')
    .replaceAll('_', '')
    .toLowerCase();
  const folders = Object.entries(models ?? {}).flatMap(([release, names]) =>
    names.split(' ').map((folder) => [folder, release] as const),
  );
  return folders
    .filter(([folder]) => plain.startsWith(folder) && CLASS_OF_MODEL.test(plain.slice(folder.length)))
    .sort(([left], [right]) => right.length - left.length)[0]?.[1];
}
