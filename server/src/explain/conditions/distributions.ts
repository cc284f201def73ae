/** What pip calls the package of a module; only of those that are known, as a guess could name a stranger's package. */

/** Packages that are installed under the name of their module, with hyphens for what joins its words. */
const SAME_NAME: ReadonlySet<string> = new Set(
  `accelerate albumentations auto_gptq autokeras basicsr bert4keras bitsandbytes blackjax brax causal_conv1d chex cupy
  controlnet_aux ctranslate2 datasets deepface deepspeed diffrax diffusers distrax dynamax efficientnet equinox evaluate
  facexlib fairscale fastai faster_whisper flash_attn flax gfpgan gpflow gpytorch gptqmodel gradio
  gradio_client huggingface_hub imgaug jax jaxlib jaxopt jaxtyping kornia lightning
  lightning_fabric lightning_utilities liger_kernel lm_eval mamba_ssm mmcv mmdet mmengine mmpretrain
  ml_dtypes monai numba numpy numpyro onnx onnx2tf onnxruntime open3d optax optimum
  peft pytorch_lightning pytorch_metric_learning pytorch_tabnet ray safetensors sax scikeras segmentation_models
  segmentation_models_pytorch sentence_transformers sglang shap simpletransformers spacy spektral stable_baselines3
  stellargraph tensorboard tensorflowjs tensorstore tf2onnx tf_agents tf_explain tf_keras_vis tf_slim
  tfjs_graph_converter thinc timm tokenizers torch torch_geometric torchao torchaudio torchdata torchmetrics torchtext
  torchtune torchvision transformers trl ultralytics unsloth unsloth_zoo vllm whisperx xformers xgrammar
  tensorflow_hub tensorflow_addons tensorflow_text tensorflow_probability tensorflow_datasets
  tensorflow_model_optimization tensorflow_federated tensorflow_recommenders tensorflow_decision_forests tensorflow_io
  keras_cv keras_nlp keras_hub keras_tuner keras_bert keras_applications keras_preprocessing`.split(/\s+/),
);

const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['PIL', 'pillow'],
  ['classification_models', 'image-classifiers'],
  ['flashinfer', 'flashinfer-python'],
  ['haiku', 'dm-haiku'],
  ['kerastuner', 'keras-tuner'],
  ['mmseg', 'mmsegmentation'],
  ['nemo', 'nemo_toolkit'],
  ['official', 'tf-models-official'],
  ['open_clip', 'open_clip_torch'],
  ['orbax', 'orbax-checkpoint'],
  ['pyannote', 'pyannote.audio'],
  ['retinaface', 'retina-face'],
  ['rl', 'keras-rl2'],
  ['skimage', 'scikit-image'],
  ['sklearn', 'scikit-learn'],
  ['tcn', 'keras-tcn'],
  ['vis', 'keras-vis'],
  ['whisper', 'openai-whisper'],
]);

export function distributionOf(module: string): string | undefined {
  return OTHER_NAMES.get(module) ?? (SAME_NAME.has(module) ? module.replaceAll('_', '-') : undefined);
}
