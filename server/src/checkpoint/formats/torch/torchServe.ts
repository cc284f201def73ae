import type { Budget } from '../../budget.ts';
import type { Bytes } from '../../bytes.ts';
import type { Checkpoint } from '../../checkpoint.ts';
import { jsonIn } from '../../encodings/json.ts';
import type { Archive } from '../../encodings/zip.ts';
import type { ReadInner } from '../../innerFiles.ts';
import { notChecked, worstOf } from '../../verdicts.ts';

const MANIFEST = 'MAR-INF/MANIFEST.json';

/** True for an archive of TorchServe, `.mar`. */
export function isTorchServe({ members }: Archive): boolean {
  return members.some(({ name }) => name === MANIFEST);
}

/** Such an archive: the weights that its manifest names, and the Python code that serves them. */
export async function readTorchServe(
  bytes: Bytes,
  archive: Archive,
  budget: Budget,
  readInner: ReadInner,
): Promise<Checkpoint> {
  const { model } = ((await jsonIn(archive, MANIFEST, budget)) ?? {}) as { model?: Readonly<Record<string, unknown>> };
  const [name, version, file, handler] = ['modelName', 'modelVersion', 'serializedFile', 'handler'].map((key) => {
    const value = model?.[key];
    return typeof value === 'string' && value !== '' ? value.slice(0, 200) : undefined;
  });
  const member = archive.members.find((each) => each.name === file);
  const content = member && (await archive.open(member));
  const weights = content && (await readInner(content));
  const hasCode = archive.members.some((each) => each.name.endsWith('.py'));
  const code = hasCode ? [notChecked('it carries Python code of its own, which TorchServe runs')] : [];
  return {
    format: 'torchserve',
    size: bytes.size,
    writtenBy: 'torch-model-archiver',
    about: [
      `It is the model \`${name ?? 'without a name'}\`${version ? `, version ${version}` : ''}${handler ? `, served by \`${handler}\`` : ''}.`,
    ],
    tensors: weights?.tensors ?? [],
    devices: weights?.devices,
    imports: weights?.imports ?? [],
    safety: worstOf([...(weights ? [weights.safety] : []), ...code]),
    problems: [
      ...(weights?.problems ?? []),
      ...(file !== undefined && !member ? [`The file \`${file}\`, which its manifest names, is not in it.`] : []),
    ],
  };
}
