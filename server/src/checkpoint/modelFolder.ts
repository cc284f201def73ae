/** The description of a model in a folder written by transformers, diffusers or PEFT. */
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { isJsonObject, type JsonObject } from '../jsonObject.ts';
import { Unreadable } from '../projectFile.ts';
import { type AdapterFit, adapterFit } from './adapterFit.ts';
import { baseModelFolder } from './baseModel.ts';
import { type Budget, BudgetExhausted } from './budget.ts';
import { metered, withFile } from './bytes.ts';
import type { Checkpoint, Safety } from './checkpoint.ts';
import { isFolderAt } from './diskEntries.ts';
import { withDoubts, withSafety } from './doubts.ts';
import { jsonInFile, LONGEST_JSON } from './encodings/json.ts';
import { plainYamlIn } from './encodings/yaml.ts';
import { enumerated, enumeratedCode } from './enumerated.ts';
import { folderCode, isConfiguration, isYamlConfiguration, PROGRAMS } from './folderCode.ts';
import { WEIGHTS } from './folderFiles.ts';
import { programIn } from './formats/json.ts';
import { isHarmless, needsTrust, runsCode } from './verdicts.ts';

/** Returns the other files with the same weights in a folder. */
export function otherWeights(names: readonly string[], chosen: string): readonly string[] {
  const isAdapter = chosen.startsWith('adapter_model.');
  return WEIGHTS.filter((name) => name !== chosen && names.includes(name) && isAdapter === name.startsWith('adapter_'));
}

/** Adds a sentence about other weights, and the verdict on those that run code: not every release prefers the same. */
export async function withOtherWeights(
  checkpoint: Checkpoint,
  others: readonly string[],
  read: (name: string) => Promise<Checkpoint>,
): Promise<Checkpoint> {
  if (others.length === 0) return checkpoint;
  const is = others.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const sentence = `${enumeratedCode(others)} ${is[0]} in the same folder; \`from_pretrained(folder)\` does not load ${is[1]} by default.`;
  let whole: Checkpoint = { ...checkpoint, about: [...(checkpoint.about ?? []), sentence] };
  for (const name of others) {
    const { safety, imports } = await read(name);
    if (runsCode(safety)) whole = withSafety(whole, [{ ...safety, reason: `\`${name}\`: ${safety.reason}` }], imports);
  }
  return whole;
}

/**
 * Adds the description in the configuration next to a checkpoint, if its file name is that of a whole model's weights.
 */
export async function withConfiguration(
  checkpoint: Checkpoint,
  path: string,
  budget: Budget,
  bases: BaseModels,
): Promise<Checkpoint> {
  const isMain = WEIGHTS.includes(basename(path));
  const whole = isMain ? await described(checkpoint, path, budget, bases) : checkpoint;
  if (isMain) {
    const judged = await withFolderCode(whole, dirname(path), budget, bases.mayRead);
    return withParts(judged, dirname(path), { names: TOKENIZERS }, budget, bases.mayRead);
  }
  // A program may ask its library for a file of any name, such as a variant. Most of these need no configuration.
  const judged = await withFolderCode(whole, dirname(path), budget, bases.mayRead, USUAL);
  return runsCode(judged.safety) ? { ...judged, about: whole.about } : whole;
}

/** The usual configurations, for folders of many files that are not listed for each one. */
const USUAL: readonly string[] = [
  ...['config.json', 'adapter_config.json', 'modules.json', 'tokenizer_config.json', 'preprocessor_config.json'],
  ...['video_preprocessor_config.json', 'processor_config.json', 'genai_config.json', 'open_clip_config.json'],
  ...['sentence_bert_config.json', 'router_config.json'],
];

/** Files with objects of Keras beside the configuration of a preset of KerasHub. */
const PRESET: readonly string[] = ['task', 'tokenizer', 'preprocessor', 'image_converter', 'audio_converter'].map(
  (name) => `${name}.json`,
);

/** Maximum numbers of levels and folders below a model's own folder; real models have two and a dozen. */
const DEEPEST = 4;
const MOST_FOLDERS = 200;

/** Folders from which transformers loads parts of a processor or of a model with two tokenizers. */
const TOKENIZERS = /tokenizer|processor/;

/** Joins the verdict on the weights with what their loaders run for the configuration files in the folder. */
export async function withFolderCode(
  checkpoint: Checkpoint,
  folder: string,
  budget: Budget,
  mayRead: MayRead,
  usual?: readonly string[],
): Promise<Checkpoint> {
  const found: Safety[] = [];
  const doubts: string[] = [];
  const about: string[] = [];
  const isRead = (name: string) => isConfiguration(name) || isYamlConfiguration(name);
  const names = [...(usual ?? (await readdir(folder)).filter(isRead))];
  for (const name of names) {
    if (!mayRead(join(folder, name))) doubts.push(`its \`${name}\` may not be read`);
    else {
      const json = await contentAt(join(folder, name), budget);
      if (json === null) doubts.push(`its \`${name}\` cannot be read`);
      if (json === undefined) continue;
      const parts = name.endsWith('model_index.json') ? await namesBelow(folder, budget, mayRead) : undefined;
      const safety = folderCode(name, json, (part) => parts?.get(part));
      if (safety) found.push(safety);
      const program = programIn(json);
      if (program) found.push(program.safety);
      if (name === 'config.json' && isJsonObject(json) && 'registered_name' in json) names.push(...PRESET);
      if (isJsonObject(json) && isJsonObject(json.auto_map))
        about.push(`Its \`${name}\` refers to Python code, which \`trust_remote_code=True\` runs.`);
    }
  }
  for (const [name, reason] of Object.entries(PROGRAMS))
    if (await stat(join(folder, name)).catch(() => undefined)) found.push(needsTrust(reason));
  const described = about.length > 0 ? { ...checkpoint, about: [...(checkpoint.about ?? []), ...about] } : checkpoint;
  return withDoubts(withSafety(described, found), doubts);
}

/** Returns the names of the files in each folder below a pipeline's. */
async function namesBelow(folder: string, budget: Budget, mayRead: MayRead): Promise<ReadonlyMap<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const name of await foldersIn(folder, budget, mayRead)) found.set(name, await readdir(join(folder, name)));
  return found;
}

/** Returns the names of the folders that may be read in a folder, sorted. */
async function foldersIn(folder: string, budget: Budget, mayRead: MayRead, names = /^/): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isFile() || !names.test(entry.name)) continue;
    budget.spend(STEPS_PER_FOLDER);
    const path = join(folder, entry.name);
    if (mayRead(path) && (await isFolderAt(path))) found.push(entry.name);
  }
  return found.sort();
}

/** Looks up an entry, and lists it if it is a folder. */
const STEPS_PER_FOLDER = 20_000;

/** The parts of a model that are read in the folders below it. */
interface PartsToRead {
  /** Reads the weights of a part; without it, only its configuration is read. */
  readonly weights?: (path: string) => Promise<Checkpoint>;
  /** The names of the folders that belong to the model; without it, all of them do. */
  readonly names?: RegExp;
}

/**
 * Joins the verdict on a model with those on the parts in folders below it: the components of a pipeline, whose weights
 * are already read, the modules of sentence-transformers, or further tokenizers. Old releases load any of a module's
 * files.
 */
export async function withParts(
  checkpoint: Checkpoint,
  folder: string,
  { weights, names }: PartsToRead,
  budget: Budget,
  mayRead: MayRead,
): Promise<Checkpoint> {
  let whole = checkpoint;
  let left = MOST_FOLDERS;
  const visit = async (path: string, levels: number): Promise<void> => {
    for (const name of await foldersIn(path, budget, mayRead, names)) {
      if (levels === 0 || left-- <= 0) {
        whole = withDoubts(whole, ['it has more folders than one inspection reads']);
        return;
      }
      const part = join(path, name);
      whole = await withFolderCode(whole, part, budget, mayRead);
      if (weights)
        for (const file of (await readdir(part)).filter((each) => WEIGHTS.includes(each)))
          whole = joined(whole, await weights(join(part, file)), relative(folder, part));
      await visit(part, levels - 1);
    }
  };
  await visit(folder, DEEPEST);
  return whole;
}

/** Joins the verdict on a part; a model without weights of its own is described by its first part. */
function joined(whole: Checkpoint, part: Checkpoint, name: string): Checkpoint {
  if (whole.format === 'folder') return withSafety(part, runsCode(whole.safety) ? [whole.safety] : []);
  const problems = part.problems.filter((problem) => problem !== part.safety.reason);
  return withSafety(
    { ...whole, problems: [...whole.problems, ...problems.map((problem) => `\`${name}\`: ${problem}`)] },
    isHarmless(part.safety) ? [] : [part.safety],
    part.imports,
  );
}

async function described(checkpoint: Checkpoint, path: string, budget: Budget, bases: BaseModels): Promise<Checkpoint> {
  const folder = dirname(path);
  const isAdapter = basename(path).startsWith('adapter_model.');
  const file = join(folder, isAdapter ? 'adapter_config.json' : 'config.json');
  const read = bases.mayRead(file) ? await configurationIn(file, budget) : undefined;
  if (read === undefined) return checkpoint;
  if (typeof read === 'string') return { ...checkpoint, problems: [...checkpoint.problems, read] };
  const sentences = isAdapter ? aboutAdapter(read) : aboutModel(read);
  const fit = isAdapter ? await fitOf(checkpoint, read, folder, budget, bases) : NOTHING_COMPARED;
  const version = isAdapter ? undefined : writerIn(read);
  return {
    ...checkpoint,
    writtenBy: version ?? checkpoint.writtenBy,
    about: [...(checkpoint.about ?? []), ...sentences, ...fit.about],
    ...(fit.misfits.length > 0 && { misfits: fit.misfits }),
  };
}

/** How to read the base model of an adapter. */
interface BaseModels {
  /** Reads the weights in a folder, without the configuration beside them. Undefined if the folder has none. */
  readonly read: (folder: string) => Promise<Checkpoint | undefined>;
  /** True for a file or a folder that may be read. */
  readonly mayRead: MayRead;
}

type MayRead = (path: string) => boolean;

const NOTHING_COMPARED: AdapterFit = { misfits: [], about: [] };

/** Compares an adapter with its base model, if that is on this machine. */
async function fitOf(
  { tensors }: Checkpoint,
  config: JsonObject,
  folder: string,
  budget: Budget,
  { read, mayRead }: BaseModels,
): Promise<AdapterFit> {
  const { base_model_name_or_path: name, revision, peft_type: type, r: rank, rank_pattern: ranks } = config;
  if (type !== 'LORA' || typeof name !== 'string' || tensors.length === 0) return NOTHING_COMPARED;
  const base = await baseModelFolder(name, typeof revision === 'string' ? revision : undefined, folder);
  const notCompared = (why: string): AdapterFit => ({
    misfits: [],
    about: [`Not compared with its base model: ${why}.`],
  });
  if (base === undefined) return notCompared('no such folder was found, and the Hugging Face cache does not have it');
  if (!mayRead(base)) return notCompared('it is outside the folders that may be read');
  try {
    const [weights, baseConfig] = await Promise.all([read(base), configurationIn(join(base, 'config.json'), budget)]);
    if (!weights || weights.tensors.length === 0) return notCompared('the folder has no weights that can be read');
    return adapterFit(tensors, weights.tensors, {
      ...(typeof rank === 'number' && { rank }),
      ownRanks: isJsonObject(ranks) ? Object.keys(ranks) : [],
      isPacked: isJsonObject(baseConfig) && isJsonObject(baseConfig.quantization_config),
    });
  } catch (error) {
    if (error instanceof BudgetExhausted || (error as NodeJS.ErrnoException).code)
      return notCompared('it cannot be read');
    throw error;
  }
}

/** Reads a configuration. Returns undefined if it is missing, or a sentence if it cannot be read. */
async function configurationIn(path: string, budget: Budget): Promise<JsonObject | string | undefined> {
  const parsed = await contentAt(path, budget);
  if (parsed === undefined || isJsonObject(parsed)) return parsed;
  return `The \`${basename(path)}\` next to it is not valid JSON.`;
}

/** Returns the JSON or YAML in a file; undefined if the file is missing, and null if it cannot be read. */
async function contentAt(path: string, budget: Budget): Promise<unknown> {
  try {
    const parsed = await withFile(path, async (bytes) => {
      const counted = metered(bytes, budget);
      if (!isYamlConfiguration(basename(path))) return jsonInFile(counted, budget);
      if (bytes.size > LONGEST_JSON) return undefined;
      return plainYamlIn((await counted.read(0, bytes.size)).toString('utf8'), budget)?.toJS();
    });
    return parsed ?? null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (!(error as NodeJS.ErrnoException).code && !(error instanceof Unreadable)) throw error;
    return null;
  }
}

/** Returns a value as code if it is a name, a number or a path; other content of a file is not quoted. */
function code(value: unknown): string | undefined {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return typeof text === 'string' && /^[\w./:@+-]{1,120}$/.test(text) ? `\`${text}\`` : undefined;
}

function codesIn(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).slice(0, MOST_LISTED).flatMap((each) => code(each) ?? []);
}

const MOST_LISTED = 8;

function writerIn({ transformers_version: transformers, _diffusers_version: diffusers }: JsonObject) {
  for (const [library, version] of Object.entries({ transformers, diffusers }))
    if (typeof version === 'string' && /^[\w.+-]{1,40}$/.test(version)) return `${library} ${version}`;
  return undefined;
}

function aboutModel(config: JsonObject): string[] {
  const about: string[] = [];
  const [architecture] = codesIn(config.architectures ?? config._class_name);
  const kind = code(config.model_type);
  const dtype = code(config.torch_dtype ?? config.dtype);
  const named = architecture ?? kind;
  if (named !== undefined) {
    const type = architecture !== undefined && kind !== undefined ? ` (model type ${kind})` : '';
    about.push(`Its configuration is for ${named}${type}${dtype === undefined ? '' : `, in ${dtype}`}.`);
  }
  if (isJsonObject(config.quantization_config)) about.push(aboutQuantization(config.quantization_config));
  return about;
}

/** Names of quantization methods as their packages spell them. */
const METHODS: Readonly<Record<string, string>> = {
  awq: 'AWQ',
  bitsandbytes: 'bitsandbytes',
  'compressed-tensors': 'compressed-tensors',
  eetq: 'EETQ',
  fbgemm_fp8: 'FBGEMM',
  fp8: 'FP8',
  gptq: 'GPTQ',
  hqq: 'HQQ',
  mxfp4: 'MXFP4',
  quanto: 'Quanto',
  torchao: 'torchao',
};

function aboutQuantization(config: JsonObject): string {
  const method = typeof config.quant_method === 'string' ? METHODS[config.quant_method] : undefined;
  const bits = config.load_in_4bit === true ? 4 : config.load_in_8bit === true ? 8 : (config.bits ?? config.w_bit);
  const details = [
    typeof bits === 'number' ? `${bits} bits` : undefined,
    typeof config.group_size === 'number' && config.group_size > 0 ? `groups of ${config.group_size}` : undefined,
    config.load_in_4bit === true ? code(config.bnb_4bit_quant_type) : undefined,
  ].filter((each) => each !== undefined);
  const by = method ?? code(config.quant_method) ?? 'a method that its configuration does not name';
  return `Its weights are quantized with ${by}${details.length > 0 ? ` (${details.join(', ')})` : ''}.`;
}

function aboutAdapter(config: JsonObject): string[] {
  const type = code(config.peft_type);
  const base = code(config.base_model_name_or_path);
  const rank = code(config.r);
  const targets = enumerated(codesIn(config.target_modules));
  const revision = code(config.revision);
  return [
    `It is an adapter${type === undefined ? '' : ` (${type}${rank === undefined ? '' : `, rank ${rank}`})`}, not a model: it loads on top of its base model${base === undefined ? ', which its configuration does not name' : ` ${base}${revision === undefined ? '' : ` (revision ${revision})`}`}.`,
    ...(targets === '' ? [] : [`It changes ${targets}.`]),
  ];
}
