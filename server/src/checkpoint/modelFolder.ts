/** The description of a model in a folder of transformers, diffusers or PEFT. */
import { basename, dirname, join } from 'node:path';
import type { Budget } from './budget.ts';
import { metered, withFile } from './bytes.ts';
import type { Checkpoint } from './checkpoint.ts';
import { LONGEST_JSON, parsedJson } from './encodings/json.ts';
import { enumerated } from './enumerated.ts';

/**
 * File names for weights in these libraries, in transformers' order of preference: small models are in one file,
 * without an index.
 */
const WEIGHTS: readonly string[] = ['model', 'diffusion_pytorch_model', 'pytorch_model', 'adapter_model'].flatMap(
  (name) => ['safetensors', 'safetensors.index.json', 'bin', 'bin.index.json'].map((suffix) => `${name}.${suffix}`),
);

/**
 * Returns the file that holds the weights of a model folder or names their files; undefined if there is none or more
 * than one candidate.
 */
export function weightsAmong(names: readonly string[]): string | undefined {
  const usual = WEIGHTS.find((name) => names.includes(name));
  if (usual !== undefined) return usual;
  const indexes = names.filter((name) => name.endsWith('.index.json'));
  return indexes.length === 1 ? indexes[0] : undefined;
}

/** Returns a sentence about other files with the same weights in a folder; undefined if there are none. */
export function aboutOtherWeights(names: readonly string[], chosen: string): string | undefined {
  const [stem = ''] = chosen.split('.', 1);
  const isAdapter = stem === 'adapter_model';
  const others = WEIGHTS.filter(
    (name) => name !== chosen && names.includes(name) && isAdapter === name.startsWith('adapter_'),
  );
  if (others.length === 0) return undefined;
  return `${enumerated(others.map((name) => `\`${name}\``))} ${others.length === 1 ? 'lies' : 'lie'} beside it, which \`from_pretrained(folder)\` does not load by default.`;
}

/**
 * Adds the description in the configuration next to a checkpoint, if its file name is that of a whole model's weights.
 */
export async function withConfiguration(checkpoint: Checkpoint, path: string, budget: Budget): Promise<Checkpoint> {
  if (!WEIGHTS.includes(basename(path))) return checkpoint;
  const folder = dirname(path);
  const [config, adapter] = await Promise.all(
    ['config.json', 'adapter_config.json'].map((name) => configurationIn(join(folder, name), budget)),
  );
  const isAdapter = basename(path).startsWith('adapter_model.');
  const read = isAdapter ? adapter : config;
  if (read === undefined) return checkpoint;
  if (typeof read === 'string') return { ...checkpoint, problems: [...checkpoint.problems, read] };
  const sentences = isAdapter ? aboutAdapter(read) : aboutModel(read);
  const version = isAdapter ? undefined : writerIn(read);
  return {
    ...checkpoint,
    writtenBy: version ?? checkpoint.writtenBy,
    about: [...(checkpoint.about ?? []), ...sentences],
  };
}

type Configuration = Readonly<Record<string, unknown>>;

/** Reads a configuration; undefined if it is missing, and a sentence if it cannot be read. */
async function configurationIn(path: string, budget: Budget): Promise<Configuration | string | undefined> {
  try {
    const parsed = await withFile(path, async (bytes) =>
      bytes.size > LONGEST_JSON ? undefined : parsedJson(await metered(bytes, budget).read(0, bytes.size), budget),
    );
    if (isObject(parsed)) return parsed;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (!(error as NodeJS.ErrnoException).code) throw error;
  }
  return `The \`${basename(path)}\` beside it cannot be read as JSON.`;
}

const isObject = (value: unknown): value is Configuration =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a value as code if it is a name, a number or a path; other content of a file is not quoted. */
function code(value: unknown): string | undefined {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return typeof text === 'string' && /^[\w./:@+-]{1,120}$/.test(text) ? `\`${text}\`` : undefined;
}

function codesIn(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).slice(0, MOST_LISTED).flatMap((each) => code(each) ?? []);
}

const MOST_LISTED = 8;

function writerIn({ transformers_version: transformers, _diffusers_version: diffusers }: Configuration) {
  for (const [library, version] of Object.entries({ transformers, diffusers }))
    if (typeof version === 'string' && /^[\w.+-]{1,40}$/.test(version)) return `${library} ${version}`;
  return undefined;
}

function aboutModel(config: Configuration): string[] {
  const about: string[] = [];
  const [architecture] = codesIn(config.architectures ?? config._class_name);
  const kind = code(config.model_type);
  const dtype = code(config.torch_dtype ?? config.dtype);
  const named = architecture ?? kind;
  if (named !== undefined) {
    const type = architecture !== undefined && kind !== undefined ? `, of the model type ${kind}` : '';
    about.push(`Its configuration is of ${named}${type}${dtype === undefined ? '' : `, in ${dtype}`}.`);
  }
  if (isObject(config.quantization_config)) about.push(aboutQuantization(config.quantization_config));
  if (isObject(config.auto_map))
    about.push('Its configuration names Python code of its own, which `trust_remote_code=True` runs.');
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

function aboutQuantization(config: Configuration): string {
  const method = typeof config.quant_method === 'string' ? METHODS[config.quant_method] : undefined;
  const bits = config.load_in_4bit === true ? 4 : config.load_in_8bit === true ? 8 : (config.bits ?? config.w_bit);
  const details = [
    typeof bits === 'number' ? `${bits} bits` : undefined,
    typeof config.group_size === 'number' && config.group_size > 0 ? `groups of ${config.group_size}` : undefined,
    config.load_in_4bit === true ? code(config.bnb_4bit_quant_type) : undefined,
  ].filter((each) => each !== undefined);
  const by = method ?? code(config.quant_method) ?? 'a method that its configuration does not name';
  return `Its weights are quantized by ${by}${details.length > 0 ? ` (${details.join(', ')})` : ''}.`;
}

function aboutAdapter(config: Configuration): string[] {
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
