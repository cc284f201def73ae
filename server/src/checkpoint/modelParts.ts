import type { Tensor } from './checkpoint.ts';
import { elementsOf } from './dtypes.ts';
import { isTrainingState } from './trainingState.ts';

/** The tensors of a checkpoint, sorted by purpose. */
interface ModelParts {
  /** The model itself. */
  readonly model: readonly Tensor[];
  /** A second copy of the model whose weights are averages over the course of training. */
  readonly average: readonly Tensor[];
  /** An optimizer's state. */
  readonly training: readonly Tensor[];
  /** Single numbers saved next to a model: `best_accuracy`. */
  readonly values: readonly Tensor[];
}

/** Size of a group of tensors. */
export interface TensorTotal {
  readonly tensors: number;
  /** Elements that training changes. */
  readonly parameters: number;
  /** Elements of buffers, which belong to the model but are not changed by an optimizer. */
  readonly buffers: number;
  readonly bytes: number;
}

/** Names that people and libraries give to an averaged copy (exponential moving average). */
const AVERAGE =
  /^((model_|net_|params_)?ema(_(state_?dict|model|weights|params|shadow|net))?|shadow_params|averaged_model)[./]/i;

/** Buffers in modules of PyTorch and transformers. */
const BUFFER = /(^|[./])(running_mean|running_var|num_batches_tracked|position_ids|inv_freq|masked_bias)$/;

/** Sorts the tensors of a checkpoint by purpose. A file that holds only an averaged copy counts as a model. */
export function partsIn(tensors: readonly Tensor[]): ModelParts {
  const known = sorted.get(tensors) ?? sortedByUse(tensors);
  sorted.set(tensors, known);
  return known;
}

/** Cached because a report calls this several times and a file may have a million tensors. */
const sorted = new WeakMap<readonly Tensor[], ModelParts>();

function sortedByUse(tensors: readonly Tensor[]): ModelParts {
  const [training, average, others]: [Tensor[], Tensor[], Tensor[]] = [[], [], []];
  for (const tensor of tensors)
    (isTrainingState(tensor.name) ? training : AVERAGE.test(tensor.name) ? average : others).push(tensor);
  const [model, values] = withoutValues(others);
  if (model.length === 0 && average.length > 0) return { model: average, average: [], training, values };
  return { model, average, training, values };
}

/**
 * Separates single numbers from a model whose tensors share one entry: `{"model": ..., "best_accuracy": tensor(0.9)}`.
 */
function withoutValues(tensors: readonly Tensor[]): [model: readonly Tensor[], values: readonly Tensor[]] {
  const isValue = ({ name, shape }: Tensor) => shape.length === 0 && !/[./]/.test(name);
  const values = tensors.filter(isValue);
  if (values.length === 0) return [tensors, []];
  const model = tensors.filter((tensor) => !isValue(tensor));
  const entries = new Set(model.map(({ name }) => name.split(/[./]/, 1)[0]));
  return entries.size === 1 ? [model, values] : [tensors, []];
}

/** Counts tensors. Elements shared by two names are counted for both. */
export function totalOf(tensors: readonly Tensor[]): TensorTotal {
  let [parameters, buffers, bytes] = [0, 0, 0];
  for (const { name, shape, bytes: own } of tensors) {
    bytes += own;
    if (BUFFER.test(name)) buffers += elementsOf(shape);
    else parameters += elementsOf(shape);
  }
  return { tensors: tensors.length, parameters, buffers, bytes };
}

/** Counts the model's parameters, excluding an optimizer's state, an averaged copy and buffers. */
export function countParameters(tensors: readonly Tensor[]): number {
  return totalOf(partsIn(tensors).model).parameters;
}
