/** Code that libraries run for the configuration files of a model folder without `trust_remote_code`. */
import type { Safety } from './checkpoint.ts';
import { needsTrust } from './verdicts.ts';

type Parts = Readonly<Record<string, unknown>>;

const isParts = (value: unknown): value is Parts =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Configuration files beside weights, with the function that finds such code in each. */
export const CODE_IN_FOLDER: Readonly<Record<string, (json: unknown) => string | undefined>> = {
  'config.json': codeInConfig,
  'adapter_config.json': codeInAdapter,
  'modules.json': codeInModules,
};

/** Returns the verdict on a configuration file; undefined if its library runs nothing for it. */
export function folderCode(name: string, json: unknown): Safety | undefined {
  const reason = CODE_IN_FOLDER[name]?.(json);
  return reason === undefined ? undefined : needsTrust(reason);
}

/** Puts a name from a file in quotes; other values are only described. */
const shown = (value: unknown): string =>
  typeof value === 'string' && /^[\w./:@|-]{1,120}$/.test(value) ? `\`${value}\`` : 'something that is not a name';

/** Implementations of attention in transformers itself. */
const ATTENTIONS = /^(?:paged\|)?(?:eager|sdpa|flash_attention_[234]|flex_attention|sdpa_paged|eager_paged)$/;

/** Transformers downloads and imports a kernel that a configuration names: `org/repository`. */
function codeInConfig(config: unknown): string | undefined {
  const waiting: unknown[] = [config];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, each] of Object.entries(value)) {
      waiting.push(each);
      const names = isParts(each) ? Object.values(each) : [each];
      const foreign = names.find((name) => typeof name === 'string' && !ATTENTIONS.test(name));
      if (/attn_implementation(?:_\w+)?$/.test(key) && foreign !== undefined)
        return `Transformers such as 4.57 downloads and runs the kernel ${shown(foreign)} without \`trust_remote_code\`.`;
    }
  }
  return undefined;
}

/** Libraries whose modules an adapter's base model may come from. */
const PARENTS = /^(?:transformers|diffusers|sentence_transformers)(?:\.[a-z_]\w*)*$/;

function codeInAdapter(config: unknown): string | undefined {
  const mapping = isParts(config) ? config.auto_mapping : undefined;
  if (mapping === undefined || mapping === null) return undefined;
  const library = isParts(mapping) ? mapping.parent_library : mapping;
  if (library === undefined || library === null || (typeof library === 'string' && PARENTS.test(library)))
    return undefined;
  return `PEFT such as 0.12 imports ${shown(library)} without \`trust_remote_code\`; 0.21.2 refuses.`;
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
    if (typeof type !== 'string' || !SENTENCE_MODULES.test(type))
      return `Sentence-transformers such as 5.1 imports ${shown(type)} without \`trust_remote_code\`; 6.2.0 refuses.`;
  }
  return undefined;
}

/** Pipelines of diffusers whose modules have classes of components. */
const PIPELINES =
  `stable_diffusion stable_diffusion_safe latent_diffusion paint_by_example deepfloyd_if kandinsky unidiffuser unclip
  wuerstchen stable_audio audioldm2 shap_e blip_diffusion spectrogram_diffusion pipeline_animatediff alt_diffusion onnx`.split(
    /\s+/,
  );

/** Returns the code that diffusers runs for a pipeline's index, where `names` are the files of each component. */
export function codeInPipeline(
  index: Parts,
  namesOf: (component: string) => readonly string[] | undefined,
): Safety | undefined {
  if (Array.isArray(index._class_name))
    return needsTrust(`Diffusers before 0.42 runs ${shown(`${String(index._class_name[0])}.py`)} without asking.`);
  for (const [name, value] of Object.entries(index)) {
    if (name.startsWith('_') || !Array.isArray(value) || value.length !== 2 || value[0] === null) continue;
    const [library, className] = value;
    // Arguments of a pipeline can be pairs of numbers.
    if (typeof library !== 'string' && typeof className !== 'string') continue;
    const isOwn = library === 'diffusers' || library === 'transformers' || PIPELINES.includes(String(library));
    const hasFile = namesOf(name)?.includes(`${String(library)}.py`);
    if (!isOwn || hasFile || typeof className !== 'string' || !/^[A-Z]\w*$/.test(className))
      return needsTrust(`Diffusers before 0.42 imports ${shown(`${library}.${className}`)} without asking.`);
  }
  return undefined;
}
