import { escapeMarkdown } from '../../markdown.ts';
import { type Gpu, isUnknown, knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { shortGpuName } from '../../stack/facts/gpuName.ts';
import { inGibibytes } from '../../stack/live/gpuLoad.ts';
import type { Severity, Verdict } from '../judgeStack.ts';
import { planOf } from '../remedies/remedyPlan.ts';
import { describeStack } from './describe.ts';
import { summarizeStack } from './summary.ts';

/** Icons of VS Code's product icon theme. */
const ICONS: Readonly<Record<Severity, string>> = {
  error: '$(error)',
  warning: '$(warning)',
  information: '$(info)',
};

/**
 * The stack at a glance, as Markdown: the diagnoses and what removes them, the memory use and load of each GPU, then the
 * facts about GPUs and frameworks. `trouble` is the reason why the load of the GPUs cannot be followed.
 */
export function stackTooltip(facts: StackFacts, verdicts: readonly Verdict[], trouble?: string): string {
  const gpus = knownValue(facts.gpus) ?? [];
  const unclear = isUnknown(facts.gpus) && summarizeStack(facts, verdicts).state === 'unknown' ? facts.gpus : undefined;
  return [
    ...verdicts.map(
      ({ severity, finding, page }) =>
        `${ICONS[severity]} **${escapeMarkdown(finding)}** [More](${commandLink('gpuDoctor.showPage', page)})`,
    ),
    ...planOf(verdicts).map((step) => {
      const title = escapeMarkdown(step.do.map(({ title }) => title).join('; '));
      return `$(lightbulb) [${title}](${commandLink('gpuDoctor.showStack')})`;
    }),
    ...(unclear ? [`$(question) **GPU unknown: ${escapeMarkdown(unclear.unknown)}.**`] : []),
    ...(gpus.length > 0 ? [table(4, gpus.map(gpuCells))] : []),
    ...(trouble === undefined
      ? []
      : [`$(debug-disconnect) Memory and utilization cannot be monitored: ${escapeMarkdown(trouble)}.`]),
    table(2, shortRows(facts)),
  ].join('\n\n');
}

function shortRows(facts: StackFacts): string[][] {
  return describeStack(facts)
    .filter(({ title }) => title !== 'System')
    .flatMap(({ rows }) => rows)
    .filter(({ label, detail }) => !detail && !/^GPU \d/.test(label))
    .map(({ label, value }) => [unbroken(escapeMarkdown(label)), escapeMarkdown(value)]);
}

/** Keeps a text on one line, however narrow its column is. */
function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}

/** A link that runs a command of the editor. */
function commandLink(command: string, ...args: unknown[]): string {
  return `command:${command}?${encodeURIComponent(JSON.stringify(args)).replaceAll(')', '%29')}`;
}

function gpuCells({ index, name, memoryTotal, memoryUsed, utilization }: Gpu): string[] {
  const memory = memoryTotal === null ? '' : `${inGibibytes(memoryTotal)} GiB`;
  return [
    `GPU ${index}`,
    escapeMarkdown(shortGpuName(name)),
    utilization === null ? '' : `${bar(utilization / 100)} ${utilization} %`,
    memoryTotal === null || memoryUsed === null
      ? memory
      : `${bar(memoryUsed / memoryTotal)} ${inGibibytes(memoryUsed)} of ${memory}`,
  ];
}

/** A share between 0 and 1 as a bar of ten characters. */
function bar(share: number): string {
  const full = Math.min(10, Math.round(share * 10));
  return `\`${'█'.repeat(full)}${'░'.repeat(10 - full)}\``;
}

function table(columns: number, rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(Array(columns).fill('')), line(Array(columns).fill('---')), ...rows.map(line)].join('\n');
}
