/** Compares the tensors of a LoRA adapter with those of its base model. */
import type { Tensor } from './checkpoint.ts';
import { enumeratedCode } from './enumerated.ts';

/** The entries of `adapter_config.json` that decide whether an adapter loads. */
interface AdapterShape {
  /** The default rank of the modules; undefined if the configuration does not give a number. */
  readonly rank?: number;
  /** Modules with their own rank, as regular expressions for the ends of their names. */
  readonly ownRanks: readonly string[];
  /** True for a base model with packed weights, whose stored shapes differ from the model's. */
  readonly isPacked: boolean;
}

export interface AdapterFit {
  /** Reasons why `PeftModel.from_pretrained(base, folder)` cannot load the adapter, as sentences. */
  readonly misfits: readonly string[];
  readonly about: readonly string[];
}

/**
 * Compares an adapter with its base model. Each kind of difference was tested with PEFT 0.7: see
 * `fixtures/make_model_folders.py`.
 */
export function adapterFit(adapter: readonly Tensor[], base: readonly Tensor[], shape: AdapterShape): AdapterFit {
  const modules = changedModules(adapter);
  const weights = weightsBySuffix(base);
  const judged = [...modules].filter(([path]) => !/(^|\.)experts(\.|$)/.test(path));
  const missing: string[] = [];
  const ofOtherShape: string[] = [];
  for (const [path, changes] of judged) {
    const found = weightsOf(path, weights);
    if (found.length === 0) missing.push(path);
    else if (!found.some((weight) => fits(changes, weight, shape.isPacked))) ofOtherShape.push(path);
  }
  const ranks = judged.filter(([, changes]) => !hasRank(changes, shape)).map(([path]) => path);
  const resized = wholeModules(adapter).flatMap((tensor) => resizedRows(tensor, weights));
  if (judged.length > 0 && missing.length === judged.length)
    return {
      misfits: [`Its base model has none of the modules that it changes, such as ${shown(missing)}.`],
      about: [],
    };
  const misfits: string[] = [];
  if (ofOtherShape.length > 0)
    misfits.push(
      `It does not fit its base model: shapes differ in ${ofOtherShape.length} of ${judged.length} modules, such as ${shapesOf(ofOtherShape[0] ?? '', modules, weights)}.`,
    );
  if (ranks.length > 0)
    misfits.push(
      `The rank in its configuration is ${shape.rank}, but its tensors for ${shown(ranks)} have a different rank.`,
    );
  const about: string[] = [];
  if (missing.length > 0)
    about.push(
      `Its base model has no weights for ${missing.length} of the ${judged.length} modules that it changes, such as ${shown(missing)}: PEFT skips their tensors without an error.`,
    );
  else if (misfits.length === 0 && judged.length > 0)
    about.push(
      `It fits its base model on this machine, which has ${judged.length === 1 ? 'the module' : `all ${judged.length} modules`} that it changes${shape.isPacked ? '. Shapes are not compared: the base is quantized.' : ', with the same shapes.'}`,
    );
  return { misfits, about: [...about, ...resized] };
}

/** The tensors of a module by kind, such as `lora_A`. */
type Changes = ReadonlyMap<string, Tensor>;

const LORA = /^(?:base_model\.model\.)?(.+)\.(lora_(?:embedding_)?[AB])(?:\.(?!weight$)[\w-]+)?(?:\.weight)?$/;

function changedModules(adapter: readonly Tensor[]): ReadonlyMap<string, Changes> {
  const modules = new Map<string, Map<string, Tensor>>();
  for (const tensor of adapter) {
    const [, path, kind] = LORA.exec(tensor.name) ?? [];
    if (path === undefined || kind === undefined) continue;
    const changes = modules.get(path) ?? new Map<string, Tensor>();
    modules.set(path, changes.set(kind, tensor));
  }
  return modules;
}

/** Returns the tensors of fully trained modules, without PEFT's prefix. */
function wholeModules(adapter: readonly Tensor[]): Tensor[] {
  return adapter.flatMap((tensor) => {
    const [, name] = /^base_model\.model\.(.+\.weight)$/.exec(tensor.name) ?? [];
    return name === undefined || LORA.test(tensor.name) ? [] : [{ ...tensor, name }];
  });
}

/** The weights of a base model, keyed by every suffix of their module's path: `layers.0.q_proj` and `q_proj`. */
type WeightsBySuffix = ReadonlyMap<string, readonly Tensor[]>;

function weightsBySuffix(base: readonly Tensor[]): WeightsBySuffix {
  const found = new Map<string, Tensor[]>();
  for (const tensor of base) {
    const parts = tensor.name.split('.').slice(0, -1);
    for (let start = 0; start < Math.min(parts.length, MOST_PARTS); start++) {
      const suffix = parts.slice(start).join('.');
      const known = found.get(suffix);
      if (!known) found.set(suffix, [tensor]);
      else if (known.length < MOST_ALIKE) known.push(tensor);
    }
  }
  return found;
}

/** Limits on the number of parts in a name and of weights per suffix. */
const MOST_PARTS = 16;
const MOST_ALIKE = 64;

/**
 * Returns the weights of a module. Checkpoints omit or add prefixes such as `model.` or `transformer.`, so modules are
 * matched by the longest common suffix that includes the layer's number.
 */
function weightsOf(path: string, weights: WeightsBySuffix): readonly Tensor[] {
  const parts = path.split('.');
  const layer = parts.findIndex((part) => /^\d+$/.test(part));
  const last = layer < 0 ? parts.length - 1 : Math.max(0, layer - 1);
  for (let start = 0; start <= last; start++) {
    const found = weights.get(parts.slice(start).join('.'));
    if (found) return found;
  }
  return [];
}

/** True if the adapter's tensors fit a weight, or if the weight is not stored in the model's form. */
function fits(changes: Changes, weight: Tensor, isPacked: boolean): boolean {
  if (isPacked || !weight.name.endsWith('.weight') || !/^(?:b?float|float8)/.test(weight.dtype)) return true;
  const [rows, columns] = weight.shape;
  const [a, b] = [changes.get('lora_A'), changes.get('lora_B')];
  const [rowsIn, columnsIn] = [changes.get('lora_embedding_A'), changes.get('lora_embedding_B')];
  if (rowsIn && columnsIn) return rowsIn.shape[1] === rows && columnsIn.shape[0] === columns;
  if (!a || !b || weight.shape.length < 2 || weight.shape.length === 3) return true;
  const isAlong = b.shape[0] === rows && a.shape[1] === columns;
  // GPT-2's `Conv1D` stores its weight transposed.
  return isAlong || (weight.shape.length === 2 && b.shape[0] === columns && a.shape[1] === rows);
}

/** True if the tensors have the rank with which PEFT creates the module. */
function hasRank(changes: Changes, { rank, ownRanks }: AdapterShape): boolean {
  if (rank === undefined || ownRanks.length > 0) return true;
  const a = changes.get('lora_A') ?? changes.get('lora_embedding_A');
  return a?.shape[0] === undefined || a.shape[0] === rank;
}

/** Reports rows added to or removed from an embedding: the base model must be resized before the adapter loads. */
function resizedRows({ name, shape }: Tensor, weights: WeightsBySuffix): string[] {
  const [rows, columns] = shape;
  const base = weightsOf(name.replace(/\.weight$/, ''), weights).find((weight) => weight.name.endsWith('.weight'));
  if (shape.length !== 2 || base?.shape.length !== 2 || base.shape[1] !== columns || base.shape[0] === rows) return [];
  return [
    `Its \`${cut(name)}\` has ${rows} rows, and that of its base model has ${base.shape[0]}: resize the embeddings of the base first.`,
  ];
}

function shown(paths: readonly string[]): string {
  return enumeratedCode(paths.slice(0, MOST_NAMED).map(cut));
}

/** "`layers.0.q_proj` (8 × 8 here, 16 × 16 in the base)" */
function shapesOf(path: string, modules: ReadonlyMap<string, Changes>, weights: WeightsBySuffix): string {
  const changes = modules.get(path);
  const a = changes?.get('lora_A') ?? changes?.get('lora_embedding_A');
  const b = changes?.get('lora_B') ?? changes?.get('lora_embedding_B');
  const isEmbedding = changes?.has('lora_embedding_A');
  const own = isEmbedding ? [a?.shape[1], b?.shape[0]] : [b?.shape[0], a?.shape[1]];
  const base = weightsOf(path, weights).find(({ name }) => name.endsWith('.weight'))?.shape ?? [];
  return `\`${cut(path)}\` (${own.join(' × ')} in the adapter, ${base.slice(0, 2).join(' × ')} in the base)`;
}

const MOST_NAMED = 2;
const cut = (name: string) => name.slice(0, 200).replaceAll('`', "'");
