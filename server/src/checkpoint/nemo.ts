import type { Bytes } from './bytes.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { ReadInner } from './innerFiles.ts';
import { worstOf } from './verdicts.ts';

const CONFIGURATION = 'model_config.yaml';
const LONGEST_CONFIGURATION = 1024 * 1024;

type Members = ReadonlyMap<string, Bytes>;

/** True for the members of an archive of NVIDIA NeMo, `.nemo`: a model's configuration beside its weights. */
export function isNemo(members: Members): boolean {
  return memberNamed(members, CONFIGURATION) !== undefined && weightsIn(members) !== undefined;
}

/** Such an archive: the weights in it, and the model that they are of. */
export async function readNemo(size: number, members: Members, readInner: ReadInner): Promise<Checkpoint> {
  const text = await memberNamed(members, CONFIGURATION)?.read(0, LONGEST_CONFIGURATION);
  // Of the file's YAML only these two lines are of use here, which its writer puts at the outermost level.
  const [version, target] = ['nemo_version', 'target'].map(
    (key) => new RegExp(`^${key}: *['"]?([\\w.+-]{1,200})`, 'm').exec(text?.toString('utf8') ?? '')?.[1],
  );
  const content = weightsIn(members);
  const weights = content && (await readInner(content));
  return {
    format: 'nemo',
    size,
    writtenBy: version === undefined ? 'NeMo' : `NeMo ${version}`,
    about: target === undefined ? undefined : [`It is of the class \`${target}\`, whose \`restore_from\` loads it.`],
    tensors: weights?.tensors ?? [],
    metadata: weights?.metadata,
    devices: weights?.devices,
    imports: weights?.imports ?? [],
    safety: weights?.safety ?? worstOf([]),
    problems: weights?.problems ?? ['Its weights cannot be read.'],
  };
}

const memberNamed = (members: Members, name: string) => members.get(name) ?? members.get(`./${name}`);

function weightsIn(members: Members): Bytes | undefined {
  return [...members].find(([name]) => /^(\.\/)?[^/]+\.ckpt$/.test(name))?.[1];
}

/** What NeMo reads of such an archive. */
export const NEMO_MEMBERS = /^(\.\/)?([^/]+\.(ckpt|yaml)|\.)?$/;
