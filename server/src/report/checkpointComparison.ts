/** The differences between two checkpoints as text. */
import type { Checkpoint, Tensor } from '../checkpoint/checkpoint.ts';
import { type CheckpointComparison, isSameModel, MOST_COMPARED, type TensorDifference } from '../checkpoint/compare.ts';
import { partsIn } from '../checkpoint/modelParts.ts';
import { printable } from '../printable.ts';
import { cutText, type Omitted } from './cut.ts';
import type { Paint } from './paint.ts';
import { shapeText } from './quantities.ts';

/** The JSON output of `inspect --compare`. */
export interface CheckpointComparisonReport extends CheckpointComparison {
  readonly paths: readonly [first: string, second: string];
  /** True if the models have the same tensors, all with the same shapes and types. */
  readonly isSame: boolean;
  /** Number of items omitted from each list: see `--limits`. */
  readonly omitted: Omitted;
}

/** Default maximum number of lines in each list. */
const MOST_LINES = 40;

/** Renders the comparison as text: a summary, then a list for each kind of difference. */
export function comparisonText(
  paths: readonly [string, string],
  comparison: CheckpointComparison,
  paint: Paint,
  all: boolean,
): string {
  const { missing, unexpected, shapes, dtypes, notCompared } = comparison;
  const [first, second] = paths.map((path) => printable(path)) as [string, string];
  const lists = [
    listOf(`missing in ${second}`, missing.map(tensorLine), all),
    listOf(`unexpected in ${second}`, unexpected.map(tensorLine), all),
    listOf('another shape', shapes.map(shapeLine), all),
    listOf('another type', dtypes.map(typeLine), all),
  ];
  const lines = [
    `${paint('bold', first)} and ${paint('bold', second)}`,
    `  ${summaryOf(comparison)}`,
    ...prefixLines(comparison, [first, second]).map((line) => `  ${line}`),
    ...(hasOthers(comparison) ? [`  not compared: ${otherTensors(notCompared, [first, second])}`] : []),
    ...lists.flat(),
  ];
  return `${lines.join('\n')}\n`;
}

/** The differences in one line: "2 tensors are missing, 1 is unexpected, 12 are the same." */
export function summaryOf(comparison: CheckpointComparison): string {
  const { same, missing, unexpected, shapes, dtypes } = comparison;
  if (same === 0 && isSameModel(comparison)) return 'Neither has tensors of a model.';
  if (isSameModel(comparison))
    return `The models have the same tensors (${same.toLocaleString('en')}), shapes and types. Values are not compared.`;
  const parts = [
    [missing.length, 'missing'],
    [unexpected.length, 'unexpected'],
    [shapes.length, 'with a different shape'],
    [dtypes.length, 'with a different type'],
    [same, 'the same'],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, what]) => `${count.toLocaleString('en')} ${what}`);
  return `Tensors: ${said.join(', ')}.`;
}

function prefixLines({ prefixes }: CheckpointComparison, names: readonly [string, string]): string[] {
  if (prefixes[0] === prefixes[1]) return [];
  return prefixes.flatMap((prefix, index) =>
    prefix === '' ? [] : [`compared without the prefix \`${printable(cutText(prefix))}\` of ${names[index]}`],
  );
}

const hasOthers = ({ notCompared: [first, second] }: CheckpointComparison): boolean => first + second > 0;

function otherTensors(counts: readonly [number, number], names: readonly [string, string]): string {
  return counts
    .flatMap((count, index) => (count > 0 ? [`${countOf(count, 'other tensor')} of ${names[index]}`] : []))
    .join(', ');
}

const tensorLine = ({ name, dtype, shape }: Tensor) => [name, dtype, shapeText(shape)];
const shapeLine = ({ name, first, second }: TensorDifference) => [
  name,
  shapeText(first.shape),
  shapeText(second.shape),
];
const typeLine = ({ name, first, second }: TensorDifference) => [name, first.dtype, second.dtype];

const LONGEST_CELL = 200;

function listOf(title: string, rows: readonly (readonly string[])[], all: boolean): string[] {
  if (rows.length === 0) return [];
  const shown = (all ? rows : rows.slice(0, MOST_LINES)).map((row) =>
    row.map((cell) => printable(cutText(cell, LONGEST_CELL))),
  );
  const widths = shown[0]?.map((_, column) => shown.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0));
  const lines = shown.map((row) =>
    `    ${row.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join('  ')}`.trimEnd(),
  );
  const more = rows.length - shown.length;
  return [
    '',
    `  ${title} (${rows.length.toLocaleString('en')})`,
    ...lines,
    ...(more > 0 ? [`    and ${more.toLocaleString('en')} more (\`--all\`)`] : []),
  ];
}

function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * Two texts for an editor's diff view: the summary as comments, the same in both, then one tensor per line, in the
 * order of the first checkpoint. `names` are the file names.
 */
export function comparedTexts(
  names: readonly [string, string],
  checkpoints: readonly [Checkpoint, Checkpoint],
  comparison: CheckpointComparison,
): readonly [string, string] {
  const { prefixes } = comparison;
  const [first, second] = checkpoints.map(({ tensors }, index) =>
    linesBelow(partsIn(tensors).model.slice(0, MOST_COMPARED), prefixes[index] ?? ''),
  ) as [Map<string, string>, Map<string, string>];
  const order = [...first.keys()];
  const place = new Map(order.map((name, index) => [name, index]));
  // A tensor that the first lacks is placed after its predecessor in the second.
  let at = -1;
  const sorted = [...second.keys()]
    .map((name, index) => {
      at = place.get(name) ?? at;
      return { name, at, isAdded: !place.has(name), index };
    })
    .sort((a, b) => a.at - b.at || Number(a.isAdded) - Number(b.isAdded) || a.index - b.index);
  const head = [
    summaryOf(comparison),
    ...prefixLines(comparison, names),
    ...(hasOthers(comparison) ? [`not compared: ${otherTensors(comparison.notCompared, names)}`] : []),
  ];
  const comments = `${head.map((line) => `# ${printable(line)}\n`).join('')}\n`;
  const added = sorted.map(({ name }) => name);
  return [`${comments}${textOf(order, first)}`, `${comments}${textOf(added, second)}`];
}

function linesBelow(tensors: readonly Tensor[], prefix: string): Map<string, string> {
  return new Map(
    tensors
      .filter(({ name }) => name.startsWith(prefix))
      .map(({ name, dtype, shape }) => {
        const short = printable(cutText(name.slice(prefix.length), LONGEST_CELL));
        return [short, `${short}  ${dtype}  ${shapeText(shape)}`];
      }),
  );
}

const textOf = (names: readonly string[], lines: ReadonlyMap<string, string>) =>
  names.map((name) => `${lines.get(name)}\n`).join('');
