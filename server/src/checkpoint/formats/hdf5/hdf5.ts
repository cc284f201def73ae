import type { Budget } from '../../budget.ts';
import type { Bytes } from '../../bytes.ts';
import type { Checkpoint, Safety } from '../../checkpoint.ts';
import { withDoubts, withSafety } from '../../doubts.ts';
import { parsedCheckpointJson } from '../../encodings/json.ts';
import { enumeratedCode } from '../../enumerated.ts';
import { addJson, createEntryList } from '../../metadata.ts';
import { BEHIND_OTHER_DATA } from '../../unreadCheckpoint.ts';
import { noCode, notChecked, runsCode, suspicious, worstOf } from '../../verdicts.ts';
import { type JudgedConfiguration, judgeKerasConfiguration } from '../keras/configuration.ts';
import { describeKerasModel } from '../keras/model.ts';
import { readOutline } from './isolated.ts';
import type { Outline } from './outline.ts';
import { superblockOf } from './superblock.ts';
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
  if (trouble !== undefined && datasets.length === 0)
    return unread(size, notChecked('it could not be read'), `It could not be read: it ${trouble}.`);
  const written = { ...attributes.model_weights, ...attributes[''] };
  const [model, training] = [written.model_config, written.training_config].map((text) => jsonOf(text, budget));
  const { imports, safety } = judge([model, training], outside, trouble);
  const problems = trouble === undefined ? [] : [`It could not be read completely: it ${trouble}.`];
  if (safety.verdict !== 'no-code' && trouble === undefined) problems.push(safety.reason);
  return {
    format: 'hdf5',
    size,
    writtenBy: writerOf(written),
    holds: contentKind(outline, written),
    keras: model === undefined || model === null ? undefined : describeKerasModel(model, training),
    tensors: datasets,
    metadata: metadataIn(written, training),
    imports,
    safety,
    problems,
  };
}

/** Either the file is damaged or this machine is slow; which one is unknown. */
function abandoned(size: number): Checkpoint {
  return unread(size, notChecked('the HDF5 library fails on it, or needs too much time or memory'));
}

function unread(size: number, safety: Safety, problem = safety.reason): Checkpoint {
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
  { model_config: _, training_config: __, ...texts }: Readonly<Record<string, string>>,
  training: unknown,
) {
  const list = createEntryList();
  for (const [name, text] of Object.entries(texts)) list.add(name, text);
  if (training !== undefined && training !== null) addJson(list, 'training_config', training);
  return list.entries;
}

/** Keras writes a model as two JSON texts: its configuration, and how it was compiled. Null for text that is not JSON. */
function jsonOf(text: string | undefined, budget: Budget): unknown {
  return text === undefined ? undefined : (parsedCheckpointJson(Buffer.from(text), budget) ?? null);
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
  configurations: readonly unknown[],
  outside: readonly string[],
  trouble: string | undefined,
): JudgedConfiguration {
  const judged = judgeConfigurations(configurations);
  if (runsCode(judged.safety)) return judged;
  if (trouble !== undefined) return { imports: [], safety: notChecked(`it ${trouble}`) };
  if (outside.length === 0) return judged;
  return {
    ...judged,
    safety: suspicious(`It refers to other files, which loading it reads: ${enumeratedCode(outside)}.`),
  };
}

/** Keras creates objects from both: layers, and the optimizer, losses and metrics. */
function judgeConfigurations(configurations: readonly unknown[]): JudgedConfiguration {
  const parts = configurations.filter((each) => each !== undefined).map(judgeConfiguration);
  if (parts.length === 0) return { imports: [], safety: noCode('The HDF5 library') };
  return { imports: parts.flatMap(({ imports }) => imports), safety: worstOf(parts.map(({ safety }) => safety)) };
}

function judgeConfiguration(configuration: unknown): JudgedConfiguration {
  if (configuration !== null) return judgeKerasConfiguration(configuration, 'hdf5');
  return { imports: [], safety: notChecked('the configuration of its model is not valid JSON') };
}

/** Maximum number of bytes that are checked before the start of an HDF5 file. */
const LONGEST_BLOCK = 1024 * 1024;

/**
 * Returns why a file contains more than the HDF5 library reads, as clauses that follow "Not checked:". The file may
 * start with a user block, and its superblock declares where the file ends:
 * https://docs.hdfgroup.org/documentation/hdf5/latest/_f_m_t3.html (II.A)
 */
async function superblockDoubts(bytes: Bytes): Promise<string[]> {
  const start = await superblockOf(bytes);
  if (start === undefined) return [];
  const doubts: string[] = [];
  const before = await bytes.read(0, Math.min(start, LONGEST_BLOCK));
  if (start > LONGEST_BLOCK || before.some((byte) => byte !== 0)) doubts.push(BEHIND_OTHER_DATA);
  const head = await bytes.read(start, 48);
  const [version = 0] = head.subarray(8);
  // The sizes of addresses precede the addresses; older versions have more fields in between.
  const [sizeAt, addressesAt] = version < 2 ? [13, version === 0 ? 24 : 28] : [9, 12];
  if (head.length < 48 || head[sizeAt] !== 8) return doubts;
  const end = Number(head.readBigUInt64LE(addressesAt + 16));
  if (end < bytes.size) doubts.push(`it has ${bytes.size - end} bytes after its end`);
  return doubts;
}
