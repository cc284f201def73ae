import type { Checkpoint, Safety, Tensor, Verdict } from '../checkpoint/checkpoint.ts';
import { elementsOf } from '../checkpoint/dtypes.ts';
import { NEWEST_TORCH } from '../checkpoint/pickle/allowList.ts';
import { parametersOf } from '../checkpoint/summary.ts';
import type { PickleTrace } from '../checkpoint/tracePickles.ts';
import { weightSizesOf } from '../checkpoint/weightSizes.ts';
import { blockersUnder } from '../checkpoint/weightsOnly.ts';
import { type CheckpointHere, judgeCheckpoint } from '../rules/queries/checkpointHere.ts';
import type { Here } from '../rules/queries/here.ts';
import { fitOf } from './checkpointFit.ts';
import { bytesText, formatText, shapeText } from './checkpointFormat.ts';
import { isNoCheckpoint } from './checkpointView.ts';
import type { Paint } from './paint.ts';

/** The sentence about a checkpoint's safety names no more than the first of many imports. */
const NAMED_IN_REASON = 5;

/** A checkpoint for people: a summary, then its tensors. */
export function checkpointText(path: string, checkpoint: Checkpoint, paint: Paint, here?: Here): string {
  const { format, size, compression, writtenBy, tensors, devices, safety } = checkpoint;
  const problems = checkpoint.problems.filter((problem) => problem !== safety.reason);
  const facts: [string, string][] = here && !isNoCheckpoint(format) ? [['here', outlookOn(checkpoint, here)]] : [];
  facts.push(['format', `${formatText(format, compression)}, ${bytesText(size)}`]);
  if (writtenBy) facts.push(['written by', writtenBy]);
  if (devices) facts.push(['devices', devices.length > 0 ? devices.join(', ') : 'none']);
  if (tensors.length > 0) facts.push(['tensors', countsOf(tensors)]);
  const fit = fitOf(weightSizesOf(tensors), here?.memory);
  if (fit.length > 0) facts.push(['memory', fit.join(' ')]);
  if (!isNoCheckpoint(format)) facts.push(['safety', safetyText(safety)]);
  const { globals = [] } = blockersUnder(checkpoint, NEWEST_TORCH) ?? {};
  if (globals.length > NAMED_IN_REASON) facts.push(['imports', globals.join(', ')]);
  const isWarning = checkpoint.problems.includes(safety.reason);
  const painted = (name: string) => (name === 'safety' && isWarning ? paint('red', name.padEnd(10)) : name.padEnd(10));
  const lines = [
    paint('bold', printable(path)),
    ...facts.map(([name, value]) => `  ${painted(name)}  ${printable(value)}`),
    ...problems.map((problem) => `  ${paint('red', 'problem'.padEnd(10))}  ${printable(problem)}`),
  ];
  return `${[...lines, ...tableOf(tensors)].join('\n')}\n`;
}

/** What unpickling would do, for people: under the name of each pickle its lines. */
export function traceText(traces: readonly PickleTrace[]): string {
  if (traces.length === 0) return '  No pickle is in it.\n\n';
  return traces
    .map(({ name, lines }) => `${[name, ...lines].map((line) => `  ${printable(line)}`).join('\n')}\n\n`)
    .join('');
}

/** Whether the file loads on this machine, in a word and in the sentences that say why. */
function outlookOn(checkpoint: Checkpoint, here: Here): string {
  const { outlook, call, because, remedies } = judgeCheckpoint(checkpoint, here);
  const word = OUTLOOKS[outlook];
  const sentences = [...because, ...remedies].map((sentence) =>
    sentence.replace(/^Not checked: (.)/, (_, first) => first.toUpperCase()),
  );
  if (sentences.length === 0) return call === undefined ? word : `${word}, by ${call}`;
  return `${word}: ${sentences.join(' ')}`;
}

const OUTLOOKS: Readonly<Record<CheckpointHere['outlook'], string>> = {
  loads: 'loads',
  fails: 'fails',
  'runs-code': 'runs code',
  unknown: 'not checked',
};

/** The verdict in a word, and why. */
function safetyText({ verdict, reason }: Safety): string {
  return verdict === 'not-checked' ? reason.replace(/^N/, 'n') : `${SAFETY[verdict]}: ${reason}`;
}

const SAFETY: Readonly<Record<Verdict, string>> = {
  'no-code': 'harmless',
  'weights-only': 'harmless',
  refused: 'harmless',
  suspicious: 'needs trust',
  dangerous: 'dangerous',
  'not-checked': 'not checked',
};

/** `199 of float32, int64: 85,806,346 parameters, 343 MB` */
function countsOf(tensors: readonly Tensor[]): string {
  const types = [...new Set(tensors.map(({ dtype }) => dtype))].join(', ');
  const elements = tensors.reduce((sum, { shape }) => sum + elementsOf(shape), 0);
  const parameters = parametersOf(tensors);
  const bytes = tensors.reduce((sum, tensor) => sum + tensor.bytes, 0);
  const apart =
    parameters < elements && parameters > 0 ? `, of which ${countText(parameters)} without the optimizer` : '';
  const unit = elements === 1 ? 'element' : 'elements';
  return `${tensors.length} of ${types}: ${countText(elements)} ${unit}${apart}, ${bytesText(bytes)}`;
}

const countText = (count: number) => count.toLocaleString('en');

function tableOf(tensors: readonly Tensor[]): string[] {
  if (tensors.length === 0) return [];
  const rows = tensors.map(({ name, dtype, shape, device = '' }) =>
    [name, dtype, shapeText(shape), device].map(printable),
  );
  const all = [['name', 'type', 'shape', 'device'], ...rows];
  const widths = all.reduce(
    (known, row) => row.map((cell, index) => Math.max(known[index] ?? 0, cell.length)),
    [0, 0, 0, 0],
  );
  return [
    '',
    ...all.map((row) => `  ${row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  ')}`.trimEnd()),
  ];
}

/** What a file says of itself must not steer the terminal, nor turn the direction of writing. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}
