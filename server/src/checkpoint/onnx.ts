import type { Bytes } from './bytes.ts';
import type { Checkpoint } from './checkpoint.ts';
import { fieldsOf } from './protobuf.ts';

/** Bytes in which an ONNX model tells what it is: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto */
const HEAD = 512;
/** The fields of `ModelProto`, by number. */
const IR_VERSION = 1;
const PRODUCER = 2;
const PRODUCER_VERSION = 3;
const GRAPH = 7;

/**
 * True for the beginning of an ONNX model. The format has no sign of its own: it starts with a small version, and who
 * made it is named before the graph.
 */
export function isOnnx(head: Buffer): boolean {
  const [first, ...fields] = fieldsOf(head);
  if (first?.number !== IR_VERSION || typeof first.value !== 'number' || first.value < 1 || first.value > 50)
    return false;
  const producer = fields.find(({ number }) => number === PRODUCER)?.value;
  const isNamed = typeof producer === 'object' && /^[\w .:/+-]{1,64}$/.test(producer.toString('latin1'));
  return isNamed && fields.some(({ number, value }) => number === GRAPH && typeof value === 'object');
}

/** An ONNX model. It is told from others and its writer is named; what is inside is not listed. */
export async function readOnnx(bytes: Bytes): Promise<Checkpoint> {
  const fields = [...fieldsOf(await bytes.read(0, HEAD))];
  const [producer, version] = [PRODUCER, PRODUCER_VERSION].map((wanted) =>
    fields.find(({ number }) => number === wanted)?.value.toString(),
  );
  return {
    format: 'onnx',
    size: bytes.size,
    writtenBy: version ? `${producer} ${version}` : producer,
    tensors: [],
    imports: [],
    safety: { verdict: 'not-checked', reason: 'Not checked: it holds a program for ONNX Runtime.' },
    problems: ['It is an ONNX model, which `onnxruntime.InferenceSession` loads: PyTorch and Keras do not.'],
  };
}
