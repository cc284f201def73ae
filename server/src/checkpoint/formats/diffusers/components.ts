/** The files of a pipeline's components: which ones diffusers and transformers load, and which ones they need. */
import { join } from 'node:path';
import type { ListedComponent } from '../../pipeline.ts';

export interface ComponentFiles {
  readonly component: ListedComponent;
  /** Where its files are: its own folder, or that of the pipeline, where diffusers looks next. */
  readonly folder: string;
  readonly hasFolder: boolean;
  readonly names: readonly string[];
  readonly needsWeights: boolean;
  /** The weights that load by default. */
  readonly weights?: string;
  /** The weights of each variant, by its name. */
  readonly variants: ReadonlyMap<string, string>;
  /** All other files of weights. */
  readonly others: readonly string[];
}

/** Finds the files of a component. `pipelineNames` are those in the folder of the pipeline. */
export async function componentFiles(
  pipeline: string,
  pipelineNames: readonly string[],
  component: ListedComponent,
  filesIn: (folder: string) => Promise<readonly string[] | undefined>,
): Promise<ComponentFiles> {
  const own = await filesIn(join(pipeline, component.name));
  const names = own ?? pipelineNames;
  const stems = stemsOf(component);
  const defaults = stems.flatMap((stem) => [`${stem}.safetensors`, `${stem}.safetensors.index.json`]);
  const pickled = stems.flatMap((stem) => [`${stem}.bin`, `${stem}.bin.index.json`]);
  const weights = [...defaults, ...pickled].find((name) => names.includes(name));
  const all = names.filter((name) => stems.some((stem) => isWeights(name, stem)));
  const variants = new Map<string, string>();
  // Of one variant, a safetensors file counts before the others.
  for (const name of all.toSorted((a, b) => Number(a.includes('.bin')) - Number(b.includes('.bin')))) {
    const variant = variantOf(name);
    if (variant !== undefined && !variants.has(variant)) variants.set(variant, name);
  }
  return {
    component,
    folder: own ? join(pipeline, component.name) : pipeline,
    hasFolder: own !== undefined,
    names,
    needsWeights: kindOf(component) === 'model',
    ...(weights !== undefined && { weights }),
    variants,
    others: all.filter((name) => name !== weights),
  };
}

type Kind = 'model' | 'scheduler' | 'tokenizer' | 'processor' | 'other';

/** The kind of a class of diffusers or transformers, by its name; what other libraries need is not known. */
function kindOf({ library, className }: ListedComponent): Kind {
  if (library !== 'diffusers' && library !== 'transformers') return 'other';
  if (/Scheduler$/.test(className)) return 'scheduler';
  if (/Tokenizer(?:Fast)?$/.test(className)) return 'tokenizer';
  if (/(?:Processor|FeatureExtractor)(?:Fast)?$/.test(className)) return 'processor';
  if (/^(?:Flax|Onnx|TF)/.test(className)) return 'other';
  return library === 'transformers' || DIFFUSERS_MODEL.test(className) ? 'model' : 'other';
}

/** Names of models in diffusers; it has other classes that save a configuration alone. */
const DIFFUSERS_MODEL = /Model|UNet|Unet|Autoencoder|Transformer|ControlNet|Adapter|VAE|VQ|Prior|Encoder|Decoder/;

/** The names under which the libraries save weights, without suffix. */
function stemsOf({ library }: ListedComponent): readonly string[] {
  if (library === 'diffusers') return ['diffusion_pytorch_model'];
  return library === 'transformers'
    ? ['model', 'pytorch_model']
    : ['diffusion_pytorch_model', 'model', 'pytorch_model'];
}

/** Matches `model.safetensors`, `model.fp16.bin` and the indexes of shards; shards belong to their index. */
function isWeights(name: string, stem: string): boolean {
  return (
    new RegExp(`^${stem}(?:\\.[\\w-]+)?\\.(?:safetensors|bin)(?:\\.index(?:\\.[\\w-]+)?\\.json)?$`).test(name) &&
    !/-\d+-of-\d+/.test(name)
  );
}

/** The variant in a name: `fp16` in `model.fp16.safetensors` and in `model.safetensors.index.fp16.json`. */
function variantOf(name: string): string | undefined {
  return (/^\w+\.([\w-]+)\.(?:safetensors|bin)$/.exec(name) ?? /\.index\.([\w-]+)\.json$/.exec(name))?.[1];
}

/** Returns the weights that load by default, or with the variant where there are no others. */
export function fileOf({ weights, variants }: ComponentFiles, variant: string | undefined): string | undefined {
  return weights ?? (variant === undefined ? undefined : variants.get(variant));
}

/** Returns why a component does not load, as a sentence; undefined where all of its files are there, and where nobody knows. */
export function missingIn(files: ComponentFiles, variant: string | undefined): string | undefined {
  const { component, hasFolder, names, variants } = files;
  const kind = kindOf(component);
  const needed = NEEDED[kind];
  const lacksConfiguration = needed !== undefined && !needed.some((name) => names.includes(name));
  const lacksVocabulary = kind === 'tokenizer' && !names.some((name) => TOKENIZER_FILE.test(name));
  const lacksWeights = kind === 'model' && fileOf(files, variant) === undefined;
  if (!hasFolder && (lacksConfiguration || lacksVocabulary || lacksWeights)) return 'its folder is missing.';
  if (lacksConfiguration) return `\`${needed[0]}\` is missing.`;
  if (lacksVocabulary) return 'the files of the tokenizer are missing.';
  if (!lacksWeights) return undefined;
  const [stem] = stemsOf(component);
  const [other] = variants.keys();
  if (other !== undefined) return `\`${stem}.safetensors\` is missing; only the variant \`${other}\` is there.`;
  const shards = names.filter((name) => /-\d+-of-\d+.*\.(?:safetensors|bin)$/.test(name));
  return shards.length > 0
    ? 'the index of its shards is missing.'
    : `its weights (\`${stem}.safetensors\` or \`${stem === 'model' ? 'pytorch_model' : stem}.bin\`) are missing.`;
}

/** Configurations of which a component needs one. */
const NEEDED: Readonly<Partial<Record<Kind, readonly [string, ...string[]]>>> = {
  model: ['config.json'],
  scheduler: ['scheduler_config.json'],
  processor: ['preprocessor_config.json', 'processor_config.json', 'video_preprocessor_config.json', 'config.json'],
};

/** Files that make a tokenizer. Each kind of tokenizer needs others of them, and none at all is always wrong. */
const TOKENIZER_FILE =
  /^(?:tokenizer|vocab|merges|spiece|sentencepiece|special_tokens|added_tokens)|\.(?:model|tiktoken)$/;
