import { bytesText } from '../checkpoint/byteSizes.ts';
import type { Checkpoint, PickledImport, SafetyVerdict, Standing, Tensor } from '../checkpoint/checkpoint.ts';
import { enumerated } from '../checkpoint/enumerated.ts';
import { isCheckpointFormat } from '../checkpoint/formats/index.ts';
import { type CheckpointSummary, summarizeCheckpoint } from '../checkpoint/summary.ts';
import { runsCode } from '../checkpoint/verdicts.ts';
import { type WeightSizes, weightSizesOf } from '../checkpoint/weightSizes.ts';
import { type CheckpointHere, type Loadable, loadableOf } from '../loading/outlook.ts';
import { formatText } from './checkpointFormat.ts';
import { entryText, inOrderOfInterest } from './checkpointMetadata.ts';
import { partTexts, valuesText } from './checkpointParts.ts';
import { cutText, firstWithin } from './cut.ts';
import { COMPONENT_TITLES, componentRows } from './pipelineComponents.ts';
import { columnsOf, type TensorColumns } from './tensorColumns.ts';

/** A checkpoint as text for an editor page. Sentences mark code with Markdown's backticks. */
export interface CheckpointView {
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  /** Undefined, like `loadable`, for files that are not checkpoints and cannot be loaded. */
  readonly safety?: JudgementView;
  /** Additional problems with the file, as sentences. */
  readonly problems: readonly string[];
  /** The components of a pipeline as a table; absent for other checkpoints. */
  readonly components?: ComponentTable;
  /** The imports made by loading the file, worst first. */
  readonly imports: readonly ImportGroup[];
  /** In the order of the file. */
  readonly tensors: TensorColumns;
  /** Metadata in the order of the file: a name, and text on one line. */
  readonly metadata: readonly (readonly [name: string, text: string])[];
  /** The properties that decide whether it loads on a machine. */
  readonly loadable?: ShownLoadable;
}

/** Includes the size of the weights, to compare with the machine's memory. */
export interface ShownLoadable extends Loadable {
  readonly weights: WeightSizes;
}

interface ComponentTable {
  readonly titles: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface JudgementView {
  readonly tone: 'good' | 'neutral' | 'warning' | 'bad';
  readonly headline: string;
  readonly sentences: readonly string[];
}

interface ImportGroup {
  readonly standing: Standing;
  /** The meaning of the import's standing, as a clause. */
  readonly meaning: string;
  readonly names: readonly string[];
}

export function viewOf(checkpoint: Checkpoint): CheckpointView {
  const { format, imports, safety, problems, tensors, metadata = [] } = checkpoint;
  const isCheckpoint = isCheckpointFormat(format);
  const shown = firstWithin(tensors, MOST_OF_PAGE, charactersOf);
  const otherProblems = [...(checkpoint.misfits ?? []), ...problems].filter((problem) => problem !== safety.reason);
  const shownProblems = otherProblems.slice(0, MOST_PROBLEMS);
  const entries = inOrderOfInterest(metadata).map((entry) => [cutText(entry.name), cutText(entryText(entry))] as const);
  const importGroups = importsOf(imports, format === 'keras');
  const facts = factsOf(summarizeCheckpoint(checkpoint));
  const omitted = [
    [tensors.length - shown.length, 'tensors'] as const,
    [otherProblems.length - shownProblems.length, 'problems'] as const,
    [importGroups.reduce((sum, { names }) => sum + Math.max(0, names.length - MOST_OF_GROUP), 0), 'imports'] as const,
  ].filter(([count]) => count > 0);
  if (omitted.length > 0)
    facts.push({
      label: 'Not listed',
      value: enumerated(omitted.map(([count, what]) => `${count.toLocaleString('en')} more ${what}`)),
    });
  return {
    facts: facts.map(({ label, value }) => ({ label, value: cutText(value) })),
    safety: isJudged(checkpoint) ? safetyOf(checkpoint) : undefined,
    problems: shownProblems.map((problem) => cutText(problem)),
    components: checkpoint.pipeline && { titles: COMPONENT_TITLES, rows: componentRows(checkpoint.pipeline) },
    imports: importGroups.map((group) => ({ ...group, names: group.names.slice(0, MOST_OF_GROUP) })),
    tensors: columnsOf(shown.map((tensor) => ({ ...tensor, name: cutText(tensor.name) }))),
    metadata: entries,
    loadable: isCheckpoint ? { ...loadableOf(checkpoint), weights: weightSizesOf(tensors) } : undefined,
  };
}

/**
 * Maximum number of characters in the tensors of a page, which draws only the visible ones: those of 100,000 tensors
 * are about seven million.
 */
const MOST_OF_PAGE = 16_000_000;
const MOST_PROBLEMS = 100;
/** Maximum number per standing. */
const MOST_OF_GROUP = 10_000;

const charactersOf = ({ name, shape }: Tensor) => Math.min(name.length, 2000) + 40 + 8 * shape.length;

/** True if the safety should be shown: for checkpoints, and for archives that contain something harmful. */
export function isJudged({ format, safety }: Pick<Checkpoint, 'format' | 'safety'>): boolean {
  return isCheckpointFormat(format) || runsCode(safety);
}

/** The summary of a checkpoint. */
export function factsOf(summary: CheckpointSummary): { label: string; value: string }[] {
  const { size, writtenBy, devices, onnx, tensors } = summary;
  const facts = [{ label: 'Format', value: formatText(summary) }];
  if (writtenBy) facts.push({ label: 'Written by', value: writtenBy });
  for (const value of summary.about ?? []) facts.push({ label: 'About', value });
  for (const [label, values] of [
    ['Inputs', onnx?.inputs],
    ['Outputs', onnx?.outputs],
  ] as const) {
    const value = valuesText(values);
    if (value !== undefined) facts.push({ label, value });
  }
  if (devices?.length) facts.push({ label: 'Saved on', value: enumerated(devices) });
  if (tensors.count > 0) {
    const { parameters, average, optimizer, prefix } = partTexts(tensors);
    facts.push(
      { label: 'Tensors', value: `${tensors.count.toLocaleString('en')} (${bytesText(tensors.bytes)})` },
      { label: 'Parameters', value: parameters },
      ...(average ? [{ label: 'Average', value: average }] : []),
      ...(optimizer ? [{ label: 'Optimizer', value: optimizer }] : []),
      ...(prefix ? [{ label: 'Prefix', value: prefix }] : []),
      { label: 'Types', value: enumerated(tensors.dtypes) },
    );
  }
  return [...facts, { label: 'Size', value: bytesText(size) }];
}

const SAFETY: Readonly<Record<SafetyVerdict, Pick<JudgementView, 'tone' | 'headline'> & { advice?: string }>> = {
  'no-code': { tone: 'good', headline: 'Its loader runs no code' },
  'weights-only': {
    tone: 'good',
    headline: 'Runs no code with `weights_only=True`',
    advice: 'Loaded this way it yields only tensors and plain data; no code runs.',
  },
  refused: { tone: 'neutral', headline: 'Contains only plain data' },
  'needs-trust': {
    tone: 'warning',
    headline: 'Needs trust',
    advice: 'Load it only if you trust its author: loading it runs code.',
  },
  suspicious: {
    tone: 'warning',
    headline: 'Suspicious',
    advice: 'Load it only if you trust its author: loading it runs code.',
  },
  dangerous: {
    tone: 'bad',
    headline: 'Dangerous',
    advice: 'Do not load it: look for a safetensors file of the same model instead.',
  },
  'not-checked': { tone: 'neutral', headline: 'Not checked', advice: 'That does not mean that it is safe.' },
};

export function safetyOf({ safety: { verdict, reason } }: Pick<Checkpoint, 'safety'>): JudgementView {
  const { tone, headline, advice } = SAFETY[verdict];
  return {
    tone,
    headline,
    sentences: [reason.replace(/^Not checked: (.)/, (_, first) => first.toUpperCase()), ...(advice ? [advice] : [])],
  };
}

/** The outlook on this machine as text. */
export function judgementOf({ outlook, lacks, call, because, remedies }: CheckpointHere): JudgementView {
  if (lacks !== undefined)
    return { tone: 'neutral', headline: `No ${lacks} here`, sentences: [...because, ...remedies] };
  const [tone, withoutCall, withCall] = OUTLOOKS[outlook];
  const headline = call === undefined ? withoutCall : withCall.replace('CALL', () => `\`${call}\``);
  return { tone, headline, sentences: [...because, ...remedies] };
}

const OUTLOOKS: Readonly<
  Record<CheckpointHere['outlook'], [tone: JudgementView['tone'], withoutCall: string, withCall: string]>
> = {
  loads: ['good', 'Loads', 'CALL loads it'],
  fails: ['bad', 'Does not load', 'CALL fails'],
  'runs-code': ['bad', 'Runs code', 'CALL runs code'],
  unknown: ['neutral', 'Unknown', 'It is unknown whether CALL loads this file'],
};

const MEANINGS: Readonly<Record<Standing, string>> = {
  dangerous: 'can run code or commands, directly or indirectly',
  unknown: 'not plain data and not on any list',
  harmless: 'harmless, but not allowed by `weights_only=True`',
  allowed: 'allowed by `weights_only=True`',
};

function importsOf(imports: readonly PickledImport[], isKeras: boolean): ImportGroup[] {
  const meanings = { ...MEANINGS, ...(isKeras ? { allowed: "Keras's own", harmless: 'plain data' } : {}) };
  return (Object.keys(MEANINGS) as Standing[])
    .map((standing) => ({
      standing,
      meaning: meanings[standing],
      names: imports.filter((each) => each.standing === standing).map(({ name }) => cutText(name)),
    }))
    .filter(({ names }) => names.length > 0);
}
