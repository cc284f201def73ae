/** The tests that fixes write, through the name that torch has at a place. */
import type { Program } from '../../python/program.ts';
import type { Call, Node } from '../../python/syntax.ts';
import type { Edit } from '../contract.ts';
import { moduleNameAt } from './moduleNames.ts';
import { quotedNear } from './quotes.ts';
import { isReachedBefore, placeAfterImport, writeAt } from './topLevel.ts';

export interface ModuleText {
  /** How the module is written: `torch`, `th`. */
  readonly text: string;
  /** What has to be written elsewhere for it: an import, or nothing. */
  readonly edits: readonly Edit[];
}

/** The name of torch at a node, with the import that it may need; undefined when `torch` means something else there. */
export function torchAt(program: Program, node: Node): ModuleText | undefined {
  return moduleAt(program, node, 'torch', 'torch', 'import torch');
}

const TENSORFLOW = ['tensorflow', 'tensorflow.compat.v1', 'tensorflow.compat.v2'];

/** The same for TensorFlow. */
export function tensorflowAt(program: Program, node: Node): ModuleText | undefined {
  const known = moduleNameAt(program, node, ...TENSORFLOW);
  return known
    ? { text: known.name, edits: [] }
    : moduleAt(program, node, 'tensorflow', 'tf', 'import tensorflow as tf');
}

function moduleAt(
  program: Program,
  node: Node,
  module: string,
  alias: string,
  importLine: string,
): ModuleText | undefined {
  const known = moduleNameAt(program, node, module);
  if (known) return { text: known.name, edits: [] };
  const place = placeAfterImport(program, module, alias, node);
  if (!place || place.moduleName || isReachedBefore(program, node, place)) return undefined;
  return { text: alias, edits: [writeAt(program, place, importLine, [])] };
}

/** `torch.cuda`, as a call of one of its functions writes it, else through torch's own name. */
export function cudaModuleOf(program: Program, call: Call): ModuleText | undefined {
  const { func } = call;
  if (func.kind === 'Attribute' && program.names.qualify(func.value).includes('torch.cuda')) {
    return { text: program.text.slice(func.value.start, func.value.end), edits: [] };
  }
  const torch = torchAt(program, call);
  return torch && { ...torch, text: `${torch.text}.cuda` };
}

/** `if torch.cuda.is_available() else "cpu"`, to stand after an expression that needs a GPU. */
export function elseCpu(program: Program, near: Node, torch: ModuleText): string {
  return ` if ${torch.text}.cuda.is_available() else ${quotedNear(program, near, 'cpu')}`;
}

/** A family of libraries that need torch themselves: where one is imported, torch can be. */
const TORCH_FAMILY =
  /^(torch\w*|pytorch_\w+|lightning|transformers|diffusers|sentence_transformers|accelerate|peft|trl|timm|whisper|whisperx|ultralytics|open_clip|clip|fairseq|detectron2|mmcv|mmengine|mmdet|monai|fastai|kornia|bitsandbytes|segment_anything|xformers|stable_baselines3)$/;

/** False for a program in which nothing tells that torch is installed where it runs. */
export function isTorchProgram(program: Program): boolean {
  for (const scope of [program.flow.module, ...program.flow.scopes.values()]) {
    if (scope.starImports.some((module) => TORCH_FAMILY.test(module.split('.')[0] ?? ''))) return true;
    for (const definitions of scope.definitions.values()) {
      if (definitions.some(({ qualified }) => TORCH_FAMILY.test(qualified?.split('.')[0] ?? ''))) return true;
    }
  }
  return false;
}

/** True for a program of the days before torch 0.4, which has neither `torch.device` nor `to`. */
export function isOldTorch(program: Program): boolean {
  return program.flow.calls.some(({ args }) => args.some(({ name }) => name === 'async' || name === 'volatile'));
}

/** True for a program that is written for TensorFlow 1, where looking at the devices takes them into use. */
export function isTensorflow1(program: Program): boolean {
  const isOld = (name: string) =>
    /^tensorflow\.(Session|InteractiveSession|placeholder|ConfigProto|GPUOptions|get_variable|variable_scope|global_variables_initializer|contrib|app|flags|layers)(\.|$)/.test(
      name,
    );
  return program.flow.attributes.some((attribute) => program.names.qualify(attribute).some(isOld));
}
