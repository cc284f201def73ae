/** GPU301: check or configure the GPUs before a Keras model is loaded, or load it without a GPU. */

import type { Program } from '../../guards/program.ts';
import { argumentFor, argumentsOf } from '../../python/semantic/arguments.ts';
import { isBoolean } from '../../python/semantic/literals.ts';
import { spanOf } from '../../python/semantic/source.ts';
import type { Call, Expression, Node, Statement } from '../../python/syntax/nodes.ts';
import { addArgument, hasBrackets } from '../edits/arguments.ts';
import type { Fix } from '../edits/fix.ts';
import { endsLine, indentOf, indentUnit, lineEnd, newlineAt } from '../edits/layout.ts';
import { insertion, isAloneOnItsLines, replacement, underHeader } from '../edits/placement.ts';
import type { Knowledge } from '../engine/contract.ts';
import { blockAround, statementAround } from '../queries/blocks.ts';
import { isTensorflow1, type KerasBackend, kerasBackendOf } from '../queries/kerasBackend.ts';
import { isFreeAtTopLevel } from './bindings.ts';
import { isImport, lastOfImports } from './imports.ts';
import { usesOfResult } from './loadedObject.ts';
import { JAX, type Library, moduleNameAt, TENSORFLOW, TORCH } from './moduleNames.ts';
import { jaxAt, tensorflowAt } from './modules.ts';
import { type Offer, preferringFirst } from './offers.ts';
import { quotedLikeFile, quotedNear } from './quotes.ts';
import { isSound } from './soundness.ts';
import { listerOf } from './tensorflowDevice.ts';
import { isReachedBefore, placeAfterImport, writeAt } from './topLevel.ts';

export function fixesOfKerasLoad(program: Program, load: Call, isHint: boolean, known: Knowledge = {}): Fix[] {
  if (!isSound(program, load) || !hasBrackets(program, load)) return [];
  const backend = kerasBackendOf(program, known);
  const loading = checkDevices(program, load, backend, known);
  const others = [onCpu(program, load, backend), withoutCompiling(program, load)];
  // Only a check keeps the program's behavior on a machine with a GPU.
  return loading
    ? preferringFirst([loading, ...others], isHint ? 'suggestion' : 'safe')
    : preferringFirst(others, 'suggestion');
}

interface DeviceCheck {
  readonly library: Library;
  readonly title: string;
  /** Returns the lines to insert, with the library's name. */
  lines(name: string): string[];
}

function checkDevices(program: Program, load: Call, backend: KerasBackend, known: Knowledge): Offer | undefined {
  const look = deviceCheckOf(program, load, backend, known);
  if (!look) return undefined;
  const { title, library } = look;
  const local = inFunction(program, load, look);
  if (local) return local;
  const place = placeAfterImport(program, library, load);
  if (!place || isReachedBefore(program, load, place)) return undefined;
  const name = place.moduleName ?? library.alias;
  const importLine = place.moduleName ? undefined : library.importLine;
  return { title, edits: [writeAt(program, place, importLine, look.lines(name))] };
}

function deviceCheckOf(program: Program, load: Call, backend: KerasBackend, known: Knowledge): DeviceCheck | undefined {
  const unit = indentUnit(program);
  const message = `print(${quotedLikeFile(program, 'No GPU was found: Keras runs on the CPU.')})`;
  switch (backend) {
    case 'tensorflow': {
      const gpu = ['gpu', 'physical_gpu', 'each_gpu'].find((name) => isFreeAtTopLevel(program, name, load));
      if (isTensorflow1(program, known) || !gpu || !listerOf('tf', known)) return undefined;
      return {
        library: TENSORFLOW,
        title: 'Enable memory growth on all GPUs',
        lines: (tf) => [
          `for ${gpu} in ${listerOf(tf, known)}(${quotedLikeFile(program, 'GPU')}):`,
          `${unit}${tf}.config.experimental.set_memory_growth(${gpu}, True)`,
        ],
      };
    }
    case 'torch':
      return {
        library: TORCH,
        title: 'Add a check for a GPU',
        lines: (torch) => [`if not ${torch}.cuda.is_available():`, `${unit}${message}`],
      };
    case 'jax':
      return {
        library: JAX,
        title: 'Add a check for a GPU',
        lines: (jax) => [`if ${jax}.devices()[0].platform == ${quotedLikeFile(program, 'cpu')}:`, `${unit}${message}`],
      };
  }
}

/** Inserts the lines after the imports of a function that imports the library itself. */
function inFunction(program: Program, load: Call, { library, title, lines }: DeviceCheck): Offer | undefined {
  const home = program.names.functionOf(load);
  if (!home || moduleNameAt(program, load, library)?.scope.kind === 'module') return undefined;
  const first = home.body.find(isImport);
  const last = first && lastOfImports(blockAround(program, first), first);
  const top = statementIn(home.body, load);
  if (!last || !top || last.start >= top.start || !endsLine(program, last.end)) return undefined;
  const known = moduleNameAt(program, load, library);
  if (!known && program.index.module.definitions.has(library.alias)) return undefined;
  const offset = lineEnd(program, last.end);
  const own = known ? lines(known.name) : [library.importLine, ...lines(library.alias)];
  const before = newlineAt(program, offset) + indentOf(program, last.start);
  return { title, edits: [insertion(offset, own.map((line) => before + line).join(''))] };
}

/** Returns the statement of a block that contains a node. */
function statementIn(block: readonly Statement[], node: Node): Statement | undefined {
  return block.find((statement) => statement.start <= node.start && node.end <= statement.end);
}

/** Puts the statement inside `with tf.device("/CPU:0"):`. */
function onCpu(program: Program, load: Call, backend: KerasBackend): Offer | undefined {
  const statement = statementAround(load);
  const isSimple =
    statement?.kind === 'Assign' ||
    statement?.kind === 'AnnAssign' ||
    statement?.kind === 'Return' ||
    statement?.kind === 'Expr';
  // With torch, a model must be on the device of its inputs.
  if (!statement || !isSimple || backend === 'torch' || !isAloneOnItsLines(program, statement)) return undefined;
  const library = backend === 'jax' ? jaxAt(program, load) : tensorflowAt(program, load);
  if (!library) return undefined;
  const device =
    backend === 'jax'
      ? `default_device(${library.text}.devices(${quotedNear(program, load, 'cpu')})[0])`
      : `device(${quotedNear(program, load, '/CPU:0')})`;
  const header = `with ${library.text}.${device}:`;
  return { title: `Load inside \`${header}\``, edits: [...library.edits, ...underHeader(program, statement, header)] };
}

const INFERENCE = new Set(['predict', 'predict_on_batch', 'predict_proba', 'predict_classes', 'call']);
const READING = new Set([
  'summary',
  'input_shape',
  'output_shape',
  'input',
  'inputs',
  'output',
  'outputs',
  'layers',
  'name',
  'get_layer',
  'count_params',
  'get_weights',
  'to_json',
]);

/** Adds `compile=False` if the model is only used for inference: its optimizer and loss are not needed. */
function withoutCompiling(program: Program, load: Call): Offer | undefined {
  const { argument, maybe } = argumentFor(argumentsOf(load), 'compile', 2);
  const isTrue = isBoolean(argument?.value, true);
  if (maybe || (argument && !isTrue) || !isOnlyUsedForInference(program, load)) return undefined;
  const title = 'Add `compile=False`';
  if (!argument) return { title, edits: addArgument(program, load, 'compile=False') };
  const { start, end } = spanOf(argument.value);
  return { title: 'Set `compile` to `False`', edits: [replacement(start, end, 'False')] };
}

function isOnlyUsedForInference(program: Program, load: Call): boolean {
  const uses = usesOfResult(program, load);
  return (
    uses.some(isInference) &&
    uses.every((use) => isInference(use) || (use.parent?.kind === 'Attribute' && READING.has(use.parent.attr)))
  );
}

function isInference(use: Expression): boolean {
  const around = use.parent;
  if (around?.kind === 'Call') return around.func === use;
  return around?.kind === 'Attribute' && INFERENCE.has(around.attr);
}
