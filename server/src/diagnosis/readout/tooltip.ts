import { escapeMarkdown } from '../../markdown.ts';
import { type Gpu, isUnknown, knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { nameGpus, shortGpuName } from '../../stack/facts/gpuName.ts';
import { describeLoad, inGibibytes } from '../../stack/live/gpuLoad.ts';
import type { DiagnosisSeverity, Verdict } from '../judgeStack.ts';
import { planOf } from '../remedies/remedyPlan.ts';
import { describeStack } from './describe.ts';
import { summarizeStack } from './summary.ts';

/** Icons of VS Code's product icon theme. */
const ICONS: Readonly<Record<DiagnosisSeverity, string>> = {
  error: '$(error)',
  warning: '$(warning)',
  information: '$(info)',
};

/**
 * The stack in at most three lines of Markdown: the worst diagnoses, or else the versions; the load of the GPUs; and what
 * removes the diagnosis, if it was looked for. `trouble` is the reason why the load of the GPUs cannot be followed.
 */
export function stackTooltip(facts: StackFacts, verdicts: readonly Verdict[], trouble?: string, remedy = ''): string {
  const ordered = inOrder(verdicts);
  const [worst] = ordered;
  const more = ordered.length - MOST_DIAGNOSES;
  const diagnoses = [...ordered.slice(0, MOST_DIAGNOSES).map(diagnosisText), ...(more > 0 ? [`and ${more} more`] : [])];
  return [
    worst ? diagnoses.join(' · ') : factsLine(facts),
    loadLine(knownValue(facts.gpus) ?? [], facts, trouble),
    remedy,
  ]
    .filter((line) => line !== '')
    .join('\n\n');
}

const diagnosisText = ({ severity, finding, page }: Verdict) =>
  `${ICONS[severity]} **${escapeMarkdown(finding)}** [More](${commandLink('gpuDoctor.showPage', page)})`;

function inOrder(verdicts: readonly Verdict[]): Verdict[] {
  return Object.keys(ICONS).flatMap((level) => verdicts.filter(({ severity }) => severity === level));
}

/** Returns a link to the actions for the diagnosis that the first step removes. */
export function remedyLine(verdicts: readonly Verdict[]): string {
  const [step] = planOf(inOrder(verdicts));
  if (step === undefined) return '';
  const { do: way, solves } = step;
  const solved = verdicts.find(({ id }) => solves.includes(id))?.finding;
  const title = escapeMarkdown(way.map(({ title }) => title).join('; '));
  return `$(lightbulb) [${title}](${commandLink('gpuDoctor.showStack', solved)})`;
}

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
const MOST_DIAGNOSES = 2;

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
