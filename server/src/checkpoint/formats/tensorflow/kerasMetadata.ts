import type { Budget } from '../../budget.ts';
import type { Bytes } from '../../bytes.ts';
import type { Checkpoint } from '../../checkpoint.ts';
import { runsCode, worstOf } from '../../verdicts.ts';
import { layersIn } from './operations.ts';
import { judgeLayer } from './savedModel.ts';

const LONGEST = 16 * 1024 * 1024;

/** True for the beginning of `keras_metadata.pb`, which describes the layers of a SavedModel. */
export function isKerasMetadata(head: Buffer): boolean {
  return (
    head[0] === 0x0a &&
    /_tf_keras_(model|network|sequential|layer|input_layer|rnn_layer|metric)/.test(head.toString('latin1'))
  );
}

/** Reads `keras_metadata.pb` on its own, without the model that it belongs to. It has no weights. */
export async function readKerasMetadata(bytes: Bytes, budget: Budget): Promise<Checkpoint> {
  const layers = layersIn(await bytes.read(0, LONGEST), budget);
  const judged = layers.filter((text) => text !== '').map((text) => judgeLayer(text, budget));
  const safety = worstOf(judged.map((each) => each.safety));
  const version = layers.map((text) => /"keras_version": "([\w.+-]{1,40})"/.exec(text)?.[1]).find(Boolean);
  return {
    format: 'keras-metadata',
    size: bytes.size,
    writtenBy: `Keras ${version ?? 2}`,
    about: [
      `It describes ${layers.length} parts of a Keras 2 model and is only useful together with its \`saved_model.pb\`: inspect their folder.`,
    ],
    tensors: [],
    imports: judged.flatMap((each) => each.imports).filter(({ standing }) => standing !== 'allowed'),
    safety,
    problems: runsCode(safety) ? [safety.reason] : [],
  };
}
