import { printableJson } from '../printable.ts';
import type { Problem } from './problem.ts';

/** A rule in the JSON output of `gpu-doctor check --statistics`. */
interface Statistic {
  readonly code: string;
  readonly name: string;
  readonly count: number;
  /** The number of findings that `--fix` fixes. */
  readonly fixable: number;
}

export type StatisticsReport = readonly Statistic[];

/**
 * The number of findings per rule, the most frequent first, in the text or JSON format of `ruff check --statistics`.
 */
export function renderStatistics(problems: readonly Problem[], format: 'text' | 'json'): string {
  const statistics: StatisticsReport = statisticsOf(problems);
  if (format === 'json') return `${printableJson(statistics, 2)}\n`;
  const width = String(statistics[0]?.count ?? '').length;
  return statistics
    .map(({ code, name, count, fixable }) => {
      const mark = fixable === 0 ? '[ ]' : fixable === count ? '[*]' : '[-]';
      return `${String(count).padStart(width)}\t${code}\t${mark} ${name}\n`;
    })
    .join('');
}

function statisticsOf(problems: readonly Problem[]): Statistic[] {
  const statistics = new Map<string, Statistic>();
  for (const { code, name, fix } of problems) {
    const { count, fixable } = statistics.get(code) ?? { count: 0, fixable: 0 };
    const isFixable = fix?.applicability === 'safe';
    statistics.set(code, { code, name, count: count + 1, fixable: fixable + (isFixable ? 1 : 0) });
  }
  return [...statistics.values()].sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
}
