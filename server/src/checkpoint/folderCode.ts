/** Code that libraries run for the configuration files of a model folder without `trust_remote_code`. */

import { isJsonObject } from '../jsonObject.ts';
import { isNameIn } from '../published/releases/libraryNames.ts';
import type { Safety } from './checkpoint.ts';
import { needsTrust, notChecked } from './verdicts.ts';

/** True for the name of a file from which the libraries read what to create from a folder. */
export function isConfiguration(name: string): boolean {
  return (/(?:^|_)(?:config|model_index)\.json$/.test(name) && name !== 'data_config.json') || isPartsList(name);
}

/** True for a file in YAML from which libraries read what to create, if it is beside weights. */
export const isYamlConfiguration = (name: string): boolean => /^config\.ya?ml$/.test(name);

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
 * Returns the verdict on such a file, where `namesOf` are the files in a folder beside it; undefined if libraries only
 * store what it says.
 */
export function folderCode(name: string, json: unknown, namesOf: NamesOf): Safety | undefined {
  if (!name.endsWith('model_index.json'))
    return lightGlueCode(json) ?? codeIn(name, name === 'modules.json' ? { modules: json } : json);
  const reason = codeInPipeline(json, namesOf);
  return reason === undefined ? undefined : needsTrust(reason);
}

type NamesOf = (folder: string) => readonly string[] | undefined;

/** Puts a name from a file in quotes; other values are only described. */
const shown = (value: unknown): string =>
  typeof value === 'string' && /^[\w./:@|-]{1,120}$/.test(value) ? `\`${value}\`` : 'something that is not a name';

/** Classes of transformers that unpickle files of the folder, with the first release that refuses. */
const UNPICKLING: Readonly<Record<string, string>> = {
  RagRetriever: '4.36',
  RealmRetriever: '5',
  TransfoXLTokenizer: '4.36',
  TransfoXLCorpus: '5',
};

const NOT_UNPICKLING = `(?!(?:${Object.keys(UNPICKLING).join('|')})$)`;

/** Returns the code that LightGlue runs for the detector that its configuration names. */
function lightGlueCode(json: unknown): Safety | undefined {
  const detector = isJsonObject(json) && json.trust_remote_code ? json.keypoint_detector_config : undefined;
  return isJsonObject(detector) && detector._name_or_path
    ? needsTrust(`LightGlue in transformers before 5 runs the code of ${shown(detector._name_or_path)} without asking.`)
    : undefined;
}

/** Judges what diffusers reads from the metadata of a LoRA file: the configuration of an adapter for each component. */
export function loraMetadataCode(metadata: unknown): Safety | undefined {
  if (!isJsonObject(metadata)) return undefined;
  const entries = Object.entries(metadata).map(([key, value]) => [key.replace(/^\w+\./, ''), value] as const);
  return codeIn('adapter_config.json', Object.fromEntries(entries));
}

/** `name` is a class of transformers. */
function unpickled(name: string): string | undefined {
  const release = Object.hasOwn(UNPICKLING, name) ? UNPICKLING[name] : undefined;
  return release && `Transformers before ${release} unpickles files in this folder for \`${name}\`.`;
}

function importedModule(type: unknown): string {
  return `Sentence-transformers before 6 imports ${shown(type)} without \`trust_remote_code\`.`;
}

function importedByPeft(library: unknown): string {
  return `PEFT before 0.20 imports ${shown(library)} without \`trust_remote_code\`.`;
}

function unpickledByTimm(name: unknown): string {
  return `timm such as 0.9 unpickles the weights ${shown(name)}.`;
}

function loadingOthers(value: unknown): string {
  return `It loads other weights with \`${String(value)}\` as an argument, which may unpickle them.`;
}

/** The pattern of keys that name files in any case. */
const NOTHING = /^$/;

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

/**
 * Keys that decide what a library loads or calls, whatever else the file says. The arguments are those that it passes on
 * to `from_pretrained`; a format of compressed-tensors may be a file of Python.
 */
const LOADING: readonly (readonly [keys: RegExp, plain: RegExp, effect: (value: unknown) => string])[] = [
  [
    /(?:^|\/)(?:model|tokenizer|processor|config|backbone)_(?:args|kwargs)\/(?:weights_only|use_safetensors)$/,
    /^(?:true|null)$/,
    loadingOthers,
  ],
  [
    /(?:^|\/)(?:model|tokenizer|processor|config|backbone)_(?:args|kwargs)\/(?:adapter_kwargs\/.*|cache_dir|code_revision|from_(?:flax|tf)|gguf_file|revision|subfolder|variant)$/,
    /^(?:false|null|)$/,
    loadingOthers,
  ],
  [
    /^quantization_config\/(?:.*\/)?(?:format|type|quant_method)$/,
    /^(?:[\w-]*|null)$/,
    (value) => `compressed-tensors runs the file ${shown(value)}.`,
  ],
  [
    /^(?:modules\/path|(?:merges|vocab)_file)$/,
    /^(?!~|[/\\]|[A-Za-z]:|(?:.*[/\\])?\.\.(?:[/\\]|$))/,
    (path) => `It loads ${shown(path)}, which is outside of the folder.`,
  ],
  [/^types\/(?:\/|(?:.*\/)?\.\.(?:\/|$))/, NOTHING, (type) => `It loads a ${shown(type)} from outside of the folder.`],
  [
    /^(?:pipeline|preprocessors\/[^/]*)\/name$/,
    /^(?:[^.]*|pyannote\.audio\.(?:pipelines|utils\.preprocessors)\.\w+)$/,
    (name) => `pyannote.audio imports and calls ${shown(name)}, which its configuration names.`,
  ],
  [
    /^pt2\/(?!(?:compile\/)?(?:backend|dynamic|enable|fullgraph|mode)$|export\/aot_compile$)/,
    /^(?:true|false|null|[\d.]+)$/,
    (option) => `TorchServe compiles the model with ${shown(option)}, which may name a program.`,
  ],
  [
    /(?:^|\/)class_path$/,
    /^[^.]*$/,
    (name) => `Libraries such as Vocos and Lightning import and call ${shown(name)}, which its configuration names.`,
  ],
];

/** Keys that name code or files to libraries: the values that run nothing, and the effect of others. */
const KEYS: readonly (readonly [keys: RegExp, plain: RegExp, effect: (value: unknown) => string])[] = [
  [
    /attn_implementation(?!_autoset)/,
    /^(?:paged\|)?(?:eager|sdpa|flash_attention_[234]|flex_attention|sdpa_paged|eager_paged)$/,
    (kernel) =>
      `Transformers from 4.52 to 5.2 downloads and runs the kernel ${shown(kernel)} without \`trust_remote_code\`.`,
  ],
  // Without a dot, the name is that of a class in transformers; with one, it can be a tokenizer of words.
  [
    /(?:(?:tokenizer|processor)_class|(?:feature_extractor|(?:image|video)_processor)_type|base_model_class)$/,
    new RegExp(`^${NOT_UNPICKLING}(?:[^.]*|sentence_transformers\\.(?:\\w+\\.)+[A-Z]\\w*Tokenizer)$`),
    (name) => unpickled(String(name)) ?? importedModule(name),
  ],
  [/(?:^|\/)(?:model|tokenizer)_type$/, /^(?!transfo-xl$)/, () => unpickled('TransfoXLTokenizer') ?? ''],
  [/(?:^|\/)(?:modules|types)(?:\/|$)/, SENTENCE_MODULES, importedModule],
  [
    /(?:^|\/)(?:activation_f(?:unctio)?n|sbert_ce_default_activation_function)$/,
    /^(?:[^.]*|torch\.nn\.(?:modules\.\w+\.)?[A-Z]\w*)$/,
    (name) => `Sentence-transformers before 5.4.1 imports and calls ${shown(name)} without \`trust_remote_code\`.`,
  ],
  [
    /^auto_mapping(?:\/parent_library)?$/,
    /^(?:transformers|diffusers|sentence_transformers)(?:\.[a-z_]\w*)*$/,
    importedByPeft,
  ],
  [/^megatron_core$/, /^megatron\.core$/, importedByPeft],
  [/^adapters\//, NOTHING, (name) => `PEFT before 0.14 unpickles the weights of the adapter ${shown(name)}.`],
  [
    /^keypoint_detector_config\/auto_map/,
    NOTHING,
    (name) => `LightGlue in transformers runs ${shown(name)} without asking if its configuration allows that.`,
  ],
  [
    /^tokenizer_kwargs\/trust_remote_code$/,
    NOTHING,
    () => 'PEFT before 0.20 runs the code of a tokenizer without asking, if the adapter is loaded for training.',
  ],
  [/\/trust_remote_code$/, NOTHING, () => 'It sets `trust_remote_code` for a part, whose code may run without asking.'],
  [
    /(?:^|\/)(?:custom_ops_library|backend_path|library_path)$/,
    NOTHING,
    (path) => `ONNX Runtime GenAI loads the program library ${shown(path)}.`,
  ],
  [
    /(?:^|\/)(?:enable_profiling|ep\.context_file_path|optimized_model_filepath)$/,
    NOTHING,
    (path) => `ONNX Runtime GenAI writes a file whose name is ${shown(path)}.`,
  ],
  [
    /(?:^|\/)sudachi_(?:config_path|resource_dir)$/,
    NOTHING,
    (path) => `SudachiPy loads the program libraries that ${shown(path)} names.`,
  ],
  // With a colon, the name of a model in timm is the address of its files.
  [/(?:^|\/)(?:backbone|architecture|timm_model_name)$/, /^(?:[^:]*|timm:\w.*)$/, unpickledByTimm],
  [/(?:^|\/)(?:backbone_kwargs|model_args)\/(?:checkpoint_path|pretrained_cfg)/, NOTHING, unpickledByTimm],
  [/(?:^|\/)pretrained_cfg\/(?:file|hf_hub_filename|state_dict)(?:\/|$)/, /^[^/\\:]+\.safetensors$/, unpickledByTimm],
  [
    /^prompt_tuning_init_state_dict_path$/,
    /\.safetensors$/,
    (path) => `PEFT before 0.14 unpickles ${shown(path)} if the adapter is loaded for training.`,
  ],
];

/** Keys whose values look like names of code or files, but which the libraries that read a file only store or show. */
const STORED: readonly (readonly [file: RegExp, keys: RegExp])[] = [
  [
    /./,
    /(?:^|\/)(?:\w*name_or_path|(?<!keypoint_detector_config\/)auto_map(?:\/.*)?|\w*tokens?(?:\/.*)?|\w*dtype|chat_template(?:\/.*)?)$/,
  ],
  [/./, /^(?:base_model|citation|dataset|description|homepage|license|paper|repo_(?:id|url)|thumbnail|url)$/],
  [/^config/, /(?:^|\/)task_specific_params(?:\/|$)|^(?:id2label|label2id|quantization_config|custom_pipelines)\//],
  [
    /^config/,
    /(?:^|\/)pretrained_cfg\/(?:architecture|classifier|first_conv|hf_hub_id|label_\w+|license|notes|origin_url|paper_\w+|tag|url)$/,
  ],
  [/^config\.ya?ml$/, /./],
  [/^model-config/, /^(?:torchrun\/rdzv-\w+$|handler\/)/],
  [/^config/, /^label_(?:names|descriptions)(?:\/|$)/],
  [/^quantize/, /^meta\//],
  [/^preprocessor/, /(?:^|\/)(?:class_info_file|repo_path|metadata\/class_names)$/],
  // A model of Keras is judged by its classes.
  [/^[a-z]+(?:_converter)?\.json$/, /^(?:module|class_name|registered_name|(?:build_|compile_)?config\/.*)$/],
  [/^modules/, /^modules\/(?:idx|kwargs|name|path)$/],
  [/^config/, /^(?:finetuning_task|(?:mm_)?vision_(?:encoder|tower)|source_\w+|dist_config\/dist_url)$/],
  [/^tokenizer/, /^(?:added_tokens_decoder\/.*|(?:special_tokens_map|tokenizer|vocab|merges)_file)$/],
  [/^sentence_bert/, /^(?:model|tokenizer|config)_args\/trust_remote_code$/],
  [
    /^adapter/,
    /(?:^|\/)(?:(?:target|exclude)_\w+|modules_to_save|layers_pattern|adapter_path|data|model|revision|prompt_tuning_init_text)$/,
  ],
  [/^genai/, /(?:^|\/)(?:(?:\w+_)?filename|external_data_file|(?:inputs|outputs)(?:\/.*)?)$/],
  [/^processor/, /\/operation\/(?:domain|attrs\/.*)$/],
  [/^open_clip/, /\/hf_(?:model|tokenizer)_name$/],
  [/^generation/, /^stop_strings$/],
];

/** True for text in the form of a module, a file, or an address. Releases, markup, and prose are none. */
const isName = (text: string): boolean =>
  /[./\\:]/.test(text) &&
  !/^v?\d+(?:\.\d+){0,5}(?:\.?(?:dev|post|rc|a|b)\d{0,9}){0,2}(?:[-+]\w{1,60}(?:\.\d{1,9}){0,3})?$|^<[^<>]*>$/.test(
    text,
  ) &&
  (!/\S\s+\S/.test(text) || /[/\\]|\.\w+$/.test(text));

function codeIn(file: string, configuration: unknown): Safety | undefined {
  const stored = STORED.filter(([files]) => files.test(file)).map(([, keys]) => keys);
  let doubt: Safety | undefined;
  const waiting: [keys: string, value: unknown][] = [['', configuration]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [keys, value] = next;
    if (typeof value === 'object' && value !== null) {
      const isList = Array.isArray(value);
      for (const [key, each] of Object.entries(value).reverse())
        waiting.push([isList ? keys : keys === '' ? key : `${keys}/${key}`, each]);
      continue;
    }
    const loading = LOADING.find(([known]) => known.test(keys));
    if (loading && !loading[1].test(String(value))) return needsTrust(loading[2](value));
    if (!value || stored.some((known) => known.test(keys))) continue;
    const [, plain, effect] = KEYS.find(([known]) => known.test(keys)) ?? [];
    if (effect && !plain?.test(String(value))) return needsTrust(effect(value));
    if (!effect && typeof value === 'string' && isName(value))
      doubt = notChecked(
        `its \`${file}\` names ${shown(value)} under ${shown(keys)}, and GPU Doctor does not know what uses it`,
      );
  }
  return doubt;
}

/** Returns the code that diffusers runs for a pipeline's index. */
function codeInPipeline(index: unknown, namesOf: NamesOf): string | undefined {
  if (!isJsonObject(index)) return undefined;
  if (Array.isArray(index._class_name))
    return `Diffusers before 0.38 runs ${shown(`${String(index._class_name[0])}.py`)} without asking.`;
  for (const [name, value] of Object.entries(index))
    for (const [library, className] of name.startsWith('_') ? [] : pairsIn(value)) {
      // Arguments of a pipeline can be pairs of numbers.
      if (library === null || (typeof library !== 'string' && typeof className !== 'string')) continue;
      const isOwn = library === 'diffusers' || library === 'transformers' || isNameIn('diffusers', String(library));
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
  if (value.length !== 2 && value.length !== 3) return [];
  return [value, ...(isJsonObject(value[2]) ? pairsIn(value[2].type_hint) : [])];
}
