/** The files of a pipeline's components: which ones diffusers and transformers load, and which ones they need. */
import { join } from 'node:path';
import type { ListedComponent } from '../../pipeline.ts';

export interface ComponentFiles {
  readonly component: ListedComponent;
  /** The folder with its files: its own folder, or the pipeline's, where diffusers looks next. */
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
  const programs = /^(?:Onnx|ORT)/.test(component.className) ? ['model.onnx'] : [];
  const weights = [...programs, ...defaults, ...pickled].find((name) => names.includes(name));
  const all = names.filter((name) => stems.some((stem) => isWeights(name, stem)));
  const variants = new Map<string, string>();
  // For each variant, safetensors files take precedence.
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
    weights,
    variants,
    others: all.filter((name) => name !== weights),
  };
}

type Kind = 'model' | 'scheduler' | 'tokenizer' | 'processor' | 'other';

/**
 * Returns the kind of a diffusers or transformers class, according to its name. The requirements of other libraries are
 * unknown.
 */
function kindOf({ library, className }: ListedComponent): Kind {
  if (library !== 'diffusers' && library !== 'transformers') return 'other';
  if (/Scheduler$/.test(className)) return 'scheduler';
  if (/Tokenizer(?:Fast)?$/.test(className)) return 'tokenizer';
  if (/(?:Processor|FeatureExtractor)(?:Fast)?$/.test(className)) return 'processor';
  if (/^(?:Flax|Onnx|TF)/.test(className)) return 'other';
  return library === 'transformers' || DIFFUSERS_MODEL.test(className) ? 'model' : 'other';
}

/** Matches the names of models in diffusers; its other classes save only a configuration. */
const DIFFUSERS_MODEL = /Model|UNet|Unet|Autoencoder|Transformer|ControlNet|Adapter|VAE|VQ|Prior|Encoder|Decoder/;

/** Returns the file name stems under which the libraries save weights. */
function stemsOf({ library }: ListedComponent): readonly string[] {
  if (library === 'diffusers') return ['diffusion_pytorch_model'];
  return library === 'transformers'
    ? ['model', 'pytorch_model']
    : ['diffusion_pytorch_model', 'model', 'pytorch_model'];
}

/** True for `model.safetensors`, `model.fp16.bin` and the indexes of shards, but not for the shards themselves. */
function isWeights(name: string, stem: string): boolean {
  return (
    new RegExp(`^${stem}(?:\\.[\\w-]+)?\\.(?:safetensors|bin)(?:\\.index(?:\\.[\\w-]+)?\\.json)?$`).test(name) &&
    !/-\d+-of-\d+/.test(name)
  );
}

/**
 * Returns the variant in a file name: `fp16` in `model.fp16.safetensors` and in `model.safetensors.index.fp16.json`.
 */
function variantOf(name: string): string | undefined {
  return (/^\w+\.([\w-]+)\.(?:safetensors|bin)$/.exec(name) ?? /\.index\.([\w-]+)\.json$/.exec(name))?.[1];
}

/** Returns the weights that load by default, or those of the variant if there are no others. */
export function fileOf({ weights, variants }: ComponentFiles, variant: string | undefined): string | undefined {
  return weights ?? (variant === undefined ? undefined : variants.get(variant));
}

/** Returns why a component does not load, as a sentence; undefined if all of its files exist or if this is unknown. */
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
  if (other !== undefined) return `\`${stem}.safetensors\` is missing; only the variant \`${other}\` exists.`;
  const shards = names.filter((name) => /-\d+-of-\d+.*\.(?:safetensors|bin)$/.test(name));
  return shards.length > 0
    ? 'the index of its shards is missing.'
    : `its weights (\`${stem}.safetensors\` or \`${stem === 'model' ? 'pytorch_model' : stem}.bin\`) are missing.`;
}

/** Configuration files, at least one of which a component needs. */
const NEEDED: Readonly<Partial<Record<Kind, readonly [string, ...string[]]>>> = {
  model: ['config.json'],
  scheduler: ['scheduler_config.json'],
  processor: ['preprocessor_config.json', 'processor_config.json', 'video_preprocessor_config.json', 'config.json'],
};

/** Tokenizer files. Each kind needs a different selection, but a tokenizer without any of them never works. */
const TOKENIZER_FILE =
  /^(?:tokenizer|vocab|merges|spiece|sentencepiece|special_tokens|added_tokens)|\.(?:model|tiktoken)$/;
