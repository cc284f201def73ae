import type { Budget } from '../../budget.ts';
import { type Bytes, readingAhead } from '../../bytes.ts';
import type { Checkpoint, Safety, Tensor } from '../../checkpoint.ts';
import { withDoubts } from '../../doubts.ts';
import { bytesOf } from '../../dtypes.ts';
import { fieldsOf, type StreamedField, streamedFieldsOf, varint } from '../../encodings/protobuf.ts';
import { enumerated, enumeratedCode } from '../../enumerated.ts';
import type { OnnxValue } from '../../onnxModel.ts';
import { needsTrust, onlyComputes } from '../../verdicts.ts';
import { nameOfType } from './elementTypes.ts';
import { type ExternalData, problemsOfExternalData } from './externalData.ts';
import { isUnsafe } from './operators.ts';
import { valueIn } from './valueInfo.ts';

/** Fields of `ModelProto`, by number: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto */
const MODEL = { irVersion: 1, producer: 2, producerVersion: 3, graph: 7, opsets: 8, metadata: 14, functions: 25 };
/** Fields of `GraphProto`, `NodeProto`, `TensorProto`, `FunctionProto` and key-value pairs. */
const GRAPH = { node: 1, initializer: 5, input: 11, output: 12 };
const NODE = { output: 2, type: 4, attribute: 5, domain: 7 };
const ATTRIBUTE = { tensor: 5, graph: 6, graphs: 11 };
const TENSOR = { dims: 1, type: 2, name: 8, externalData: 13, location: 14 };
const FUNCTION = { node: 7, domain: 10 };
const ENTRY = { key: 1, value: 2 };
/** Metadata by which a session may write files: ONNX Runtime reads it if `ORT_LOAD_CONFIG_FROM_MODEL` is 1. */
const SESSION_SETTINGS = 'ort_config';

/** Operator domains that every ONNX Runtime provides. A model itself provides the domains of its own functions. */
const KNOWN_DOMAINS: ReadonlySet<string> = new Set([
  ...['', 'ai.onnx', 'ai.onnx.ml', 'ai.onnx.training', 'ai.onnx.preview', 'ai.onnx.preview.training'],
  ...['com.microsoft', 'com.microsoft.nchwc', 'com.microsoft.experimental', 'com.microsoft.internal.nhwc'],
  ...['com.ms.internal.nhwc', 'com.microsoft.dml', 'com.ms.dml'],
]);

/** Limits on the total number of fields read, and on the bytes of a node that are searched for its operator. */
const MOST_FIELDS = 500_000;
const MOST_OF_NODE = 16 * 1024;
/** Maximum number of levels of graphs nested in nodes. */
const DEEPEST = 20;
const STEPS_PER_FIELD = 150;
const STEPS_PER_BYTE = 10;
const BYTES_PER_TENSOR = 300;
const MOST_DIMENSIONS = 1000;
/** Maximum number of bytes in a name or a list of dimensions. */
const LONGEST = 4096;
const LONGEST_NAME = 200;

/**
 * True for the beginning of an ONNX model. The format has no signature: it starts with a small version number, followed
 * by the producer or by the graph and its first node.
 */
export function isOnnx(head: Buffer): boolean {
  const [first, ...fields] = fieldsOf(head);
  if (first?.number !== MODEL.irVersion || typeof first.value !== 'number' || first.value < 1 || first.value > 50)
    return false;
  const graph = fields.find(({ number }) => number === MODEL.graph)?.value;
  if (typeof graph !== 'object') return false;
  const producer = fields.find(({ number }) => number === MODEL.producer)?.value;
  if (typeof producer === 'object' && /^[\w .:/+-]{1,64}$/.test(producer.toString('latin1'))) return true;
  const [node] = fieldsOf(graph);
  if (node?.number !== GRAPH.node || typeof node.value !== 'object') return false;
  const type = [...fieldsOf(node.value)].find(({ number }) => number === NODE.type)?.value;
  return typeof type === 'object' && /^[A-Z]\w{1,40}$/.test(type.toString('latin1'));
}

/** The facts collected from a model. */
interface ModelContents {
  readonly model: { irVersion: number; producer: string; producerVersion: string };
  /** Operator versions by domain. */
  readonly opsets: Map<string, number>;
  /** Operators that nodes use, by domain, and the domains that the model defines itself. */
  readonly used: Map<string, Set<string>>;
  readonly own: Set<string>;
  /** Operators that may do more than compute. */
  readonly unsafe: Set<string>;
  readonly tensors: Tensor[];
  readonly inputs: OnnxValue[];
  readonly outputs: OnnxValue[];
  readonly external: ExternalData[];
  nodes: number;
  /** Number of these nodes that are in subgraphs of other nodes. */
  inner: number;
  /** True if a node names more than one operator, which no writer does. */
  isAmbiguous: boolean;
  left: number;
  readonly budget: Budget;
}

/** Reads an ONNX model: its weights and what it requires of a runtime. `path` is its location. */
export async function readOnnx(bytes: Bytes, budget: Budget, path?: string): Promise<Checkpoint> {
  const found: ModelContents = {
    model: { irVersion: 0, producer: '', producerVersion: '' },
    ...{ opsets: new Map(), used: new Map(), own: new Set(), unsafe: new Set(), tensors: [], external: [] },
    ...{ inputs: [], outputs: [] },
    ...{ nodes: 0, inner: 0, isAmbiguous: false, left: MOST_FIELDS, budget },
  };
  const isWhole = await readModel(readingAhead(bytes, 4096), found);
  const { model, opsets, tensors, external } = found;
  const checkpoint: Checkpoint = {
    format: 'onnx',
    size: bytes.size,
    writtenBy: `${model.producer} ${model.producerVersion}`.trim() || undefined,
    onnx: {
      irVersion: model.irVersion,
      opset: opsets.get('') ?? opsets.get('ai.onnx'),
      // Models of IR versions before 4 also list their weights as inputs.
      inputs: withoutNames(found.inputs, new Set(tensors.map(({ name }) => name))),
      outputs: found.outputs,
    },
    about: aboutOf(found),
    tensors,
    imports: [],
    safety: judge(found.unsafe),
    problems: [
      ...(isWhole || found.left < 0 ? [] : ['The file is cut off or damaged.']),
      ...(path === undefined ? [] : await problemsOfExternalData(external, path)),
    ],
  };
  if (found.left < 0) return withDoubts(checkpoint, ['it has more parts than GPU Doctor can read']);
  return withDoubts(checkpoint, [
    ...(isWhole ? [] : ['the ONNX model is incomplete']),
    ...(found.isAmbiguous ? ['one of its nodes names more than one operator'] : []),
  ]);
}

function withoutNames(values: readonly OnnxValue[], names: ReadonlySet<string>): OnnxValue[] {
  return values.filter(({ name }) => !names.has(name));
}

function judge(reaching: ReadonlySet<string>): Safety {
  if (reaching.size === 0) return onlyComputes('ONNX Runtime');
  return needsTrust(
    `Its program has ${enumeratedCode([...reaching])}, through which ONNX Runtime may load files or run other code.`,
  );
}

function aboutOf({ model, opsets, used, own, nodes, external, inner }: ModelContents): string[] {
  const versions = [...opsets].map(([domain, version]) =>
    domain === '' ? `${version}` : `${version} of \`${domain}\``,
  );
  const about = [
    `IR version ${model.irVersion}, opset ${enumerated(versions) || 'none'}, ${nodes === 1 ? 'one node' : `${nodes} nodes`}${inner > 0 ? `, ${inner} of them in subgraphs` : ''}.`,
  ];
  const foreign = [...used].filter(([domain]) => !KNOWN_DOMAINS.has(domain) && !own.has(domain));
  for (const [domain, types] of foreign.slice(0, 5)) {
    const named = enumeratedCode([...types]);
    about.push(
      `Its operators ${named} from \`${domain}\` are not part of ONNX Runtime: the program must register them.`,
    );
  }
  const files = [...new Set(external.map(({ location }) => location))];
  if (files.length > 0) about.push(`Some of its weights are in ${enumeratedCode(files)}.`);
  return about;
}

/** Visits a message's fields as long as the limit allows; returns whether all of them were read. */
async function forEachField(
  message: Bytes,
  found: ModelContents,
  visit: (field: StreamedField) => Promise<unknown> | unknown,
): Promise<boolean> {
  const fields = streamedFieldsOf(message);
  for (let next = await fields.next(); ; next = await fields.next()) {
    if (next.done) return next.value;
    for (const field of next.value) {
      if (found.left-- <= 0) return false;
      found.budget.spend(STEPS_PER_FIELD);
      const pending = visit(field);
      if (pending instanceof Promise) await pending;
    }
  }
}

function readModel(bytes: Bytes, found: ModelContents): Promise<boolean> {
  const { model } = found;
  let isGraphWhole = true;
  return forEachField(bytes, found, async ({ number, value }) => {
    if (number === MODEL.irVersion && typeof value === 'number') model.irVersion = value;
    if (typeof value === 'number') return;
    if (number === MODEL.producer) model.producer = await textOf(value);
    if (number === MODEL.producerVersion) model.producerVersion = await textOf(value);
    if (number === MODEL.graph) isGraphWhole = (await readGraph(value, found)) && isGraphWhole;
    if (number === MODEL.opsets) await readOpset(value, found);
    if (number === MODEL.metadata)
      await forEachField(value, found, async (field) => {
        if (field.number !== ENTRY.key || typeof field.value !== 'object') return;
        if ((await textOf(field.value)) === SESSION_SETTINGS) found.unsafe.add(SESSION_SETTINGS);
      });
    if (number === MODEL.functions)
      await forEachField(value, found, async (field) => {
        if (typeof field.value !== 'object') return;
        if (field.number === FUNCTION.domain) found.own.add(await textOf(field.value));
        if (field.number === FUNCTION.node) await readNode(field.value, found, 0);
      });
  }).then((isWhole) => isWhole && isGraphWhole);
}

async function readOpset(value: Bytes, { opsets }: ModelContents): Promise<void> {
  const pair = [...fieldsOf(await value.read(0, LONGEST))];
  const domain = pair.find(({ number }) => number === ENTRY.key)?.value ?? '';
  const version = pair.find(({ number }) => number === ENTRY.value)?.value;
  if (typeof version === 'number' && opsets.size < 100) opsets.set(domain.toString(), version);
}

function readGraph(graph: Bytes, found: ModelContents, depth = 0): Promise<boolean> {
  return forEachField(graph, found, ({ number, value }) => {
    if (typeof value === 'number') return;
    if (number === GRAPH.node) return readNode(value, found, depth);
    if (number === GRAPH.initializer) return keep(readTensor(value, found), found);
    // A subgraph's inputs come from the enclosing graph.
    if (depth === 0 && number === GRAPH.input) return readValue(value, found.inputs, found);
    if (depth === 0 && number === GRAPH.output) return readValue(value, found.outputs, found);
  });
}

/** Maximum number of inputs and outputs that are kept; before IR version 4, inputs include the weights. */
const MOST_VALUES = 10_000;

async function readValue(value: Bytes, values: OnnxValue[], { budget }: ModelContents): Promise<void> {
  const content = await value.read(0, LONGEST);
  budget.hold(BYTES_PER_TENSOR + content.length);
  budget.spend(content.length * STEPS_PER_BYTE);
  const described = valueIn(content);
  if (described && values.length < MOST_VALUES) values.push(described);
}

/** Waits only for bytes that are not in memory: models have many small nodes. */
function readNode(node: Bytes, found: ModelContents, depth: number): Promise<void> | undefined {
  found.nodes++;
  if (depth > 0) found.inner++;
  if (!node.content) return node.read(0, MOST_OF_NODE).then((content) => readFieldsOfNode(node, content, found, depth));
  return readFieldsOfNode(node, node.content.subarray(0, MOST_OF_NODE), found, depth);
}

/** Reads a node from its beginning, and from all of it if it is long or contains graphs. */
function readFieldsOfNode(
  node: Bytes,
  content: Buffer,
  found: ModelContents,
  depth: number,
): Promise<void> | undefined {
  found.budget.spend(content.length * STEPS_PER_BYTE);
  const fields = [...fieldsOf(content)];
  found.left -= fields.length;
  const isPlain =
    node.size <= MOST_OF_NODE && fields.every(({ number, value }) => number !== NODE.attribute || !hasGraphs(value));
  const [type, domain] = [NODE.type, NODE.domain].map((wanted) =>
    (fields.findLast(({ number }) => number === wanted)?.value ?? '').toString().slice(0, LONGEST_NAME),
  ) as [string, string];
  const described = { type, domain, numbers: fields.map(({ number }) => number) };
  if (isPlain) return useOperator(node, described, found);
  return readLongNode(node, { ...described, numbers: [] }, found, depth);
}

/** The operator of a node, and the numbers of the node's fields. */
interface NodeOperator {
  type: string;
  domain: string;
  readonly numbers: number[];
}

/** Continues after a long constant, and into the graphs of conditions and loops. */
async function readLongNode(node: Bytes, operator: NodeOperator, found: ModelContents, depth: number): Promise<void> {
  await forEachField(node, found, async ({ number, value }) => {
    operator.numbers.push(number);
    if (typeof value === 'number') return;
    if (number === NODE.type) operator.type = (await textOf(value)).slice(0, LONGEST_NAME);
    if (number === NODE.domain) operator.domain = (await textOf(value)).slice(0, LONGEST_NAME);
    if (number === NODE.attribute) await readAttribute(value, found, depth + 1);
  });
  await useOperator(node, operator, found);
}

function useOperator(
  node: Bytes,
  { type, domain, numbers }: NodeOperator,
  found: ModelContents,
): Promise<void> | undefined {
  // If a field occurs twice, some readers use the last occurrence and others the first; none of them reads fields in a
  // group.
  const isTwice = (wanted: number) => numbers.indexOf(wanted) !== numbers.lastIndexOf(wanted);
  if (isTwice(NODE.type) || isTwice(NODE.domain)) found.isAmbiguous = true;
  if (isUnsafe(domain, type)) found.unsafe.add(type);
  const known = found.used.get(domain);
  if (!known) found.used.set(domain, new Set([type]));
  else if (known.size < 100) known.add(type);
  return type === 'Constant' && KNOWN_DOMAINS.has(domain) ? readConstant(node, found) : undefined;
}

function hasGraphs(attribute: number | Buffer): boolean {
  if (typeof attribute === 'number') return false;
  for (const { number } of fieldsOf(attribute))
    if (number === ATTRIBUTE.graph || number === ATTRIBUTE.graphs) return true;
  return false;
}

async function readAttribute(attribute: Bytes, found: ModelContents, depth: number): Promise<void> {
  await forEachField(attribute, found, async ({ number, value }) => {
    if (typeof value === 'number' || (number !== ATTRIBUTE.graph && number !== ATTRIBUTE.graphs)) return;
    if (depth > DEEPEST) found.left = -1;
    else await readGraph(value, found, depth);
  });
}

/** Reads a node that outputs a constant tensor. Exporters write weights and operator settings as such nodes. */
async function readConstant(node: Bytes, found: ModelContents): Promise<void> {
  let name = '';
  const attributes: Bytes[] = [];
  await forEachField(node, found, async ({ number, value }) => {
    if (typeof value === 'number') return;
    if (number === NODE.output && name === '') name = await textOf(value);
    if (number === NODE.attribute) attributes.push(value);
  });
  for (const attribute of attributes)
    await forEachField(attribute, found, async ({ number, value }) => {
      if (number !== ATTRIBUTE.tensor || typeof value === 'number') return;
      const tensor = await readTensor(value, found);
      if (isWeight(tensor)) keep({ ...tensor, name }, found);
    });
}

/** Size in bytes from which a constant is treated as a weight rather than as a setting, such as axes or a new shape. */
const SMALLEST_WEIGHT = 1024;

function isWeight({ dtype, shape, bytes }: Tensor): boolean {
  return (shape.length > 0 && /^b?float/.test(dtype)) || bytes >= SMALLEST_WEIGHT;
}

interface ReadTensor extends Tensor {
  readonly external?: ExternalData;
}

function keep(read: ReadTensor | Promise<ReadTensor>, found: ModelContents): Promise<void> | undefined {
  if (read instanceof Promise) return read.then((tensor) => keep(tensor, found));
  const { external, ...tensor } = read;
  found.tensors.push(tensor);
  if (external) found.external.push(external);
  return undefined;
}

/** The fields of a tensor that are read, other than numbers: not its content. */
const SMALL_PARTS: ReadonlySet<number> = new Set([TENSOR.dims, TENSOR.name, TENSOR.externalData]);

/** Waits only for bytes that are not in memory. */
function readTensor(content: Bytes, found: ModelContents): ReadTensor | Promise<ReadTensor> {
  found.budget.hold(BYTES_PER_TENSOR);
  const parts: TensorParts = { name: '', type: 0, shape: [], isExternal: false, external: new Map() };
  if (content.content) {
    for (const { number, value } of fieldsOf(content.content)) {
      found.left--;
      found.budget.spend(STEPS_PER_FIELD);
      takePart(parts, number, value, found);
    }
    return tensorOf(parts);
  }
  return forEachField(content, found, async ({ number, value }) => {
    if (typeof value === 'number') takePart(parts, number, value, found);
    else if (SMALL_PARTS.has(number)) takePart(parts, number, await value.read(0, LONGEST), found);
  }).then(() => tensorOf(parts));
}

interface TensorParts {
  name: string;
  type: number;
  readonly shape: number[];
  isExternal: boolean;
  readonly external: Map<string, string>;
}

function takePart(parts: TensorParts, number: number, value: number | Buffer, found: ModelContents): void {
  if (number === TENSOR.dims) {
    for (const size of typeof value === 'number' ? [value] : numbersIn(value.subarray(0, LONGEST)))
      parts.shape.push(size);
    // No framework has such tensors, and their sizes could fill the memory.
    if (parts.shape.length > MOST_DIMENSIONS) found.left = -1;
  }
  if (typeof value === 'number') {
    if (number === TENSOR.type) parts.type = value;
    if (number === TENSOR.location) parts.isExternal = value === 1;
    return;
  }
  if (number === TENSOR.name) parts.name = value.toString('utf8', 0, LONGEST);
  if (number === TENSOR.externalData) {
    const [key, text] = [...fieldsOf(value.subarray(0, LONGEST))];
    parts.external.set(String(key?.value), String(text?.value));
  }
}

function tensorOf({ name, type, shape, isExternal, external }: TensorParts): ReadTensor {
  const dtype = nameOfType(type);
  const tensor = { name, dtype, shape, bytes: bytesOf(dtype, shape) };
  if (!isExternal) return tensor;
  const [location = '', offset, length] = ['location', 'offset', 'length'].map((key) => external.get(key));
  return { ...tensor, external: { location, end: (Number(offset) || 0) + (Number(length) || tensor.bytes) } };
}

function numbersIn(packed: Buffer): number[] {
  const numbers: number[] = [];
  for (let at = 0; at < packed.length; ) {
    const next = varint(packed, at);
    if (!next) break;
    numbers.push(next.value);
    at = next.end;
  }
  return numbers;
}

async function textOf(value: Bytes): Promise<string> {
  return (await value.read(0, LONGEST)).toString('utf8');
}
