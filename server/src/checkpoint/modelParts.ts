import type { Tensor } from './checkpoint.ts';
import { elementsOf } from './dtypes.ts';
import { isTrainingState } from './trainingState.ts';

/** The tensors of a checkpoint by what they are for. */
export interface ModelParts {
  /** The model itself. */
  readonly model: readonly Tensor[];
  /** A second copy of the model whose weights are averaged over the training. */
  readonly average: readonly Tensor[];
  /** An optimizer's state. */
  readonly training: readonly Tensor[];
  /** Single numbers that were saved beside a model: `best_accuracy`. */
  readonly values: readonly Tensor[];
}

/** How much of something there is. */
export interface TensorTotal {
  readonly tensors: number;
  /** Elements that training changes. */
  readonly parameters: number;
  /** Elements of buffers: what a model remembers and an optimizer does not change. */
  readonly buffers: number;
  readonly bytes: number;
}

/** The names that people and libraries give to an averaged copy (exponential moving average). */
const AVERAGE =
  /^((model_|net_|params_)?ema(_(state_?dict|model|weights|params|shadow|net))?|shadow_params|averaged_model)[./]/i;

/** Buffers of PyTorch's own modules and of transformers. */
const BUFFER = /(^|[./])(running_mean|running_var|num_batches_tracked|position_ids|inv_freq|masked_bias)$/;

/** Sorts the tensors of a checkpoint. Where nothing but an average or an optimizer's state is in it, that is what it is a model of. */
export function partsIn(tensors: readonly Tensor[]): ModelParts {
  const known = sorted.get(tensors) ?? sortedByUse(tensors);
  sorted.set(tensors, known);
  return known;
}

/** A report asks several times, and a file may have a million tensors. */
const sorted = new WeakMap<readonly Tensor[], ModelParts>();

function sortedByUse(tensors: readonly Tensor[]): ModelParts {
  const [training, average, others]: [Tensor[], Tensor[], Tensor[]] = [[], [], []];
  for (const tensor of tensors)
    (isTrainingState(tensor.name) ? training : AVERAGE.test(tensor.name) ? average : others).push(tensor);
  const [model, values] = withoutValues(others);
  if (model.length === 0 && average.length > 0) return { model: average, average: [], training, values };
  return { model, average, training, values };
}

/** Separates single numbers from a model that lies whole under one name: `{"model": ..., "best_accuracy": tensor(0.9)}`. */
function withoutValues(tensors: readonly Tensor[]): [model: readonly Tensor[], values: readonly Tensor[]] {
  const isValue = ({ name, shape }: Tensor) => shape.length === 0 && !/[./]/.test(name);
  const values = tensors.filter(isValue);
  if (values.length === 0) return [tensors, []];
  const model = tensors.filter((tensor) => !isValue(tensor));
  const entries = new Set(model.map(({ name }) => name.split(/[./]/, 1)[0]));
  return entries.size === 1 ? [model, values] : [tensors, []];
}

/** Counts tensors. What two names share counts for each. */
export function totalOf(tensors: readonly Tensor[]): TensorTotal {
  let [parameters, buffers, bytes] = [0, 0, 0];
  for (const { name, shape, bytes: own } of tensors) {
    bytes += own;
    if (BUFFER.test(name)) buffers += elementsOf(shape);
    else parameters += elementsOf(shape);
  }
  return { tensors: tensors.length, parameters, buffers, bytes };
}

/** Returns how many numbers of a model training changes: neither an optimizer's state, nor an average, nor buffers. */
export function parametersOf(tensors: readonly Tensor[]): number {
  return totalOf(partsIn(tensors).model).parameters;
}
