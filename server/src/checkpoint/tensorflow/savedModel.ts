import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { withFile } from '../bytes.ts';
import type { Checkpoint, Safety } from '../checkpoint.ts';
import { bytesIn } from '../protobuf.ts';
import { readVariables, type Variables } from './bundle.ts';

/** Bytes of the program's description that are read: what it says of itself stands before the program. */
const HEAD = 1024 * 1024;

/** A folder that TensorFlow saved a model to, of which the names of its files are at hand. */
export async function readSavedModel(path: string, names: readonly string[]): Promise<Checkpoint> {
  const variables = await variablesIn(path, names);
  const about = names.includes('saved_model.pb') ? aboutIn(await headOf(join(path, 'saved_model.pb'))) : UNKNOWN;
  const safety = judge(about.operations);
  const writer = about.version ? `TensorFlow ${about.version}` : 'TensorFlow';
  return {
    format: 'saved-model',
    size: (await sizeOf(path, names)) + variables.size,
    writtenBy: names.includes('keras_metadata.pb') ? `Keras 2, ${writer}` : writer,
    holds: names.includes('keras_metadata.pb') ? 'model' : undefined,
    tensors: variables.tensors,
    imports: [],
    safety,
    problems: [...variables.problems, ...(safety.verdict === 'suspicious' ? [safety.reason] : [])],
  };
}

/** True for the names of the files in such a folder. */
export function isSavedModel(names: readonly string[]): boolean {
  return names.includes('saved_model.pb') || names.includes('saved_model.pbtxt');
}

async function variablesIn(path: string, names: readonly string[]): Promise<Variables> {
  const none = { tensors: [], size: 0 };
  if (!names.includes('variables'))
    return {
      ...none,
      problems: ['The folder `variables` is missing: the model has no weights, or it was copied in part.'],
    };
  const index = join(path, 'variables', 'variables.index');
  try {
    return await withFile(index, (bytes) => readVariables(bytes, index));
  } catch {
    return { ...none, problems: ['The file `variables/variables.index` is missing, or cannot be read.'] };
  }
}

async function headOf(path: string): Promise<Buffer> {
  return withFile(path, (bytes) => bytes.read(0, HEAD));
}

/** What a SavedModel says of its program. */
export interface About {
  readonly version?: string;
  /** The names of the operations that the program is made of. */
  readonly operations: readonly string[];
}
const UNKNOWN: About = { operations: [] };

/** `SavedModel.meta_graphs[0].meta_info_def` of https://github.com/tensorflow/tensorflow/blob/master/tensorflow/core/protobuf/ */
export function aboutIn(head: Buffer): About {
  const info = bytesIn(head, 2).flatMap((graph) => bytesIn(graph, 1))[0];
  if (!info) return UNKNOWN;
  const operations = bytesIn(info, 2).flatMap((list) => bytesIn(list, 1).flatMap((operation) => bytesIn(operation, 1)));
  return { version: bytesIn(info, 5)[0]?.toString('utf8'), operations: operations.map(String) };
}

/** Operations that reach files or run Python; what only saves and restores variables is in every model. */
const REACHING =
  /^(WriteFile|ReadFile|MatchingFiles|CopyFile|RenameFile|DeleteFile|(Eager)?PyFunc(Stateless)?|WholeFileReader.*)$/;

function judge(operations: readonly string[]): Safety {
  const reaching = operations.filter((name) => REACHING.test(name)).map((name) => `\`${name}\``);
  if (reaching.length > 0)
    return { verdict: 'suspicious', reason: `Its program can reach files or run Python, by ${reaching.join(', ')}.` };
  return {
    verdict: 'not-checked',
    reason: 'Not checked: a SavedModel holds a program, which runs when it is called.',
  };
}

async function sizeOf(path: string, names: readonly string[]): Promise<number> {
  const files = await Promise.all(names.map((name) => stat(join(path, name)).catch(() => undefined)));
  return files.reduce((sum, file) => sum + (file?.isFile() ? file.size : 0), 0);
}
