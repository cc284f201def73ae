import { describeStack } from './describe.ts';
import { type Gpu, isUnknown, knownValue, type StackFacts } from './facts.ts';
import { inGibibytes } from './gpuLoad.ts';
import { shortGpuName } from './gpuName.ts';
import { escapeMarkdown } from './markdown.ts';
import { summarizeStack } from './summary.ts';
import type { Severity, Verdict } from './verdicts.ts';

/** Icons of VS Code's product icon theme. */
const ICONS: Readonly<Record<Severity, string>> = {
  error: '$(error)',
  warning: '$(warning)',
  information: '$(info)',
};

/**
 * The stack at a glance, as Markdown: the verdicts, how full and how busy each GPU is, then a table of what is known.
 * `trouble` says why the load of the GPUs cannot be followed.
 */
export function stackTooltip(facts: StackFacts, verdicts: readonly Verdict[], trouble?: string): string {
  const gpus = knownValue(facts.gpus) ?? [];
  const paragraphs = verdicts.map(
    ({ severity, finding, page }) =>
      `${ICONS[severity]} **${escapeMarkdown(finding)}** [More](${commandLink('gpuDoctor.showPage', page)})`,
  );
  if (isUnknown(facts.gpus) && summarizeStack(facts, []).state === 'unknown')
    paragraphs.push(`$(question) **Whether there is a GPU is unknown: ${escapeMarkdown(facts.gpus.unknown)}.**`);
  if (gpus.length > 0) paragraphs.push(table(4, gpus.map(gpuCells)));
  if (trouble !== undefined)
    paragraphs.push(`$(debug-disconnect) Memory and utilisation cannot be followed: ${escapeMarkdown(trouble)}.`);
  const rows = describeStack(facts)
    .flatMap((section) => section.rows)
    .filter(({ label, detail }) => !detail && !/^GPU \d/.test(label));
  paragraphs.push(
    table(
      2,
      rows.map(({ label, value }) => [escapeMarkdown(label), escapeMarkdown(value)]),
    ),
  );
  return paragraphs.join('\n\n');
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

/** A share of one as ten characters. */
function bar(share: number): string {
  const full = Math.min(10, Math.round(share * 10));
  return `\`${'█'.repeat(full)}${'░'.repeat(10 - full)}\``;
}

function table(columns: number, rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(Array(columns).fill('')), line(Array(columns).fill('---')), ...rows.map(line)].join('\n');
}
