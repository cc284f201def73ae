import type { Budget } from '../../budget.ts';
import { fieldsOf } from '../../encodings/protobuf.ts';

/**
 * A SavedModel's program, read from its graphs and functions instead of from TensorFlow's list of stripped operations.
 */
export interface GraphProgram {
  readonly version?: string;
  /** The names of the operations, without duplicates. */
  readonly operations: ReadonlySet<string>;
  /** The JSON texts in which Keras 2 describes its layers. */
  readonly metadata: readonly string[];
  /** Names under which it can be called: its signatures and the functions of its root object. */
  readonly endpoints: readonly string[];
  /** False if a part could not be read completely; TensorFlow may read more of it. */
  readonly isWhole: boolean;
}

/** Maximum number of fields that are read. */
const MOST_FIELDS = 3_000_000;
const STEPS_PER_FIELD = 12;
/** Number of bytes kept of the name of an operation or a function. */
const LONGEST_NAME = 1000;
/** Memory overhead of a string, in bytes. */
const BYTES_PER_TEXT = 60;

/**
 * Reads `saved_model.pb`. The field numbers are those of `SavedModel`, `MetaGraphDef`, `GraphDef`, `FunctionDef` and
 * `SavedObjectGraph` in https://github.com/tensorflow/tensorflow/tree/master/tensorflow/core
 */
export function graphProgramIn(content: Buffer, budget: Budget): GraphProgram {
  const operations = new Set<string>();
  const metadata: string[] = [];
  const endpoints = new Set<string>();
  const children = new Map<string, number>();
  const functions = new Set<number>();
  let objectCount = 0;
  let version: string | undefined;
  let isWhole = true;
  let left = MOST_FIELDS;

  const each = (message: Buffer, readers: Readonly<Record<number, (value: Buffer) => void>>) => {
    const fields = fieldsOf(message);
    for (let next = fields.next(); ; next = fields.next()) {
      if (next.done) {
        isWhole &&= next.value;
        return;
      }
      if (left-- <= 0) {
        isWhole = false;
        return;
      }
      const { number, value } = next.value;
      budget.spend(STEPS_PER_FIELD);
      if (typeof value === 'object') readers[number]?.(value);
    }
  };
  const textOf = (value: Buffer) => {
    budget.hold(value.length + BYTES_PER_TEXT);
    return value.toString('utf8');
  };
  const nameOf = (value: Buffer) => textOf(value.subarray(0, LONGEST_NAME));
  const named = (value: Buffer) => void operations.add(nameOf(value));
  const node = (value: Buffer) => each(value, { 2: named });
  const library = (value: Buffer) => each(value, { 1: (fn) => each(fn, { 3: node }) });
  const graph = (value: Buffer) => each(value, { 1: node, 2: library });
  const about = (value: Buffer) =>
    each(value, {
      2: (list) => each(list, { 1: (operation) => each(operation, { 1: named }) }),
      5: (text) => {
        version ??= textOf(text);
      },
    });
  const userObject = (value: Buffer) => each(value, { 3: (text) => metadata.push(textOf(text)) });
  const signature = (value: Buffer) => each(value, { 1: (name) => endpoints.add(nameOf(name)) });
  const child = (value: Buffer) => {
    budget.spend(value.length * STEPS_PER_FIELD);
    const fields = [...fieldsOf(value)];
    const name = fields.find(({ number }) => number === 2)?.value;
    const id = fields.find(({ number }) => number === 1)?.value;
    if (typeof name === 'object' && typeof id === 'number') children.set(nameOf(name), id);
  };
  const object = (value: Buffer) => {
    const id = objectCount++;
    const isFunction = () => functions.add(id);
    each(value, { 1: id === 0 ? child : () => {}, 4: userObject, 6: isFunction, 8: isFunction });
  };
  const objects = (value: Buffer) => each(value, { 1: object });
  each(content, { 2: (meta) => each(meta, { 1: about, 2: graph, 5: signature, 7: objects }) });
  for (const [name, id] of children) if (functions.has(id)) endpoints.add(name);
  return {
    version,
    operations,
    metadata: metadata.filter((text) => text !== ''),
    endpoints: usualFirst([...endpoints].filter((name) => !name.startsWith('_'))),
    isWhole,
  };
}

/** Returns the layer descriptions from `keras_metadata.pb`, where Keras 2.5 and later store them. */
export function layersIn(content: Buffer, budget: Budget): string[] {
  const found: string[] = [];
  for (const { number, value } of fieldsOf(content))
    if (number === 1 && typeof value === 'object')
      for (const field of fieldsOf(value)) {
        budget.spend(STEPS_PER_FIELD);
        if (field.number !== 5 || typeof field.value !== 'object') continue;
        budget.hold(field.value.length + BYTES_PER_TEXT);
        found.push(field.value.toString('utf8'));
      }
  return found;
}

const usualFirst = (names: readonly string[]) =>
  [...names].sort((one, other) => Number(other === 'serving_default') - Number(one === 'serving_default'));
