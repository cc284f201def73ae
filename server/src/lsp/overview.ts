import { basename, dirname } from 'node:path';
import type { Connection } from 'vscode-languageserver';
import { bytesText } from '../checkpoint/byteSizes.ts';
import type { CheckpointCache, VisibleCheckpoints } from '../checkpoint/checkpointCache.ts';
import type { DiagnosisSeverity, Verdict } from '../diagnosis/diagnosis.ts';
import type { StackOwner } from '../diagnosis/readout/stackOwner.ts';
import type { Outlook } from '../loading/outlook.ts';
import { INSPECT_CHECKPOINT, OVERVIEW, type OverviewItem, SHOW_PAGE } from '../protocol.ts';
import { checkpointGlance } from '../report/checkpointGlance.ts';
import { type Gpu, knownValue, type StackFacts } from '../stack/facts/facts.ts';
import { shortGpuName } from '../stack/facts/gpuName.ts';
import { inGibibytes } from '../stack/live/gpuLoad.ts';
import type { GpuProcess } from '../stack/readers/gpuProcesses.ts';
import { onRequest } from './messages.ts';
import { loadStack, type Stack } from './stack.ts';

const ICONS: Readonly<Record<DiagnosisSeverity, string>> = { error: 'error', warning: 'warning', information: 'info' };

const OPEN_REPORT = { id: 'gpuDoctor.openReport' };

/**
 * Answers the overview's request: the stack, the GPUs with the processes that use their memory, and the checkpoints.
 */
export function provideOverview(connection: Connection, stack: Stack, known: CheckpointCache): void {
  onRequest(connection, OVERVIEW, async ({ checkpoints }) => {
    const [{ facts, verdicts }, { stackOwner, summarizeStack, thisMachine }, { readGpuProcesses }] = await Promise.all([
      stack.judged(),
      loadStack(),
      import('../stack/readers/gpuProcesses.ts'),
    ]);
    const processes = await readGpuProcesses(thisMachine());
    const owner = stackOwner(facts, stack.scope().selectedBy);
    return {
      stack: [
        { label: summarizeStack(facts, verdicts).text, icon: 'circuit-board', command: OPEN_REPORT },
        ...(owner ? [ownerItem(owner)] : []),
        ...verdicts.map(findingItem),
      ],
      gpus: gpuItems(facts, processes),
      checkpoints: await Promise.all(checkpoints.map((path) => checkpointItem(path, known, facts))),
    };
  });
}

function ownerItem({ python, selectedBy, path }: StackOwner): OverviewItem {
  return {
    label: python,
    description: `${selectedBy} · ${path}`,
    icon: 'symbol-namespace',
    command: { id: 'gpuDoctor.selectInterpreter' },
  };
}

function findingItem({ severity, finding, page }: Verdict): OverviewItem {
  return { label: finding, icon: ICONS[severity], command: { id: SHOW_PAGE, argument: page } };
}

function gpuItems(facts: StackFacts, processes: readonly GpuProcess[]): OverviewItem[] {
  return (knownValue(facts.gpus) ?? []).map((gpu) => gpuItem(gpu, processes));
}

function gpuItem(
  { index, name, uuid, memoryUsed, memoryTotal, utilization }: Gpu,
  all: readonly GpuProcess[],
): OverviewItem {
  const memory =
    memoryUsed === null || memoryTotal === null
      ? []
      : [`${inGibibytes(memoryUsed)} of ${inGibibytes(memoryTotal)} GiB`];
  const load = utilization === null ? [] : [`${utilization} %`];
  return {
    label: `GPU ${index}: ${shortGpuName(name)}`,
    description: [...memory, ...load].join(' · '),
    icon: 'chip',
    items: all.filter((process) => process.gpu === uuid).map(processItem),
  };
}

function processItem({ pid, program, memory }: GpuProcess): OverviewItem {
  const held = memory === null ? [] : [`${inGibibytes(memory)} GiB`];
  return {
    label: program === null ? `Process ${pid}` : (program.split(/[\\/]/).at(-1) ?? program),
    description: [`PID ${pid}`, ...held].join(' · '),
    icon: 'server-process',
  };
}

async function checkpointItem(path: string, known: CheckpointCache, facts: StackFacts): Promise<OverviewItem> {
  const description = await describe(path, known.visibleFrom([dirname(path)]), facts);
  return {
    label: basename(path),
    description: description ?? 'cannot be read',
    icon: 'archive',
    command: { id: INSPECT_CHECKPOINT, argument: path },
  };
}

/** Describes whether a file loads here, its size and its devices, in this order: a narrow view cuts off the end. */
async function describe(path: string, inSight: VisibleCheckpoints, facts: StackFacts): Promise<string | undefined> {
  const asked = { text: path, from: 'program' } as const;
  await inSight.read([asked]);
  const [file] = inSight.checkpointsAt(asked);
  if (!file) return undefined;
  const { summary } = file;
  const [{ judgeCheckpoint }, { hereFrom }, { FORMATS, isCheckpointFormat }] = await Promise.all([
    import('../loading/checkpointHere.ts'),
    import('../loading/here.ts'),
    import('../checkpoint/formats/index.ts'),
  ]);
  const { format } = summary;
  if (!isCheckpointFormat(format)) {
    const isDamaged = FORMATS[format].kind === 'container' && summary.problems.length > 0;
    return `${isDamaged ? 'damaged ' : ''}${FORMATS[format].title} · ${bytesText(summary.size)}`;
  }
  const { outlook, lacks } = judgeCheckpoint({ ...summary, format, dtypes: summary.tensors.dtypes }, hereFrom(facts));
  return [
    lacks === undefined ? OUTLOOKS[outlook] : `no ${lacks} here`,
    bytesText(summary.size),
    checkpointGlance(summary),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

const OUTLOOKS: Readonly<Record<Outlook, string>> = {
  loads: 'loads here',
  fails: 'fails here',
  'runs-code': 'runs code',
  unknown: '',
};
