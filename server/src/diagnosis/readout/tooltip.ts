import { escapeMarkdown } from '../../markdown.ts';
import { type Gpu, isUnknown, knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { nameGpus, shortGpuName } from '../../stack/facts/gpuName.ts';
import { describeLoad, inGibibytes } from '../../stack/live/gpuLoad.ts';
import type { Severity, Verdict } from '../judgeStack.ts';
import { type PlanStep, planOf } from '../remedies/remedyPlan.ts';
import { describeStack } from './describe.ts';
import { summarizeStack } from './summary.ts';

/** Icons of VS Code's product icon theme. */
const ICONS: Readonly<Record<Severity, string>> = {
  error: '$(error)',
  warning: '$(warning)',
  information: '$(info)',
};

/**
 * The stack in at most three lines of Markdown: the worst diagnosis, or else the versions; the load of the GPUs; and what
 * removes the diagnosis. `trouble` is the reason why the load of the GPUs cannot be followed.
 */
export function stackTooltip(facts: StackFacts, verdicts: readonly Verdict[], trouble?: string): string {
  const [worst, ...others] = Object.keys(ICONS).flatMap((level) =>
    verdicts.filter(({ severity }) => severity === level),
  );
  const [step] = planOf(worst ? [worst] : []);
  return [
    worst ? `${diagnosisLine(worst)}${others.length > 0 ? ` And ${others.length} more.` : ''}` : factsLine(facts),
    loadLine(knownValue(facts.gpus) ?? [], facts, trouble),
    worst && step ? `$(lightbulb) [${titleOf(step)}](${commandLink('gpuDoctor.showStack', worst.finding)})` : '',
  ]
    .filter((line) => line !== '')
    .join('\n\n');
}

const diagnosisLine = ({ severity, finding, page }: Verdict) =>
  `${ICONS[severity]} **${escapeMarkdown(finding)}** [More](${commandLink('gpuDoctor.showPage', page)})`;

const titleOf = (step: PlanStep) => escapeMarkdown(step.do.map(({ title }) => title).join('; '));

/** Returns the driver and the frameworks, or why not even the GPU is known. */
function factsLine(facts: StackFacts): string {
  if (isUnknown(facts.gpus) && summarizeStack(facts, []).state === 'unknown')
    return `$(question) **GPU unknown: ${escapeMarkdown(facts.gpus.unknown)}.**`;
  return describeStack(facts)
    .flatMap(({ title, rows }) =>
      rows.filter(({ label, detail }) => (title === 'Frameworks' && !detail) || SHOWN.includes(label)),
    )
    .map(({ label, value }) => escapeMarkdown(SHOWN.includes(label) ? `${label}: ${value}` : value))
    .slice(0, MOST_FACTS)
    .join(' · ');
}

const SHOWN = ['NVIDIA GPUs', 'Driver'];
const MOST_FACTS = 3;

/** A link that runs a command of the editor. */
function commandLink(command: string, ...args: unknown[]): string {
  return `command:${command}?${encodeURIComponent(JSON.stringify(args)).replaceAll(')', '%29')}`;
}

function loadLine(gpus: readonly Gpu[], facts: StackFacts, trouble: string | undefined): string {
  if (trouble !== undefined)
    return `$(debug-disconnect) Memory and utilization cannot be monitored: ${escapeMarkdown(trouble)}.`;
  const [gpu, ...others] = gpus;
  if (!gpu) return '';
  const { name, memoryTotal, memoryUsed, utilization } = gpu;
  if (others.length > 0) return escapeMarkdown([nameGpus(gpus), describeLoad(facts) ?? []].flat().join(' · '));
  const total = memoryTotal === null ? [] : [`${inGibibytes(memoryTotal)} GiB`];
  return [
    escapeMarkdown(shortGpuName(name)),
    utilization === null ? [] : `${bar(utilization / 100)} ${utilization} %`,
    memoryTotal === null || memoryUsed === null
      ? total
      : `${bar(memoryUsed / memoryTotal)} ${inGibibytes(memoryUsed)} of ${total}`,
  ]
    .flat()
    .join(' · ');
}

/** A share between 0 and 1 as a bar of ten characters. */
function bar(share: number): string {
  const full = Math.min(10, Math.round(share * 10));
  return `\`${'█'.repeat(full)}${'░'.repeat(10 - full)}\``;
}
