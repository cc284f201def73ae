import type { Group, ReferenceKind, StackComparison } from '../diagnosis/record/compareMany.ts';
import type { StackDifference } from '../diagnosis/record/compareStacks.ts';
import { printableJson } from '../printable.ts';
import type { Paint, Style } from './paint.ts';

const STYLES: Readonly<Record<StackDifference['severity'], Style>> = {
  error: 'red',
  warning: 'yellow',
  information: 'blue',
};

/** Number of names in a group that are shown before the others are only counted; `--output-format json` lists all of them. */
const SHOWN_NAMES = 2;

/** One table of all differences, with identical machines in one row, and a summary. */
export async function renderComparison(comparison: StackComparison, paint: Paint): Promise<string> {
  const { groups } = comparison;
  const summary = summaryOf(comparison);
  if (groups.length === 0) return `${summary}\n`;
  const rows = groups.flatMap(rowsOf);
  const head = [
    comparison.reference.length + countOf(groups) > 2 ? 'HOSTS' : 'STACK',
    'WHAT',
    'HAS',
    expectedHead(comparison),
  ];
  const { default: widthOf } = await import('string-width');
  const all = [head, ...rows.map(({ cells }) => cells)];
  const widths = head.map((_, column) => Math.max(...all.map((cells) => widthOf(cells[column] ?? ''))));
  const line = (cells: readonly string[]) =>
    cells.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell))).join('  ');
  const lines = rows.map(({ cells, severity }) => `${line(cells)}  ${paint(STYLES[severity], severity)}`);
  return `${[paint('bold', line(head).trimEnd()), ...lines].join('\n')}\n\n${summary}\n`;
}

function expectedHead(comparison: StackComparison): string {
  return isOfMost(comparison) ? 'MOST HAVE' : plain(comparison.reference[0] ?? '');
}

/** True if more than half of all hosts have the reference stack. */
function isOfMost({ reference, referenceKind, groups }: StackComparison): boolean {
  return referenceKind === 'most' && reference.length > countOf(groups);
}

interface Row {
  readonly cells: readonly string[];
  readonly severity: StackDifference['severity'];
}

function rowsOf({ names, differences }: Group): Row[] {
  return differences.map(({ subject, expected, found, severity }, index) => ({
    cells: [index === 0 ? nameAll(names) : '', subject, found ?? '-', expected ?? '-'].map(plain),
    severity,
  }));
}

function nameAll(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_NAMES).join(', ');
  return names.length <= SHOWN_NAMES + 1 ? names.join(', ') : `${shown} and ${names.length - SHOWN_NAMES} more`;
}

const countOf = (groups: readonly Group[]): number => groups.reduce((sum, { names }) => sum + names.length, 0);

function summaryOf(comparison: StackComparison): string {
  const { reference, referenceKind, groups } = comparison;
  const differing = countOf(groups);
  const all = reference.length + differing;
  const others = referenceKind === 'file' ? all - 1 : all;
  if (referenceKind === 'first') {
    if (differing === 0) return `${reference.map(plain).join(' and ')} have the same stack.`;
    const count = groups[0]?.differences.length ?? 0;
    return `${plain(groups[0]?.names[0] ?? '')} differs from ${plain(reference[0] ?? '')} in ${things(count)}.`;
  }
  if (differing === 0)
    return referenceKind === 'file'
      ? `${others === 1 ? plain(reference[1] ?? '') : `All ${others}`} ${others === 1 ? 'has' : 'have'} the stack of ${plain(reference[0] ?? '')}.`
      : `All ${all} have the same stack.`;
  if (others === 1)
    return `${plain(groups[0]?.names[0] ?? '')} differs from ${plain(reference[0] ?? '')} in ${things(groups[0]?.differences.length ?? 0)}.`;
  const name = plain(reference[0] ?? '');
  const nearest = referenceKind === 'file' ? name : `${name}, the stack closest to all`;
  const from = isOfMost(comparison) ? `the stack that ${reference.length} share` : nearest;
  return `${differing} of ${others} ${differing === 1 ? 'differs' : 'differ'} from ${from}, in ${groups.length === 1 ? 'one way' : `${groups.length} ways`}.`;
}

const things = (count: number): string => (count === 1 ? 'one thing' : `${count} things`);

/** Names and versions come from other machines, so control characters are removed. */
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, ' ');

/** The JSON output of `gpu-doctor stack --compare`. */
export interface ComparisonReport {
  readonly reference: {
    readonly kind: ReferenceKind;
    readonly names: readonly string[];
    /** In the form of `gpu-stack.yaml`. */
    readonly stack: Readonly<Record<string, unknown>>;
  };
  /** The stacks that differ from it, in groups, with the largest group first. */
  readonly groups: readonly Group[];
}

/** The same for programs, with all names. */
export function comparisonJson({ reference, referenceKind, stack, groups }: StackComparison): string {
  const report: ComparisonReport = {
    reference: { kind: referenceKind, names: reference, stack },
    groups: groups.map(({ names, differences }) => ({ names, differences })),
  };
  return printableJson(report, 2);
}
