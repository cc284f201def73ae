import type { Budget } from '../../budget.ts';
import type { Bytes } from '../../bytes.ts';
import type { Checkpoint, Safety } from '../../checkpoint.ts';
import { withDoubts, withSafety } from '../../doubts.ts';
import { parsedCheckpointJson } from '../../encodings/json.ts';
import { addJson, createEntryList } from '../../metadata.ts';
import { noCode, notChecked, runsCode, worstOf } from '../../verdicts.ts';
import { type JudgedConfiguration, judgeKerasConfiguration } from '../keras/configuration.ts';
import { describeKerasModel } from '../keras/model.ts';
import { readOutline } from './isolated.ts';
import type { Outline } from './outline.ts';
import { superblockDoubts } from './superblock.ts';
import { judgeUnpickledTexts } from './unpickledTexts.ts';

/** Reads an HDF5 file, which is usually a Keras model or its weights. */
export async function readHdf5(bytes: Bytes, budget: Budget): Promise<Checkpoint> {
  const outline = await readOutline(bytes, budget);
  const checkpoint = describeOutline(bytes.size, outline, budget);
  const unpickled = outline ? await judgeUnpickledTexts(outline, budget) : undefined;
  const judged = unpickled ? withSafety(checkpoint, [unpickled.safety], unpickled.imports) : checkpoint;
  return withDoubts(judged, await superblockDoubts(bytes));
}

/** Describes a file based on its outline. A missing outline means that the file could not be read. */
export function describeOutline(size: number, outline: Outline | undefined, budget: Budget): Checkpoint {
  if (!outline) return abandoned(size);
  const { datasets, attributes, outside, trouble } = outline;
  if (trouble !== undefined && datasets.length === 0) return unreadable(size, `it ${trouble}`);
  const written = { ...attributes.model_weights, ...attributes[''] };
  const { imports, safety } = judge(written, outside, trouble, budget);
  const problems = trouble === undefined ? [] : [`It could not be read completely: it ${trouble}.`];
  if (safety.verdict !== 'no-code' && trouble === undefined) problems.push(safety.reason);
  return {
    format: 'hdf5',
    size,
    writtenBy: writerOf(written),
    holds: contentKind(outline, written),
    keras: modelOf(written, budget),
    tensors: datasets,
    metadata: metadataIn(written, budget),
    imports,
    safety,
    problems,
  };
}

/** Either the file is damaged or this machine is slow; which one is unknown. */
function abandoned(size: number): Checkpoint {
  const reason = 'Not checked: the HDF5 library fails on it, or needs too much time or memory.';
  const safety: Safety = { verdict: 'not-checked', reason };
  return { format: 'hdf5', size, tensors: [], imports: [], safety, problems: [reason] };
}

function unreadable(size: number, why: string): Checkpoint {
  const problem = `It could not be read: ${why}.`;
  const safety: Safety = { verdict: 'not-checked', reason: 'Not checked: it could not be read.' };
  return { format: 'hdf5', size, tensors: [], imports: [], safety, problems: [problem] };
}

const BACKENDS: Readonly<Record<string, string>> = {
  tensorflow: 'TensorFlow',
  jax: 'JAX',
  torch: 'PyTorch',
  numpy: 'NumPy',
  theano: 'Theano',
};

/** `Keras 3.15.1, with TensorFlow` */
function writerOf({ keras_version: version, backend }: Readonly<Record<string, string>>): string | undefined {
  if (version === undefined) return undefined;
  return `Keras ${version}${backend ? `, with ${BACKENDS[backend] ?? backend}` : ''}`;
}

/** Returns the text attributes of the file, except those that describe the model. */
function metadataIn(
  { model_config: _, training_config: training, ...texts }: Readonly<Record<string, string>>,
  budget: Budget,
) {
  const list = createEntryList();
  for (const [name, text] of Object.entries(texts)) list.add(name, text);
  if (training !== undefined) addJson(list, 'training_config', parsedCheckpointJson(Buffer.from(training), budget));
  return list.entries;
}

/** Keras writes a model as two JSON texts: its configuration, and how it was compiled. */
function modelOf({ model_config: model, training_config: training }: Readonly<Record<string, string>>, budget: Budget) {
  const configuration = model === undefined ? undefined : parsedCheckpointJson(Buffer.from(model), budget);
  if (configuration === undefined) return undefined;
  return describeKerasModel(
    configuration,
    training === undefined ? undefined : parsedCheckpointJson(Buffer.from(training), budget),
  );
}

/** Keras lists the layers of a weights-only file in an attribute; newer versions put the layers below `layers`. */
function contentKind(
  { datasets, attributes }: Outline,
  written: Readonly<Record<string, string>>,
): Checkpoint['holds'] {
  if (written.model_config !== undefined) return 'model';
  const isOfKeras = written.keras_version !== undefined || attributes.layers !== undefined;
  return isOfKeras && datasets.length > 0 ? 'weights' : undefined;
}

function judge(
  written: Readonly<Record<string, string>>,
  outside: readonly string[],
  trouble: string | undefined,
  budget: Budget,
): JudgedConfiguration {
  const judged = judgeTexts(written, budget);
  if (runsCode(judged.safety)) return judged;
  if (trouble !== undefined) return { imports: [], safety: notChecked(`it ${trouble}`) };
  if (outside.length === 0) return judged;
  const shown = outside.slice(0, 5).map((link) => `\`${link}\``);
  const safety: Safety = {
    verdict: 'suspicious',
    reason: `It refers to other files, which loading it reads: ${shown.join(', ')}.`,
  };
  return { ...judged, safety };
}

/** Keras creates objects from both texts: layers, and the optimizer, losses and metrics. */
function judgeTexts(
  { model_config: model, training_config: training }: Readonly<Record<string, string>>,
  budget: Budget,
): JudgedConfiguration {
  const parts = [model, training].filter((text) => text !== undefined).map((text) => judgeText(text, budget));
  if (parts.length === 0) return { imports: [], safety: noCode('The HDF5 library') };
  return { imports: parts.flatMap(({ imports }) => imports), safety: worstOf(parts.map(({ safety }) => safety)) };
}

function judgeText(configuration: string, budget: Budget): JudgedConfiguration {
  const parsed = parsedCheckpointJson(Buffer.from(configuration), budget);
  if (parsed !== undefined) return judgeKerasConfiguration(parsed, 'hdf5');
  return { imports: [], safety: notChecked('the configuration of its model is not valid JSON') };
}
