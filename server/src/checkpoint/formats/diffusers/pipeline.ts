/**
 * Reads the folder of a diffusers pipeline the way `DiffusionPipeline.from_pretrained(folder)` does, except for the
 * weights.
 */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isJsonObject, type JsonObject } from '../../../jsonObject.ts';
import type { Budget } from '../../budget.ts';
import { metered, withFile } from '../../bytes.ts';
import type { Checkpoint, Tensor } from '../../checkpoint.ts';
import { sizeOfFiles } from '../../diskEntries.ts';
import { distinctImports, withDoubts } from '../../doubts.ts';
import { jsonInFile } from '../../encodings/json.ts';
import { enumeratedCode } from '../../enumerated.ts';
import type { ListedComponent, Pipeline, PipelineComponent } from '../../pipeline.ts';
import { unreadCheckpoint } from '../../unreadCheckpoint.ts';
import { noCode, worstOf } from '../../verdicts.ts';
import type { ReadPart } from '../declaration.ts';
import { type ComponentFiles, componentFiles, fileOf, missingIn } from './components.ts';

const INDEX = 'model_index.json';

/** Reads a pipeline: its components, and the weights that load by default. */
export async function readPipeline(
  path: string,
  names: readonly string[],
  budget: Budget,
  readPart: ReadPart,
): Promise<Checkpoint> {
  const index = await withFile(join(path, INDEX), (bytes) => jsonInFile(metered(bytes, budget), budget));
  if (!isJsonObject(index) || index._class_name === undefined)
    return unreadCheckpoint('json', 0, `Its \`${INDEX}\` does not describe a diffusers pipeline.`);
  const { listed, count, left, problems } = listedIn(index);
  const folders = await Promise.all(listed.map((each) => componentFiles(path, names, each, filesIn)));
  const neededVariant = variantNeededBy(folders);
  const parts: Checkpoint[] = [];
  const doubts = listed.length < count ? ['it has more components than one inspection reads'] : [];
  const tensors: Tensor[] = [];
  for (const files of folders) {
    const { name } = files.component;
    const missing = missingIn(files, neededVariant);
    if (missing !== undefined) problems.push(`\`${name}\`: ${missing}`);
    const file = fileOf(files, neededVariant);
    if (file === undefined) {
      if (files.names.some((name) => name.endsWith('.msgpack'))) doubts.push(`the weights of \`${name}\` are not read`);
      continue;
    }
    if (budget.left() <= 0) {
      doubts.push('it takes more work than an inspection allows');
      problems.push('Not all of its components were read: they are too large for one inspection.');
      break;
    }
    try {
      const part = await readPart(join(files.folder, file));
      parts.push(part);
      for (const tensor of part.tensors) tensors.push({ ...tensor, name: `${name}.${tensor.name}` });
      for (const problem of part.problems) problems.push(`\`${name}\`: ${problem}`);
    } catch {
      doubts.push('some of its components cannot be read');
      problems.push(`\`${name}\`: \`${file}\` cannot be read.`);
    }
  }
  const components = await Promise.all(folders.map((files) => described(files, neededVariant)));
  const className = nameIn(Array.isArray(index._class_name) ? index._class_name.at(-1) : index._class_name);
  const devices = parts.flatMap((part) => part.devices ?? []);
  const read: Checkpoint = {
    format: 'diffusers-pipeline',
    size: components.reduce((sum, { size }) => sum + size, 0),
    writtenBy: versionIn(index._diffusers_version),
    pipeline: {
      className,
      components,
      neededVariant,
    },
    about: [
      ...aboutPipeline({ className, components, neededVariant }, left),
      ...(names.includes('pipeline.py')
        ? ['Its `pipeline.py` runs only for programs that name it as `custom_pipeline`.']
        : []),
    ],
    tensors,
    devices: devices.length > 0 ? [...new Set(devices)].sort() : undefined,
    imports: distinctImports(parts),
    safety: parts.length > 0 ? worstOf(parts.map(({ safety }) => safety)) : noCode('The diffusers library'),
    problems,
  };
  return withDoubts(read, doubts);
}

/** Returns the name of a class, module or folder; undefined for other text, which is not quoted. */
const nameIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\w[\w.-]{0,120}$/.test(value) ? value : undefined;

const versionIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w.+-]{1,40}$/.test(value) ? `diffusers ${value}` : undefined;

/** Maximum number of components that are read; real pipelines have up to a dozen. */
const MOST_COMPONENTS = 100;

interface Listed {
  /** The components to read. */
  readonly listed: readonly ListedComponent[];
  /** Number of all components. */
  readonly count: number;
  /** Optional components that were omitted when the pipeline was saved. */
  readonly left: readonly string[];
  readonly problems: string[];
}

/** Lists the components, which are pairs of a library and a class; other entries are arguments of the pipeline. */
function listedIn(index: JsonObject): Listed {
  const listed: ListedComponent[] = [];
  const left: string[] = [];
  const problems: string[] = [];
  for (const [key, value] of Object.entries(index)) {
    if (key.startsWith('_') || !Array.isArray(value) || value.length !== 2) continue;
    const [name, library, className] = [nameIn(key), nameIn(value[0]), nameIn(value[1])];
    if (name !== undefined && value[0] === null) left.push(name);
    else if (name !== undefined && library !== undefined && className !== undefined)
      listed.push({ name, library, className });
    else if (value.every((each) => typeof each === 'string'))
      problems.push(`\`${INDEX}\` lists a component whose name, library or class is not a name.`);
  }
  if (listed.length > MOST_COMPONENTS)
    problems.push(`\`${INDEX}\` lists ${listed.length} components. The first ${MOST_COMPONENTS} were read.`);
  return { listed: listed.slice(0, MOST_COMPONENTS), count: listed.length, left, problems };
}

/** Returns the file names in a folder; undefined if it does not exist. */
async function filesIn(folder: string): Promise<readonly string[] | undefined> {
  return readdir(folder).catch(() => undefined);
}

/** Returns the variant that all components without default weights have; undefined if there is none. */
function variantNeededBy(folders: readonly ComponentFiles[]): string | undefined {
  const lacking = folders.filter(
    ({ needsWeights, weights, variants }) => needsWeights && !weights && variants.size > 0,
  );
  const [first] = lacking;
  return (
    first && [...first.variants.keys()].sort().find((variant) => lacking.every(({ variants }) => variants.has(variant)))
  );
}

async function described(files: ComponentFiles, variant: string | undefined): Promise<PipelineComponent> {
  const { component, folder, others, variants } = files;
  const file = fileOf(files, variant);
  return {
    ...component,
    weights: file,
    size: file === undefined ? 0 : await sizeOf(folder, file, files.names),
    others: others.filter((name) => name !== file),
    variants: [...variants.keys()].sort(),
  };
}

/** Returns the size of a file in bytes, or that of the shards that belong to an index. */
async function sizeOf(folder: string, file: string, names: readonly string[]): Promise<number> {
  const stem = basename(file).split('.', 1)[0] ?? '';
  const isIndex = file.includes('.index.');
  const suffix = file.includes('.safetensors') ? '.safetensors' : '.bin';
  const isShard = (name: string) => name.startsWith(`${stem}`) && /-\d+-of-\d+\b/.test(name) && name.endsWith(suffix);
  return sizeOfFiles(folder, isIndex ? names.filter(isShard) : [file]);
}

function aboutPipeline({ className, components, neededVariant }: Pipeline, left: readonly string[]): string[] {
  const about: string[] = [];
  if (className !== undefined) about.push(`It is a \`${className}\` with ${components.length} components.`);
  if (left.length > 0)
    about.push(`It was saved without ${enumeratedCode(left)}, which ${left.length === 1 ? 'is' : 'are'} optional.`);
  if (neededVariant !== undefined)
    about.push(`It loads only with \`variant="${neededVariant}"\`: some components have no other weights.`);
  return about;
}
