import { bytesText } from '../checkpoint/byteSizes.ts';
import type { Checkpoint, Entry, Safety, SafetyLevel, Tensor } from '../checkpoint/checkpoint.ts';
import { elementsOf } from '../checkpoint/dtypes.ts';
import { isCheckpointFormat } from '../checkpoint/formats/index.ts';
import { blockersUnder } from '../checkpoint/formats/torch/weightsOnly.ts';
import { partsIn, totalOf } from '../checkpoint/modelParts.ts';
import { allowingCode } from '../checkpoint/pickle/safeGlobals.ts';
import { summarizeCheckpoint } from '../checkpoint/summary.ts';
import type { PickleTrace } from '../checkpoint/tracePickles.ts';
import { isHarmless, levelOf } from '../checkpoint/verdicts.ts';
import { weightSizesOf } from '../checkpoint/weightSizes.ts';
import { judgeCheckpoint } from '../loading/checkpointHere.ts';
import type { Here } from '../loading/here.ts';
import { type CheckpointHere, loadableOf } from '../loading/outlook.ts';
import { printable } from '../printable.ts';
import { weightsOnly } from '../published/releases/weightsOnly.ts';
import { fitOf } from './checkpointFit.ts';
import { formatText } from './checkpointFormat.ts';
import { entryText, inOrderOfInterest, metadataAtAGlance } from './checkpointMetadata.ts';
import { partTexts, valuesText } from './checkpointParts.ts';
import { cutText, firstWithin, MOST_CHARACTERS } from './cut.ts';
import type { Paint } from './paint.ts';
import { COMPONENT_TITLES, componentRows } from './pipelineComponents.ts';
import { shapeText } from './quantities.ts';
import type { TensorFilter } from './tensorFilter.ts';

/** The sentence about a checkpoint's safety, in which only the first of many imports are named. */
const NAMED_IN_REASON = 5;

/** Default maximum number of lines in a table. */
const MOST_LINES = 40;

/** Maximum number of problems; only files designed to confuse have more. */
const MOST_PROBLEMS = 100;
/** Maximum number of characters in a cell. */
const LONGEST_CELL = 200;

/** Level of detail of a checkpoint's report. */
interface Extent {
  /** All lines of each table, including an optimizer's tensors, which are otherwise summarized. */
  readonly all: boolean;
  /** Metadata as a separate table. */
  readonly metadata: boolean;
  /** Maximum number of characters in each table, and in a file's traces. */
  readonly most?: number;
  readonly filter?: TensorFilter;
  /** Width of the terminal in columns, if there is one: names are cut to fit. */
  readonly width?: number;
}

/** Renders a checkpoint as text: a summary, then its tensors. */
export function checkpointText(
  path: string,
  checkpoint: Checkpoint,
  paint: Paint,
  extent: Extent,
  here?: Here,
): string {
  const { format, size, writtenBy, tensors, metadata = [], devices, onnx, safety } = checkpoint;
  const { model, average, training, values } = partsIn(tensors);
  const shownTensors = extent.all || model.length === 0 ? tensors : [...model, ...values];
  const parts = partTexts(summarizeCheckpoint(checkpoint).tensors);
  const problems = [...(checkpoint.misfits ?? []), ...checkpoint.problems].filter((each) => each !== safety.reason);
  const facts: [string, string][] = here && isCheckpointFormat(format) ? [['here', outlookOn(checkpoint, here)]] : [];
  facts.push(['format', `${formatText(checkpoint)}, ${bytesText(size)}`]);
  if (writtenBy) facts.push(['written by', writtenBy]);
  for (const sentence of checkpoint.about ?? []) facts.push(['about', sentence]);
  for (const [name, values] of [
    ['inputs', onnx?.inputs],
    ['outputs', onnx?.outputs],
  ] as const) {
    const text = valuesText(values);
    if (text !== undefined) facts.push([name, text]);
  }
  if (devices) facts.push(['devices', devices.length > 0 ? devices.join(', ') : 'none']);
  if (model.length > 0) facts.push(['tensors', countsOf(model)]);
  if (average.length > 0 || training.length > 0 || totalOf(model).buffers > 0)
    facts.push(['parameters', parts.parameters]);
  if (parts.average) facts.push(['average', parts.average]);
  if (parts.optimizer) facts.push(['optimizer', parts.optimizer]);
  if (parts.prefix) facts.push(['prefix', parts.prefix]);
  const glance = metadataAtAGlance(metadata);
  if (glance !== undefined && !extent.metadata) facts.push(['metadata', glance]);
  const fit = fitOf(weightSizesOf(tensors), here?.memory);
  if (fit.length > 0) facts.push(['memory', fit.join(' ')]);
  if (isCheckpointFormat(format)) facts.push(['safety', safetyText(safety)]);
  const { globals = [], remedy } = blockersUnder(checkpoint, here?.torch ?? weightsOnly().newest) ?? {};
  // Reported together with the file's outlook on this machine, if that is known.
  if (!here && remedy) facts.push(['allowed by', allowingCode(remedy)]);
  if (globals.length > NAMED_IN_REASON) facts.push(['imports', globals.join(', ')]);
  const isWarning = !isHarmless(safety);
  const painted = (name: string) => (name === 'safety' && isWarning ? paint('red', name.padEnd(10)) : name.padEnd(10));
  const problemLine = (problem: string) => `  ${paint('red', 'problem'.padEnd(10))}  ${printable(cutText(problem))}`;
  const lines = [
    paint('bold', printable(path)),
    ...facts.map(([name, value]) => `  ${painted(name)}  ${printable(cutText(value))}`),
    ...problems.slice(0, MOST_PROBLEMS).map(problemLine),
    ...(problems.length > MOST_PROBLEMS ? [problemLine(`${countText(problems.length - MOST_PROBLEMS)} more.`)] : []),
  ];
  const tables = [
    ...(checkpoint.pipeline ? tableOf(COMPONENT_TITLES, componentRows(checkpoint.pipeline), extent) : []),
    ...(extent.metadata ? tableOf(['metadata', 'value'], inOrderOfInterest(metadata).map(entryRow), extent) : []),
    ...tensorTable(shownTensors, extent),
  ];
  return `${[...lines, ...tables].join('\n')}\n`;
}

function tensorTable(tensors: readonly Tensor[], extent: Extent): string[] {
  const { filter } = extent;
  if (!filter || filter.isAll) return tableOf(TENSOR_COLUMNS, tensors.map(tensorRow), extent);
  const found = tensors.filter(filter.passes);
  return [
    ...tableOf(TENSOR_COLUMNS, found.map(tensorRow), extent),
    '',
    `  ${countText(found.length)} of ${countText(tensors.length)} tensors pass the filter`,
  ];
}

const TENSOR_COLUMNS = ['name', 'type', 'shape', 'device'];
const tensorRow = ({ name, dtype, shape, device = '' }: Tensor) => [name, dtype, shapeText(shape), device];
const entryRow = (entry: Entry) => [entry.name, entryText(entry)];

/** The calls of unpickling as text: lines under the name of each pickle. */
export function traceText(traces: readonly PickleTrace[], most = MOST_CHARACTERS): string {
  if (traces.length === 0) return '  It contains no pickle.\n\n';
  const all = traces.flatMap(({ name, lines }) => [name, ...lines, ''].map((line) => printable(cutText(line))));
  const shown = firstWithin(all, most, ({ length }) => length + 3);
  const more = all.length - shown.length;
  const lines = more === 0 ? shown : [...shown, `and ${countText(more)} more lines (\`--limits\`)`, ''];
  return lines.map((line) => (line === '' ? '\n' : `  ${line}\n`)).join('');
}

/** The outlook for loading the file on this machine: one word, and sentences with the reason. */
function outlookOn(checkpoint: Checkpoint, here: Here): string {
  const { outlook, lacks, call, because, remedies } = judgeCheckpoint(loadableOf(checkpoint), here);
  const word = lacks === undefined ? OUTLOOKS[outlook] : `no ${lacks} here`;
  // The words already give the first reason.
  const sentences = [...because.slice(lacks === undefined ? 0 : 1), ...remedies].map((sentence) =>
    sentence.replace(/^Not checked: (.)/, (_, first) => first.toUpperCase()),
  );
  if (sentences.length === 0) return call === undefined || lacks !== undefined ? word : `${word} with ${call}`;
  return `${word}: ${sentences.join(' ')}`;
}

const OUTLOOKS: Readonly<Record<CheckpointHere['outlook'], string>> = {
  loads: 'loads',
  fails: 'fails',
  'runs-code': 'runs code',
  unknown: 'not checked',
};

/** The verdict in one word, with the reason. */
function safetyText(safety: Safety): string {
  const level = levelOf(safety);
  return level === 'not-checked' ? safety.reason.replace(/^N/, 'n') : `${levelTitle(level)}: ${safety.reason}`;
}

/** The level in one or two words: `needs trust`. */
export function levelTitle(level: SafetyLevel): string {
  return level.replace('-', ' ');
}

/** `199 of float32, int64: 85,806,346 elements, 343 MB` */
function countsOf(tensors: readonly Tensor[]): string {
  const types = [...new Set(tensors.map(({ dtype }) => dtype))].join(', ');
  const elements = tensors.reduce((sum, { shape }) => sum + elementsOf(shape), 0);
  const unit = elements === 1 ? 'element' : 'elements';
  return `${countText(tensors.length)} of ${types}: ${countText(elements)} ${unit}, ${bytesText(bytesIn(tensors))}`;
}

const bytesIn = (tensors: readonly Tensor[]) => tensors.reduce((sum, { bytes }) => sum + bytes, 0);
const countText = (count: number) => count.toLocaleString('en');

/** Number of characters for a name on the narrowest terminal. */
const LEAST_NAME = 20;

/** Returns a name, or its end if it is too long: the end distinguishes tensors. */
function cutStart(name: string, longest: number): string {
  return name.length > longest ? `…${name.slice(name.length - longest + 1)}` : name;
}

/** A table that follows an empty line; empty without rows. */
function tableOf(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  { all, most = MOST_CHARACTERS, width: columnsOfTerminal = Number.POSITIVE_INFINITY }: Extent,
): string[] {
  if (rows.length === 0) return [];
  const wanted = (all ? rows : rows.slice(0, MOST_LINES)).map((row) => row.map((cell) => cutText(cell, LONGEST_CELL)));
  // Each row is as wide as the widest.
  const columns = titles.map((title, column) =>
    wanted.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), title.length),
  );
  const width = columns.reduce((sum, each) => sum + each + 2, 1);
  const fitting = wanted.slice(0, Math.max(1, Math.floor(most / width)));
  const more = rows.length - fitting.length;
  const option = fitting.length < wanted.length ? '--limits' : '--all';
  const others = columns.slice(1).reduce((sum, each) => sum + each + 2, 2);
  const longestName = Math.max(LEAST_NAME, columnsOfTerminal - others);
  const shown = [
    titles,
    ...fitting.map((row) => row.map((cell, column) => printable(column === 0 ? cutStart(cell, longestName) : cell))),
  ];
  const widths = titles.map((_, column) => shown.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0));
  const lines = shown.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  );
  return ['', ...lines, ...(more === 0 ? [] : [`  and ${countText(more)} more (\`${option}\`)`])];
}
