/** GPU502: load a file with a loader for its format. */

import type { Format } from '../../checkpoint/checkpoint.ts';
import type { Program } from '../../guards/program.ts';
import { calledName } from '../../python/semantic/accessPaths.ts';
import { type Argument, argumentFor } from '../../python/semantic/arguments.ts';
import { isNone, isString } from '../../python/semantic/literals.ts';
import { spanOf } from '../../python/semantic/source.ts';
import type { Expression } from '../../python/syntax/nodes.ts';
import { hasBrackets } from '../edits/arguments.ts';
import type { Fix } from '../edits/fix.ts';
import { replacement } from '../edits/placement.ts';
import type { Knowledge } from '../engine/contract.ts';
import type { Reading } from '../queries/readerCalls.ts';
import { usesOfResult } from './loadedObject.ts';
import type { Library } from './moduleNames.ts';
import { moduleAt, torchAt } from './modules.ts';
import { quotedNear } from './quotes.ts';
import { isSound } from './soundness.ts';
import { knowsWeightsOnly } from './weightsOnly.ts';

const LOAD_FILE: Library = {
  modules: ['safetensors.torch.load_file'],
  alias: 'load_file',
  importLine: 'from safetensors.torch import load_file',
};

/** The other loader may return another type, so these fixes are never applied automatically. */
export function fixesOfWrongLoader(program: Program, reading: Reading, format: Format, known: Knowledge): Fix[] {
  const { call, expression } = reading;
  // Neither the arguments of a partial nor an open file can be rewritten here.
  const isOpen = expression.kind === 'Call' && calledName(expression) === 'open';
  if (
    !isSound(program, call) ||
    !hasBrackets(program, call) ||
    reading.args.some((argument) => argument.call !== call) ||
    isOpen
  )
    return [];
  const isSavedModel = reading.reader.name.startsWith('keras.') && format === 'saved-model';
  const fix = isSavedModel ? ofSavedModel(program, reading) : rightCall(program, reading, format, known);
  return fix ? [fix] : [];
}

function rightCall(program: Program, reading: Reading, format: Format, known: Knowledge): Fix | undefined {
  const from = reading.reader.name;
  const isState = format === 'torch' || format === 'torch-legacy';
  if (from === 'torch.load' && format === 'safetensors') return withLoadFile(program, reading);
  if (from === 'torch.load' && format === 'torchscript') return withTorch(program, reading, 'jit.load', '');
  if ((from === 'torch.jit.load' || from === 'safetensors.torch.load_file') && isState)
    return withTorch(program, reading, 'load', knowsWeightsOnly(known) ? ', weights_only=True' : '');
  return undefined;
}

/** Arguments that the other loaders do not need. */
const NEEDLESS = new Set(['weights_only', 'mmap']);

/** Returns the text of the path, and of the device if there is one; undefined if the call has other arguments. */
function plainArguments(program: Program, { args, reader, expression }: Reading) {
  const parameter = reader.name.startsWith('safetensors.') ? 'device' : 'map_location';
  const { argument: device, maybe } = argumentFor(args, parameter, 1);
  const isKnown = (each: Argument) => each.value === expression || each === device || NEEDLESS.has(each.name ?? '');
  if (maybe || !args.every(isKnown)) return undefined;
  const text = ({ start, end }: Expression) => program.text.slice(start, end);
  return { path: text(expression), device: isNone(device?.value) ? undefined : device?.value, text };
}

function withLoadFile(program: Program, reading: Reading): Fix | undefined {
  const { call } = reading;
  const parts = plainArguments(program, reading);
  const library = parts && moduleAt(program, call, LOAD_FILE);
  if (!library) return undefined;
  const { path, device, text } = parts;
  // PyTorch's devices are objects, but safetensors expects names.
  const isVariable = device?.kind === 'Name' || device?.kind === 'Attribute';
  if (device && !isVariable && !isString(device)) return undefined;
  const to = device ? `, device=${isVariable ? `str(${text(device)})` : text(device)}` : '';
  const edits = [...library.edits, replacement(call.start, call.end, `${library.text}(${path}${to})`)];
  return { title: 'Use `safetensors.torch.load_file`', tier: 'suggestion', edits };
}

function withTorch(program: Program, reading: Reading, loader: string, more: string): Fix | undefined {
  const { call } = reading;
  const parts = plainArguments(program, reading);
  const torch = parts && torchAt(program, call);
  if (!torch) return undefined;
  const { path, device, text } = parts;
  const to = device ? text(device) : quotedNear(program, call, 'cpu');
  const newCall = `${torch.text}.${loader}(${path}, map_location=${to}${more})`;
  const edits = [...torch.edits, replacement(call.start, call.end, newCall)];
  return { title: `Use \`torch.${loader}\``, tier: 'suggestion', edits };
}

const TF_KERAS: Library = { modules: ['tf_keras'], alias: 'tf_keras', importLine: 'import tf_keras' };

/** Returns a fix that suits the model and its use: a layer if it is only called, else the original Keras model. */
function ofSavedModel(program: Program, reading: Reading): Fix | undefined {
  const uses = usesOfResult(program, reading.call);
  const isOnlyCalled = uses.every((use) => use.parent?.kind === 'Call' && use.parent.func === use);
  const isOfKeras = reading.files.every(({ summary }) => summary.holds === 'model');
  const layer = isOnlyCalled ? asLayer(program, reading) : undefined;
  return layer ?? (isOfKeras ? withLegacyKeras(program, reading) : undefined);
}

/** Returns the fix that uses Keras 2, which is still available as the package `tf_keras`. */
function withLegacyKeras(program: Program, { call }: Reading): Fix | undefined {
  const library = moduleAt(program, call, TF_KERAS);
  if (!library) return undefined;
  const { start, end } = spanOf(call.func);
  const edits = [...library.edits, replacement(start, end, `${library.text}.models.load_model`)];
  return { title: 'Use Keras 2 (`tf_keras`)', tier: 'display', edits };
}

/**
 * Returns the fix that loads a SavedModel as a layer, which can be called but has no other methods of a Keras model.
 */
function asLayer(program: Program, { call, expression, files }: Reading): Fix | undefined {
  const keras = /^(.+)\.(models|saving)\.load_model$/.exec(program.text.slice(call.func.start, call.func.end))?.[1];
  const name = endpointOf(files.map(({ summary }) => summary.endpoints ?? []));
  if (keras === undefined || name === undefined) return undefined;
  const path = program.text.slice(expression.start, expression.end);
  const endpoint = `call_endpoint=${quotedNear(program, call, name)}`;
  const newCall = `${keras}.layers.TFSMLayer(${path}, ${endpoint})`;
  return {
    title: 'Load the SavedModel as a `TFSMLayer`',
    tier: 'display',
    edits: [replacement(call.start, call.end, newCall)],
  };
}

/** Returns the first endpoint that all of the files have. */
function endpointOf([first = [], ...others]: readonly (readonly string[])[]): string | undefined {
  return first.find((name) => others.every((names) => names.includes(name)));
}
