/** Code that libraries run for the configuration files of a model folder without `trust_remote_code`. */
import type { Safety } from './checkpoint.ts';
import { needsTrust } from './verdicts.ts';

type Parts = Readonly<Record<string, unknown>>;

const isParts = (value: unknown): value is Parts =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** True for the name of a file from which the libraries read what to create from a folder. */
export function isConfiguration(name: string): boolean {
  return /(?:^|_)(?:config|model_index)\.json$/.test(name) || isPartsList(name);
}

/** True for a file that lists the parts of a model, which are in folders and may have no weights beside the list. */
export function isPartsList(name: string): boolean {
  return name === 'modules.json' || name === 'modular_model_index.json' || Object.hasOwn(PROGRAMS, name);
}

/** Descriptions that may name any function, and what their libraries do. */
export const PROGRAMS: Readonly<Record<string, string>> = {
  MLmodel: 'MLflow imports and calls what its `MLmodel` names.',
  'hyperparams.yaml': 'SpeechBrain imports and calls what its `hyperparams.yaml` names.',
};

/**
 * Returns the verdict on such a file, where `namesOf` are the files in a folder beside it; undefined if the libraries
 * run nothing for it.
 */
export function folderCode(name: string, json: unknown, namesOf: NamesOf): Safety | undefined {
  const reason = name.endsWith('model_index.json')
    ? codeInPipeline(json, namesOf)
    : name === 'modules.json'
      ? codeInModules(json)
      : codeInConfiguration(json);
  return reason === undefined ? undefined : needsTrust(reason);
}

type NamesOf = (folder: string) => readonly string[] | undefined;

/** Puts a name from a file in quotes; other values are only described. */
const shown = (value: unknown): string =>
  typeof value === 'string' && /^[\w./:@|-]{1,120}$/.test(value) ? `\`${value}\`` : 'something that is not a name';

/** Returns the code that libraries run for a key, given its value and the object that it is in. */
type CodeInKey = (value: unknown, parts: Parts) => string | undefined;

/** Keys of configurations for which libraries import code, or unpickle files. */
const KEYS: readonly (readonly [key: RegExp, code: CodeInKey])[] = [
  [/attn_implementation(?:_\w+)?$/, codeInAttention],
  [/^(?:(?:tokenizer|processor)_class|(?:feature_extractor|image_processor)_type)$/, codeInClass],
  [/^model_type$/, (type) => (type === 'transfo-xl' ? unpickled('TransfoXLTokenizer') : undefined)],
  [/^(?:activation_f(?:unctio)?n|sbert_ce_default_activation_function)$/, codeInActivation],
  [/^types$/, codeInRouter],
  [/^auto_mapping$/, codeInMapping],
  [/^megatron_core$/, codeInMegatron],
  [/^(?:custom_ops_library|backend_path)$/, codeInLibrary],
  [/^sudachi_(?:config_path|resource_dir)$/, codeInSudachi],
  [/^tokenizer_kwargs$/, codeInTokenizerOptions],
  [/^(?:backbone|architecture|timm_model_name)$/, codeInBackbone],
  [/^(?:backbone_kwargs|model_args)$/, codeInTimmOptions],
];

function codeInConfiguration(configuration: unknown): string | undefined {
  const waiting: unknown[] = [configuration];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, each] of Object.entries(value)) {
      waiting.push(each);
      const code = KEYS.find(([keys]) => keys.test(key))?.[1](each, value as Parts);
      if (code !== undefined) return code;
    }
  }
  return undefined;
}

/** Implementations of attention in transformers itself. */
const ATTENTIONS = /^(?:paged\|)?(?:eager|sdpa|flash_attention_[234]|flex_attention|sdpa_paged|eager_paged)$/;

/** A kernel is named by its repository: `org/repository`. */
function codeInAttention(value: unknown): string | undefined {
  const names = isParts(value) ? Object.values(value) : [value];
  const foreign = names.find((name) => typeof name === 'string' && !ATTENTIONS.test(name));
  if (foreign === undefined) return undefined;
  return `Transformers from 4.52 to 5.2 downloads and runs the kernel ${shown(foreign)} without \`trust_remote_code\`.`;
}

/** Classes of transformers that unpickle files of the folder, with the first release that refuses. */
const UNPICKLING: Readonly<Record<string, string>> = {
  RagRetriever: '4.36',
  RealmRetriever: '5',
  TransfoXLTokenizer: '4.36',
};

/** `name` is a class of transformers. */
function unpickled(name: string): string | undefined {
  const release = Object.hasOwn(UNPICKLING, name) ? UNPICKLING[name] : undefined;
  return release && `Transformers before ${release} unpickles files in this folder for \`${name}\`.`;
}

/** The class of a tokenizer or processor; with a dot, the tokenizer of sentence-transformers' word embeddings. */
function codeInClass(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const isForeign = value.includes('.') && !/^sentence_transformers\.(?:\w+\.)+[A-Z]\w*Tokenizer$/.test(value);
  return isForeign ? importedModule(value) : unpickled(value);
}

/** Activations are Python names if they have a dot; transformers' own names have none. */
function codeInActivation(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.includes('.') || /^torch\.nn\.(?:modules\.\w+\.)?[A-Z]\w*$/.test(value))
    return undefined;
  return `Sentence-transformers before 5.4.1 imports and calls ${shown(value)} without \`trust_remote_code\`.`;
}

function codeInMapping(mapping: unknown): string | undefined {
  const library = isParts(mapping) ? mapping.parent_library : mapping;
  if (library === undefined || library === null || (typeof library === 'string' && PARENTS.test(library)))
    return undefined;
  return `PEFT before 0.20 imports ${shown(library)} without \`trust_remote_code\`.`;
}

/** Libraries whose modules an adapter's base model may come from. */
const PARENTS = /^(?:transformers|diffusers|sentence_transformers)(?:\.[a-z_]\w*)*$/;

function codeInMegatron(library: unknown, { megatron_config: config }: Parts): string | undefined {
  return config && library !== 'megatron.core'
    ? `PEFT before 0.20 imports ${shown(library)} without \`trust_remote_code\`.`
    : undefined;
}

function codeInTokenizerOptions(options: unknown): string | undefined {
  return isParts(options) && options.trust_remote_code
    ? 'PEFT before 0.20 runs the code of a tokenizer without asking, if the adapter is loaded for training.'
    : undefined;
}

function codeInLibrary(path: unknown): string | undefined {
  return path ? `ONNX Runtime GenAI loads the program library ${shown(path)}.` : undefined;
}

function codeInSudachi(path: unknown): string | undefined {
  return path ? `SudachiPy loads the program libraries that ${shown(path)} names.` : undefined;
}

/** Models of timm have no colon; with one, the name is an address of files. */
function codeInBackbone(name: unknown): string | undefined {
  return typeof name === 'string' && name.includes(':') && !/^timm:\w/.test(name) ? unpickledByTimm(name) : undefined;
}

const unpickledByTimm = (name: unknown) => `timm such as 0.9 unpickles the weights ${shown(name)}.`;

/** Options of timm that name files. */
const TIMM_FILES = /^(?:checkpoint_path|pretrained_cfg(?:_overlay)?)$/;

function codeInTimmOptions(options: unknown): string | undefined {
  const found = isParts(options) && Object.entries(options).find(([key, value]) => TIMM_FILES.test(key) && value);
  return found ? unpickledByTimm(found[1]) : undefined;
}

/** Modules of sentence-transformers by package, with the names of files and classes in them. */
const SENTENCE_MODULES = new RegExp(
  `^sentence_transformers\\.(?:(?:sparse_encoder\\.)?models|(?:base|sentence_transformer|sparse_encoder|cross_encoder|multi_vector_encoder)\\.modules)(?:\\.(?:${`Asym BoW CLIPModel CNN Dense Dropout LSTM LayerNorm LogitScore MLMTransformer MultiVectorMask Normalize Pooling Router
    SparseAutoEncoder SparseStaticEmbedding SpladePooling StaticEmbedding TokenPooling Transformer WeightedLayerPooling
    WordEmbeddings WordWeights bow clip_model cnn dense dropout layer_norm logit_score lstm mlm_transformer multi_vector_mask
    normalize pooling router sparse_auto_encoder sparse_static_embedding splade_pooling static_embedding token_pooling
    transformer weighted_layer_pooling word_embeddings word_weights`
    .split(/\s+/)
    .join('|')})){1,2}$`,
);

function codeInModules(modules: unknown): string | undefined {
  for (const each of Array.isArray(modules) ? modules : [modules]) {
    const type = isParts(each) ? each.type : each;
    if (typeof type !== 'string' || !SENTENCE_MODULES.test(type)) return importedModule(type);
  }
  return undefined;
}

const importedModule = (type: unknown) =>
  `Sentence-transformers before 6 imports ${shown(type)} without \`trust_remote_code\`.`;

/** The modules of a router by the names of their folders. */
function codeInRouter(types: unknown): string | undefined {
  const foreign = isParts(types)
    ? Object.values(types).find(
        (type) => typeof type === 'string' && type.includes('.') && !SENTENCE_MODULES.test(type),
      )
    : undefined;
  return foreign === undefined ? undefined : importedModule(foreign);
}

/** Packages in `diffusers.pipelines` with classes of components, in diffusers 0.16 to 0.42. */
const PIPELINES: ReadonlySet<string> = new Set(
  `ace_step alt_diffusion audio_diffusion audioldm2 blip_diffusion bria_fibo2 controlnet cosmos deepfloyd_if deprecated
   flux flux2 ideogram4 joyimage kandinsky kolors latent_diffusion ltx ltx2 marigold onnx paint_by_example
   pipeline_animatediff sana_wm shap_e spectrogram_diffusion stable_audio stable_audio_3 stable_diffusion
   stable_diffusion_attend_and_excite stable_diffusion_safe unclip unidiffuser versatile_diffusion visualcloze
   vq_diffusion wan wuerstchen`.split(/\s+/),
);

/** Returns the code that diffusers runs for a pipeline's index. */
function codeInPipeline(index: unknown, namesOf: NamesOf): string | undefined {
  if (!isParts(index)) return undefined;
  if (Array.isArray(index._class_name))
    return `Diffusers before 0.38 runs ${shown(`${String(index._class_name[0])}.py`)} without asking.`;
  for (const [name, value] of Object.entries(index))
    for (const [library, className] of name.startsWith('_') ? [] : pairsIn(value)) {
      // Arguments of a pipeline can be pairs of numbers.
      if (library === null || (typeof library !== 'string' && typeof className !== 'string')) continue;
      const isOwn = library === 'diffusers' || library === 'transformers' || PIPELINES.has(String(library));
      const hasFile = namesOf(name)?.includes(`${String(library)}.py`);
      if (!isOwn || hasFile || typeof className !== 'string' || !/^[A-Z]\w*$/.test(className))
        return `Diffusers before 0.42.1 imports ${shown(`${library}.${className}`)} without asking.`;
      const reason = unpickled(className);
      if (reason !== undefined) return reason;
    }
  return undefined;
}

/** Returns the pairs of a library and a class in an entry, including those that Python unpacks from other values. */
function pairsIn(value: unknown): (readonly unknown[])[] {
  if (typeof value === 'string') return [...value].length === 2 ? [[...value]] : [];
  if (typeof value !== 'object' || value === null) return [];
  if (!Array.isArray(value)) return Object.keys(value).length === 2 ? [Object.keys(value)] : [];
  // The third element of a modular pipeline's entry has a pair of its own.
  const hint = isParts(value[2]) ? value[2].type_hint : undefined;
  return value.length === 2 || value.length === 3 ? [value, ...(Array.isArray(hint) ? [hint] : [])] : [];
}
