import type { Budget } from '../../budget.ts';
import type { Bytes } from '../../bytes.ts';
import { readingAhead } from '../../bytes.ts';
import type { Checkpoint } from '../../checkpoint.ts';
import { withDoubts } from '../../doubts.ts';
import { bytesIn, fieldsOf, streamedFieldsOf } from '../../encodings/protobuf.ts';
import { enumerated } from '../../enumerated.ts';
import { createEntryList } from '../../metadata.ts';
import { onlyComputes } from '../../verdicts.ts';

/** Fields of `Model` and `ModelDescription`, by number: https://apple.github.io/coremltools/mlmodel/Format/Model.html */
const MODEL = { version: 1, description: 2, firstKind: 200 };
const DESCRIPTION = { input: 1, output: 10, functions: 20, metadata: 100 };
const DESCRIPTION_FIELDS: readonly number[] = [1, 10, 11, 12, 13, 20, 21, 50, 100];
/** Fields of the metadata; OWN_METADATA holds pairs that the authors define. */
const METADATA = { 1: 'description', 2: 'version', 3: 'author', 4: 'license' } as const;
const OWN_METADATA = 100;

const KINDS: Readonly<Record<number, string>> = {
  200: 'a pipeline',
  201: 'a pipeline',
  202: 'a pipeline',
  302: 'a tree ensemble',
  303: 'a neural network',
  402: 'a tree ensemble',
  403: 'a neural network',
  500: 'a neural network',
  502: 'an ML program',
  555: 'a custom model',
};

/** The first macOS and iOS that read each format version, as coremltools lists them. */
const SYSTEMS: readonly string[] = [
  ...['macOS 10.13 and iOS 11', 'macOS 10.13.2 and iOS 11.2', 'macOS 10.14 and iOS 12', 'macOS 10.15 and iOS 13'],
  ...[
    'macOS 11 and iOS 14',
    'macOS 12 and iOS 15',
    'macOS 13 and iOS 16',
    'macOS 14 and iOS 17',
    'macOS 15 and iOS 18',
  ],
  'macOS 26 and iOS 26',
];

const NEWEST_VERSION = 50;
/** Limits: bytes of a description, parts of a model, and names shown per kind. */
const LONGEST_DESCRIPTION = 4 * 1024 * 1024;
const MOST_FIELDS = 1000;
/** Cost per byte of a description, in steps: the description is parsed once per kind of part. */
const STEPS_PER_BYTE = 30;
const MOST_NAMES = 5;

/** True for the beginning of a Core ML model: a small version number, then the inputs and outputs. */
export function isCoreMl(head: Buffer): boolean {
  const [version, description] = fieldsOf(head);
  if (version?.number !== MODEL.version || typeof version.value !== 'number') return false;
  if (version.value < 1 || version.value > NEWEST_VERSION) return false;
  if (description?.number !== MODEL.description || typeof description.value !== 'object') return false;
  const parts = [...fieldsOf(description.value)];
  if (parts.length === 0 || parts.some(({ number }) => !DESCRIPTION_FIELDS.includes(number))) return false;
  return namesIn(description.value, DESCRIPTION.input, DESCRIPTION.output, DESCRIPTION.functions).length > 0;
}

/** Reads the description of a Core ML model. Its weights are not listed. */
export async function readCoreMl(bytes: Bytes, budget: Budget): Promise<Checkpoint> {
  let version = 0;
  let description: Buffer = Buffer.alloc(0);
  let kind: number | undefined;
  const fields = streamedFieldsOf(readingAhead(bytes, 4096));
  let next = await fields.next();
  for (let left = MOST_FIELDS; !next.done && left > 0; left--) {
    const { number, value } = next.value;
    if (number === MODEL.version && typeof value === 'number') version = value;
    if (number === MODEL.description && typeof value === 'object')
      description = await value.read(0, LONGEST_DESCRIPTION);
    if (number >= MODEL.firstKind) kind ??= number;
    next = await fields.next();
  }
  budget.spend(description.length * STEPS_PER_BYTE);
  const metadata = metadataIn(description);
  const tools = metadata.get('com.github.apple.coremltools.version');
  const entries = createEntryList();
  for (const [name, text] of metadata) entries.add(name, text);
  const isWhole = kind !== undefined && !(next.done && !next.value);
  const checkpoint: Checkpoint = {
    format: 'coreml',
    size: bytes.size,
    writtenBy: tools === undefined ? 'Core ML' : `coremltools ${tools}`,
    about: aboutOf(version, kind, description),
    tensors: [],
    metadata: entries.entries,
    imports: [],
    safety: onlyComputes('Core ML'),
    problems: isWhole ? [] : ['The file is cut off or damaged.'],
  };
  return withDoubts(
    checkpoint,
    isWhole ? (next.done ? [] : ['it has more parts than GPU Doctor can read']) : ['the model is incomplete'],
  );
}

function aboutOf(version: number, kind: number | undefined, description: Buffer): string[] {
  const systems = SYSTEMS[version - 1];
  const what = (kind !== undefined && KINDS[kind]) || 'a model';
  const listed = (field: number) => namesIn(description, field).map((name) => `\`${name}\``);
  const [inputs, outputs] = [listed(DESCRIPTION.input), listed(DESCRIPTION.output)];
  return [
    `It is ${what} in version ${version} of the format${systems ? `, readable since ${systems}` : ''}.`,
    ...(inputs.length > 0 && outputs.length > 0 ? [`Inputs: ${shown(inputs)}. Outputs: ${shown(outputs)}.`] : []),
  ];
}

function shown(names: readonly string[]): string {
  const first = names.slice(0, MOST_NAMES);
  return enumerated(names.length > MOST_NAMES ? [...first, `${names.length - MOST_NAMES} more`] : first);
}

/** Returns the names of inputs, outputs or functions, which are the first field of each. */
function namesIn(description: Buffer, ...wanted: readonly number[]): string[] {
  return wanted
    .flatMap((field) => bytesIn(description, field))
    .flatMap((part) => bytesIn(part, 1).slice(0, 1))
    .map((name) => name.toString('utf8', 0, 200))
    .filter((name) => /^[\p{L}\p{N}_][^\p{Cc}]*$/u.test(name));
}

function metadataIn(description: Buffer): Map<string, string> {
  const found = new Map<string, string>();
  for (const message of bytesIn(description, DESCRIPTION.metadata))
    for (const { number, value } of fieldsOf(message)) {
      if (typeof value !== 'object' || found.size >= MOST_FIELDS) continue;
      const name = METADATA[number as keyof typeof METADATA];
      if (name) found.set(name, value.toString('utf8'));
      if (number !== OWN_METADATA) continue;
      const [[key], [text]] = [bytesIn(value, 1), bytesIn(value, 2)];
      if (key && text) found.set(key.toString('utf8'), text.toString('utf8'));
    }
  return found;
}
