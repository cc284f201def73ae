import { join } from 'node:path';
import { Unreadable } from '../../../projectFile.ts';
import type { Budget } from '../../budget.ts';
import { metered, withFile } from '../../bytes.ts';
import type { Checkpoint, Safety } from '../../checkpoint.ts';
import { sizeOfFiles } from '../../diskEntries.ts';
import { withDoubts } from '../../doubts.ts';
import { parsedCheckpointJson } from '../../encodings/json.ts';
import { enumeratedCode } from '../../enumerated.ts';
import { needsTrust, notChecked, runsCode, suspicious, worstOf } from '../../verdicts.ts';
import { type JudgedConfiguration, judgeKerasConfiguration } from '../keras/configuration.ts';
import { readBundleVariables, type Variables } from './bundle.ts';
import { type GraphProgram, graphProgramIn, layersIn } from './operations.ts';

/** Maximum number of bytes of a program that are read, including its constants. */
const MOST_READ = 64 * 1024 * 1024;

/** Maximum number of call names that are kept. */
const MOST_ENDPOINTS = 100;

/** Reads a SavedModel folder; `names` are the names of its files. */
export async function readSavedModel(path: string, names: readonly string[], budget: Budget): Promise<Checkpoint> {
  const variables = await variablesIn(path, names, budget);
  const program = names.includes('saved_model.pb') ? await programAt(join(path, 'saved_model.pb'), budget) : UNKNOWN;
  const isApart = names.includes('keras_metadata.pb');
  const metadata = isApart ? await contentOf(join(path, 'keras_metadata.pb'), budget) : NO_METADATA;
  const layers = layersIn(metadata.content, budget);
  // Keras before 2.5 stored these descriptions in the program.
  const isOfKeras = isApart || program.metadata.some((text) => text.includes('"class_name"'));
  const described = [...program.metadata, ...layers].map((text) => judgeLayer(text, budget));
  const safety = worstOf([...described.map((each) => each.safety), judge(program.operations)]);
  const writer = program.version ? `TensorFlow ${program.version}` : 'TensorFlow';
  // Being a program is not a problem in itself.
  const isBad = runsCode(safety) && safety !== PROGRAM;
  const checkpoint: Checkpoint = {
    format: 'saved-model',
    size: (await sizeOfFiles(path, names)) + variables.size,
    writtenBy: isOfKeras ? `Keras 2, ${writer}` : writer,
    holds: isOfKeras ? 'model' : undefined,
    endpoints: program.endpoints.slice(0, MOST_ENDPOINTS),
    tensors: variables.tensors,
    imports: described.flatMap((each) => each.imports).filter(({ standing }) => standing !== 'allowed'),
    safety,
    problems: [...variables.problems, ...(isBad ? [safety.reason] : [])],
  };
  const isHidden = names.includes('saved_model.pbtxt');
  return withDoubts(checkpoint, isHidden ? [AS_TEXT] : program.isWhole && metadata.isAll ? [] : [NOT_WHOLE]);
}

const NO_METADATA = { content: Buffer.alloc(0), isAll: true };

const AS_TEXT = 'its program is in text form, which is not checked';
const NOT_WHOLE = "its program is damaged or exceeds GPU Doctor's size limit";

/**
 * Checks a layer's description. Keras creates the layer from it, or, for a Lambda layer, from the Python code in it.
 */
function judgeLayer(text: string, budget: Budget): JudgedConfiguration {
  const parsed = parsedCheckpointJson(Buffer.from(text), budget);
  if (typeof parsed === 'object' && parsed !== null) return judgeKerasConfiguration(parsed, 'saved-model');
  return { imports: [], safety: notChecked('the description of one of its layers is not valid JSON') };
}

async function variablesIn(path: string, names: readonly string[], budget: Budget): Promise<Variables> {
  const none = { tensors: [], size: 0 };
  if (!names.includes('variables'))
    return {
      ...none,
      problems: ['The folder `variables` is missing: the model has no weights, or it was copied incompletely.'],
    };
  const index = join(path, 'variables', 'variables.index');
  try {
    return await withFile(index, (bytes) => readBundleVariables(metered(bytes, budget), budget, index));
  } catch {
    return { ...none, problems: ['The file `variables/variables.index` is missing, or cannot be read.'] };
  }
}

/** Returns a file's content up to the limit, and whether this is all of it. */
async function contentOf(path: string, budget: Budget): Promise<{ content: Buffer; isAll: boolean }> {
  return withFile(path, async (bytes) => ({
    content: await metered(bytes, budget).read(0, MOST_READ),
    isAll: bytes.size <= MOST_READ,
  })).catch((error) => {
    if (error instanceof Unreadable) return { content: Buffer.alloc(0), isAll: false };
    throw error;
  });
}

async function programAt(path: string, budget: Budget): Promise<GraphProgram> {
  const { content, isAll } = await contentOf(path, budget);
  const program = graphProgramIn(content, budget);
  return { ...program, isWhole: program.isWhole && isAll };
}

const UNKNOWN: GraphProgram = { operations: new Set(), metadata: [], endpoints: [], isWhole: false };

/**
 * Operations that access files, the network or Python. Operations that save and restore variables, or that fill a table
 * from one of the model's own files, are not listed because nearly every model has them.
 */
const UNSAFE =
  /^(WriteFile|ReadFile|MatchingFiles|CopyFile|RenameFile|DeleteFile|DeleteRecursively|(Eager)?PyFunc(Stateless)?|\w*Reader(V2)?|(Save|Load|Snapshot|Cache|TFRecord|TextLine|FixedLengthRecord|Sql|LMDB|DataService|BigQuery\w*|MatchingFiles)Dataset(V\d)?|CreateSummary(File|Db)Writer|WriteRawProtoSummary|ImmutableConst|Debug\w*|RpcCall|RpcClient|XlaCustomCall(V2)?|SaveSlices|ReaderRead\w*)$/;

const PROGRAM = needsTrust(
  'It contains a program: loading it runs its initializers, calling it runs the rest, and both can access files.',
);

function judge(operations: ReadonlySet<string>): Safety {
  const unsafe = [...operations].filter((name) => UNSAFE.test(name));
  if (unsafe.length === 0) return PROGRAM;
  return suspicious(`Its program can access files or run Python through ${enumeratedCode(unsafe)}.`);
}
