/** A diffusers pipeline: models, schedulers and tokenizers in the folders that its `model_index.json` lists. */
export interface Pipeline {
  /** The class that loads it: `StableDiffusionPipeline`. */
  readonly className?: string;
  readonly components: readonly PipelineComponent[];
  /** The variant that `from_pretrained(folder)` requires to find the weights of some component: `fp16`. */
  readonly neededVariant?: string;
}

/** A component as `model_index.json` lists it. */
export interface ListedComponent {
  /** Its folder: `unet`. */
  readonly name: string;
  /** `diffusers`, `transformers`, or a module of the pipeline. */
  readonly library: string;
  readonly className: string;
}

export interface PipelineComponent extends ListedComponent {
  /**
   * The file that loads by default, or the index if there are several. Undefined for a component without weights, or if
   * they are missing.
   */
  readonly weights?: string;
  /** Size of these weights in bytes, or of the only variant if the default weights are missing. */
  readonly size: number;
  /**
   * Other files with the same weights, which `from_pretrained(folder)` does not load:
   * `diffusion_pytorch_model.fp16.safetensors`.
   */
  readonly others: readonly string[];
  /** Variants of the weights, sorted: `fp16`. */
  readonly variants: readonly string[];
}
