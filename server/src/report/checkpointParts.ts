/** The parts of a checkpoint as text: a model, its optimizer, and the prefix of its names. */

import { enumerated } from '../checkpoint/enumerated.ts';
import type { OnnxValue } from '../checkpoint/onnxModel.ts';
import type { CommonPrefix } from '../checkpoint/prefixes.ts';
import type { TensorCounts } from '../checkpoint/summary.ts';
import { totalText } from './quantities.ts';

interface PartTexts {
  readonly parameters: string;
  /** Undefined if the checkpoint has none. */
  readonly average?: string;
  readonly optimizer?: string;
  readonly prefix?: string;
}

export function partTexts({ parameters, buffers, training, average, prefix }: TensorCounts): PartTexts {
  const count = (number: number) => number.toLocaleString('en');
  return {
    parameters: buffers === 0 ? count(parameters) : `${count(parameters)} (+ ${count(buffers)} in buffers)`,
    ...(average.tensors > 0 && { average: `${totalText(average)}, an averaged copy of the weights` }),
    ...(training.tensors > 0 && { optimizer: totalText(training) }),
    ...(prefix && { prefix: prefixText(prefix) }),
  };
}

/** "`module.` before all names in `model`, from `DataParallel` or ..." */
function prefixText({ prefix, within, from }: CommonPrefix): string {
  const where = within === '' ? '' : ` in \`${within.slice(0, -1)}\``;
  return `\`${prefix}\` before all names${where}, from ${enumerated(from)}`;
}

/** "`pixels` float32 batch × 3 × 224 × 224" for each; undefined if there are none. */
export function valuesText(values: readonly OnnxValue[] | undefined): string | undefined {
  if (!values || values.length === 0) return undefined;
  const shown = values.slice(0, MOST_VALUES).map(({ name, dtype, shape }) => {
    const sizes = shape?.map((size) => size ?? '?').join(' × ');
    return `\`${name}\` ${[dtype, shape?.length === 0 ? 'scalar' : sizes].filter(Boolean).join(' ')}`;
  });
  return values.length > shown.length
    ? `${shown.join(', ')}, and ${values.length - shown.length} more`
    : shown.join(', ');
}

const MOST_VALUES = 10;
