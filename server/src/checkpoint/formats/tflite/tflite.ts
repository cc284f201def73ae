import type { Budget } from '../../budget.ts';
import type { Bytes } from '../../bytes.ts';
import type { Checkpoint, Safety, Tensor } from '../../checkpoint.ts';
import { withDoubts } from '../../doubts.ts';
import {
  createFlatbufferReader,
  type FlatbufferReader,
  FlatbufferTrouble,
  type Table,
} from '../../encodings/flatbuffer.ts';
import { enumerated } from '../../enumerated.ts';
import { needsTrust, notChecked, onlyComputes } from '../../verdicts.ts';

/**
 * Table fields by number:
 * https://github.com/tensorflow/tensorflow/blob/master/tensorflow/compiler/mlir/lite/schema/schema.fbs
 */
const MODEL = { version: 0, operators: 1, graphs: 2, description: 3, buffers: 4, metadata: 6 };
const OPERATOR = { custom: 1 };
const GRAPH = { tensors: 0, operators: 3 };
const TENSOR = { shape: 0, type: 1, buffer: 2, name: 3 };
const BUFFER = { data: 0, offset: 1, size: 2 };
const METADATA = { name: 0, buffer: 1 };

/** `TensorType` */
const TYPES: readonly string[] = [
  ...'float32 float16 int32 uint8 int64 string bool int16 complex64 int8 float64 complex128 uint64'.split(' '),
  ...'resource variant uint32 uint16 int4 bfloat16'.split(' '),
];

/** Limits on the parts of a model. */
const MOST_PARTS = 100_000;
const MOST_GRAPHS = 1000;
const MOST_DIMENSIONS = 64;

/** Custom operators that every TensorFlow Lite interpreter provides. */
const KNOWN_CUSTOM: ReadonlySet<string> = new Set(['TFLite_Detection_PostProcess', 'Mfcc', 'AudioSpectrogram']);

/** Reads a TensorFlow Lite (now LiteRT) model: its weights and what it requires of an interpreter. */
export async function readTflite(bytes: Bytes, budget: Budget): Promise<Checkpoint> {
  const checkpoint: Checkpoint = {
    format: 'tflite',
    size: bytes.size,
    tensors: [],
    imports: [],
    safety: notChecked('its program for TensorFlow Lite could not be read'),
    problems: [],
  };
  try {
    const read: Checkpoint = {
      ...checkpoint,
      ...(await readModel(createFlatbufferReader(bytes, budget), bytes.size)),
    };
    return withDoubts(read, read.problems.length > 0 ? ['the model is incomplete'] : []);
  } catch (error) {
    if (!(error instanceof FlatbufferTrouble)) throw error;
    const isLimit = error.message.startsWith('lists');
    return isLimit
      ? withDoubts(checkpoint, [`it ${error.message}`])
      : { ...checkpoint, problems: [`The file ${error.message}.`] };
  }
}

/** The location of a buffer's content. */
interface Content {
  readonly start: number;
  readonly size: number;
}

async function readModel(reader: FlatbufferReader, size: number): Promise<Partial<Checkpoint>> {
  const model = await reader.root();
  const version = await numberIn(reader, model.field(MODEL.version));
  const description = await reader.text(model.field(MODEL.description));
  const contents: Content[] = [];
  for (const buffer of await reader.tables(model.field(MODEL.buffers), MOST_PARTS))
    contents.push(await contentOf(reader, buffer));
  const missing = Math.max(0, ...contents.map(({ start, size: length }) => start + length - size));
  const graphs = await reader.tables(model.field(MODEL.graphs), MOST_GRAPHS);
  const tensors: Tensor[] = [];
  let operations = 0;
  for (const graph of graphs) {
    operations += (await reader.list(graph.field(GRAPH.operators))).count;
    for (const tensor of await reader.tables(graph.field(GRAPH.tensors), MOST_PARTS)) {
      const content = contents[await numberIn(reader, tensor.field(TENSOR.buffer))];
      // Tensors without content are created when the program runs.
      if (content && content.size > 0) tensors.push(await tensorOf(reader, tensor, content));
      if (tensors.length > MOST_PARTS) throw new FlatbufferTrouble(`lists more than ${MOST_PARTS} tensors`);
    }
  }
  const needed = await neededVersion(reader, model, contents);
  const custom = await customOperators(reader, model);
  return {
    safety: judge(custom),
    writtenBy: /^(MLIR|TOCO) Converted/.test(description) ? 'TensorFlow Lite converter' : undefined,
    tensors,
    about: [
      `Format version ${version}, ${operations} operators in ${graphs.length === 1 ? 'one graph' : `${graphs.length} graphs`}.`,
      ...(needed === undefined ? [] : [`It requires TensorFlow Lite ${needed} or newer.`]),
      ...aboutCustom(custom),
    ],
    problems: missing > 0 ? [`The file is cut off: ${missing} bytes of its weights are missing.`] : [],
  };
}

async function numberIn(reader: FlatbufferReader, at: number | undefined): Promise<number> {
  return at === undefined ? 0 : reader.u32(at);
}

/** In models above 2 GB, the content follows the tables. */
async function contentOf(reader: FlatbufferReader, buffer: Table): Promise<Content> {
  const { count, start } = await reader.list(buffer.field(BUFFER.data));
  const [offset, size] = [buffer.field(BUFFER.offset), buffer.field(BUFFER.size)];
  if (count > 0 || offset === undefined || size === undefined) return { start, size: count };
  const found = { start: await reader.u64(offset), size: await reader.u64(size) };
  return found.start > 1 ? found : { start: 0, size: 0 };
}

async function tensorOf(reader: FlatbufferReader, tensor: Table, content: Content): Promise<Tensor> {
  const { count, start } = await reader.list(tensor.field(TENSOR.shape));
  if (count > MOST_DIMENSIONS) throw new FlatbufferTrouble(`lists more than ${MOST_DIMENSIONS} dimensions`);
  const shape: number[] = [];
  for (let index = 0; index < count; index++) shape.push(Math.max(0, await reader.i32(start + 4 * index)));
  const type = tensor.field(TENSOR.type);
  const dtype = TYPES[type === undefined ? 0 : await reader.u8(type)] ?? 'unknown';
  return {
    name: await reader.text(tensor.field(TENSOR.name)),
    dtype,
    shape,
    // For a sparse tensor, only nonzero elements are stored.
    bytes: content.size,
  };
}

/** Returns the names of operators that TensorFlow Lite does not provide. */
async function customOperators(reader: FlatbufferReader, model: Table): Promise<string[]> {
  const names = new Set<string>();
  for (const operator of await reader.tables(model.field(MODEL.operators), MOST_PARTS)) {
    const name = await reader.text(operator.field(OPERATOR.custom));
    if (name !== '' && !KNOWN_CUSTOM.has(name)) names.add(name);
  }
  return [...names];
}

/**
 * TensorFlow's own operators can access files. All other custom operators are provided by the program, not by the file.
 */
function judge(custom: readonly string[]): Safety {
  const ofTensorFlow = custom.filter(isTensorFlowOperator);
  if (ofTensorFlow.length === 0) return onlyComputes('TensorFlow Lite');
  return needsTrust(`It runs TensorFlow operators, which can access files: ${listed(ofTensorFlow)}.`);
}

const isTensorFlowOperator = (name: string) => name.startsWith('Flex');
const listed = (names: readonly string[]) => enumerated(names.slice(0, 5).map((name) => `\`${name}\``));

function aboutCustom(names: readonly string[]): string[] {
  const ofTensorFlow = names.filter(isTensorFlowOperator);
  const others = names.filter((name) => !isTensorFlowOperator(name));
  return [
    ...(ofTensorFlow.length > 0
      ? [`It requires TensorFlow operators through the Flex delegate: ${listed(ofTensorFlow)}.`]
      : []),
    ...(others.length > 0
      ? [`Its operators ${listed(others)} are not part of TensorFlow Lite: the program must register them.`]
      : []),
  ];
}

/** Returns the oldest version that has all of the operators, as recorded by converters. */
async function neededVersion(
  reader: FlatbufferReader,
  model: Table,
  contents: readonly Content[],
): Promise<string | undefined> {
  for (const entry of await reader.tables(model.field(MODEL.metadata), MOST_GRAPHS)) {
    if ((await reader.text(entry.field(METADATA.name))) !== 'min_runtime_version') continue;
    const content = contents[await numberIn(reader, entry.field(METADATA.buffer))];
    if (!content || content.size === 0 || content.size > 64) return undefined;
    const letters: number[] = [];
    for (let index = 0; index < content.size; index++) letters.push(await reader.u8(content.start + index));
    return /^\d+(\.\d+)*/.exec(Buffer.from(letters).toString('latin1'))?.[0];
  }
  return undefined;
}
