import type { Budget } from '../../budget.ts';
import type { Bytes } from '../../bytes.ts';
import type { Checkpoint, Safety } from '../../checkpoint.ts';
import { withSafety } from '../../doubts.ts';
import type { ReadInner } from '../../innerFiles.ts';
import { notChecked } from '../../verdicts.ts';
import { judgeNemoConfiguration } from './configuration.ts';

const CONFIGURATION = 'model_config.yaml';
const LONGEST_CONFIGURATION = 1024 * 1024;

type Members = ReadonlyMap<string, Bytes>;

/** True for the members of an NVIDIA NeMo archive, `.nemo`, which contains a model's configuration and its weights. */
export function isNemo(members: Members): boolean {
  return memberNamed(members, CONFIGURATION) !== undefined && weightsIn(members) !== undefined;
}

/** Reads a NeMo archive: its weights, and the model that they belong to. */
export async function readNemo(
  size: number,
  members: Members,
  budget: Budget,
  readInner: ReadInner,
): Promise<Checkpoint> {
  const configuration = memberNamed(members, CONFIGURATION);
  const text = (await configuration?.read(0, LONGEST_CONFIGURATION))?.toString('utf8') ?? '';
  // The description needs only these two lines, which NeMo writes at the top level.
  const [version, target] = ['nemo_version', 'target'].map(
    (key) => new RegExp(`^${key}: *['"]?([\\w.+-]{1,200})`, 'm').exec(text)?.[1],
  );
  const content = weightsIn(members)?.[1];
  const weights = content && (await readInner(content))?.checkpoint;
  const checkpoint: Checkpoint = {
    format: 'nemo',
    size,
    writtenBy: version === undefined ? 'NeMo' : `NeMo ${version}`,
    about: target === undefined ? undefined : [`Its class is \`${target}\`, whose \`restore_from\` loads it.`],
    tensors: weights?.tensors ?? [],
    metadata: weights?.metadata,
    devices: weights?.devices,
    imports: weights?.imports ?? [],
    safety: weights?.safety ?? notChecked('its weights cannot be read'),
    problems: weights?.problems ?? ['Its weights cannot be read.'],
  };
  const judged: Safety[] = [];
  for (const [name, yaml] of members) if (YAML.test(name)) judged.push(await judgeYaml(yaml, budget));
  return withSafety(checkpoint, judged);
}

/** The configurations of the model and of the parts that it names. */
const YAML = /^(\.\/)?[^/]+\.yaml$/;

async function judgeYaml(content: Bytes, budget: Budget): Promise<Safety> {
  if (content.size > LONGEST_CONFIGURATION) return notChecked('its configuration is too long');
  return judgeNemoConfiguration((await content.read(0, content.size)).toString('utf8'), budget);
}

const memberNamed = (members: Members, name: string) => members.get(name) ?? members.get(`./${name}`);

function weightsIn(members: Members): [name: string, content: Bytes] | undefined {
  return [...members].find(([name]) => /^(\.\/)?[^/]+\.ckpt$/.test(name));
}

/** True if NeMo reads a member of its archive, so that the member is checked as part of the archive. */
export function isReadByNemo(name: string, members: Members): boolean {
  return name === weightsIn(members)?.[0] || YAML.test(name) || /^(\.\/)?\.?$/.test(name);
}
