import type { Budget } from '../../budget.ts';
import type { Bytes } from '../../bytes.ts';
import type { Checkpoint } from '../../checkpoint.ts';
import { withSafety } from '../../doubts.ts';
import { jsonIn } from '../../encodings/json.ts';
import type { Archive } from '../../encodings/zip.ts';
import { addJson, createEntryList } from '../../metadata.ts';
import { noCode, notChecked } from '../../verdicts.ts';
import { judgeKerasConfiguration } from './configuration.ts';
import { describeKerasModel } from './model.ts';

const METADATA = 'metadata.json';
const CONFIGURATION = 'config.json';
const WEIGHTS = 'model.weights.h5';

/** True for an archive in Keras's own format, `.keras`. */
export function isKeras({ members }: Archive): boolean {
  const names = new Set(members.map(({ name }) => name));
  // Keras itself requires only the configuration, but many other archives have a file with that name.
  return (
    names.has(CONFIGURATION) && (names.has(METADATA) || [...names].some((name) => name.startsWith('model.weights.')))
  );
}

/** Reads a model in Keras's own format. */
export async function readKerasFile(bytes: Bytes, archive: Archive, budget: Budget): Promise<Checkpoint> {
  const [metadata, configuration] = await Promise.all(
    [METADATA, CONFIGURATION].map((name) => jsonIn(archive, name, budget)),
  );
  const version = (metadata as { keras_version?: unknown } | undefined)?.keras_version;
  const weights = await weightsIn(archive, budget);
  const problems = weights.problems.filter((problem) => problem !== weights.safety.reason);
  if (configuration === undefined) problems.push(`The model's \`${CONFIGURATION}\` cannot be read.`);
  const { imports, safety } =
    configuration === undefined ? { imports: [], safety: UNREADABLE } : judgeKerasConfiguration(configuration, 'keras');
  if (safety.verdict !== 'no-code') problems.push(safety.reason);
  const entries = createEntryList();
  addJson(entries, '', metadata);
  addJson(entries, 'compile_config', (configuration as { compile_config?: unknown } | undefined)?.compile_config);
  const model: Checkpoint = {
    format: 'keras',
    size: bytes.size,
    writtenBy: typeof version === 'string' ? `Keras ${version}` : 'Keras',
    holds: 'model',
    keras: configuration === undefined ? undefined : describeKerasModel(configuration),
    tensors: weights.tensors,
    metadata: entries.entries,
    imports,
    safety,
    problems,
  };
  return withSafety(model, [weights.safety]);
}

const UNREADABLE = notChecked('the configuration of the model cannot be read');

/** Reads the archive's weights: an HDF5 file, or a NumPy archive whose tensors are not listed. */
async function weightsIn(
  archive: Archive,
  budget: Budget,
): Promise<Pick<Checkpoint, 'tensors' | 'problems' | 'safety'>> {
  const member = archive.members.find(({ name }) => name === WEIGHTS);
  if (!member) {
    const isElsewhere = archive.members.some(({ name }) => name === 'model.weights.npz');
    return { tensors: [], problems: isElsewhere ? [] : ['The model contains no weights.'], safety: noCode('Keras') };
  }
  const content = await archive.open(member);
  if (!content) {
    const problem = `The model's \`${WEIGHTS}\` cannot be unpacked.`;
    return { tensors: [], problems: [problem], safety: notChecked('its weights cannot be unpacked') };
  }
  const { readHdf5 } = await import('../hdf5/hdf5.ts');
  return readHdf5(content, budget);
}
