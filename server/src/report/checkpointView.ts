import type { Checkpoint, Import, Standing, Tensor, Verdict } from '../checkpoint/checkpoint.ts';
import { elementsOf } from '../checkpoint/dtypes.ts';
import type { CheckpointHere, Loadable } from '../rules/checkpointHere.ts';
import { bytesText, FORMATS } from './checkpointFormat.ts';

/** A checkpoint in words, for an editor to show. Sentences name code in Markdown's backticks. */
export interface CheckpointView {
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  readonly safety: Judgement;
  /** What else is wrong with the file, as sentences. */
  readonly problems: readonly string[];
  /** What loading would import, the worst first. */
  readonly imports: readonly ImportGroup[];
  /** In the file's order. */
  readonly tensors: readonly Tensor[];
  /** What decides whether it loads on a machine. */
  readonly loadable: Loadable;
}

export interface Judgement {
  readonly tone: 'good' | 'neutral' | 'warning' | 'bad';
  readonly headline: string;
  readonly sentences: readonly string[];
}

export interface ImportGroup {
  readonly standing: Standing;
  /** What that standing means, as a clause. */
  readonly meaning: string;
  readonly names: readonly string[];
}

export function viewOf(checkpoint: Checkpoint): CheckpointView {
  const { format, writtenBy, devices, imports, opcodes, safety, problems, tensors } = checkpoint;
  return {
    facts: factsOf(checkpoint),
    safety: safetyOf(checkpoint),
    problems: problems.filter((problem) => problem !== safety.reason),
    imports: importsOf(imports, format === 'keras'),
    tensors,
    loadable: { format, writtenBy, devices, imports, opcodes, safety, problems },
  };
}

function factsOf({ format, size, writtenBy, devices, tensors }: Checkpoint): { label: string; value: string }[] {
  const facts = [{ label: 'Format', value: FORMATS[format] }];
  if (writtenBy) facts.push({ label: 'Written by', value: writtenBy });
  if (devices?.length) facts.push({ label: 'Saved on', value: listed(devices) });
  const bytes = tensors.reduce((sum, tensor) => sum + tensor.bytes, 0);
  if (tensors.length > 0) {
    const parameters = tensors.reduce((sum, { shape }) => sum + elementsOf(shape), 0);
    facts.push(
      { label: 'Tensors', value: `${tensors.length.toLocaleString('en')}, ${bytesText(bytes)}` },
      { label: 'Parameters', value: parameters.toLocaleString('en') },
      { label: 'Types', value: listed([...new Set(tensors.map(({ dtype }) => dtype))]) },
    );
  }
  return [...facts, { label: 'Size', value: bytesText(size) }];
}

const SAFETY: Readonly<Record<Verdict, Pick<Judgement, 'tone' | 'headline'> & { advice?: string }>> = {
  'no-code': { tone: 'good', headline: 'Holds no code' },
  'weights-only': {
    tone: 'good',
    headline: 'Runs no code with `weights_only=True`',
    advice: 'So loaded, it becomes tensors and plain data, and nothing else in it can run.',
  },
  refused: { tone: 'neutral', headline: 'Imports nothing harmful' },
  suspicious: {
    tone: 'warning',
    headline: 'Not known to be safe',
    advice: 'Allow that only if you trust whoever made the file: loading it would run their code.',
  },
  dangerous: {
    tone: 'bad',
    headline: 'Dangerous',
    advice: 'Do not unpickle it: leave `weights_only=True` as it is, and look for a safetensors file instead.',
  },
  'not-checked': { tone: 'neutral', headline: 'Not checked', advice: 'That does not mean that it is safe.' },
};

function safetyOf({ safety: { verdict, reason } }: Checkpoint): Judgement {
  const { tone, headline, advice } = SAFETY[verdict];
  return {
    tone,
    headline,
    sentences: [reason.replace(/^Not checked: (.)/, (_, first) => first.toUpperCase()), ...(advice ? [advice] : [])],
  };
}

/** The judgement on this machine, in words. */
export function judgementOf({ outlook, call, because, remedies }: CheckpointHere): Judgement {
  const subject = call === undefined ? '' : `\`${call}\` `;
  const words: Readonly<Record<CheckpointHere['outlook'], Pick<Judgement, 'tone' | 'headline'>>> = {
    loads: { tone: 'good', headline: subject ? `${subject}loads it` : 'Loads' },
    fails: { tone: 'bad', headline: subject ? `${subject}fails` : 'Does not load' },
    'runs-code': { tone: 'bad', headline: `${subject}runs code` },
    unknown: { tone: 'neutral', headline: subject ? `Whether ${subject}loads it is not known` : 'Not known' },
  };
  return { ...words[outlook], sentences: [...because, ...remedies] };
}

const MEANINGS: Readonly<Record<Standing, string>> = {
  dangerous: 'known to run code or commands, or to reach for what does',
  unknown: 'nothing is known of them',
  harmless: 'plain data, though not on the list of `weights_only=True`',
  allowed: 'on the list of `weights_only=True`',
};

function importsOf(imports: readonly Import[], isKeras: boolean): ImportGroup[] {
  const meanings = { ...MEANINGS, ...(isKeras ? { allowed: "Keras's own", harmless: 'plain data' } : {}) };
  return (Object.keys(MEANINGS) as Standing[])
    .map((standing) => ({
      standing,
      meaning: meanings[standing],
      names: imports.filter((each) => each.standing === standing).map(({ name }) => name),
    }))
    .filter(({ names }) => names.length > 0);
}

/** `cpu, cuda:0 and cuda:1` */
function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
