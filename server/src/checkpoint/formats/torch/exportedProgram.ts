import type { Budget } from '../../budget.ts';
import type { Bytes } from '../../bytes.ts';
import type { Checkpoint, Safety, Tensor } from '../../checkpoint.ts';
import { bytesOf } from '../../dtypes.ts';
import { jsonIn } from '../../encodings/json.ts';
import { type Archive, readArchive } from '../../encodings/zip.ts';
import type { Pickle } from '../../pickle/interpret.ts';
import { importsOf, judgePickles } from '../../pickle/safety.ts';
import { tensorsOf } from '../../pickle/tensors.ts';
import { problemsOf } from '../../unpickledFile.ts';
import { needsTrust, runsCode } from '../../verdicts.ts';
import { picklesOf, UNREADABLE } from './zip.ts';

/** Element types by number, from `ScalarType` in `torch/_export/serde/schema.py`. */
const TYPES: Readonly<Record<number, string>> = {
  1: 'uint8',
  2: 'int8',
  3: 'int16',
  4: 'int32',
  5: 'int64',
  6: 'float16',
  7: 'float32',
  8: 'float64',
  9: 'complex32',
  10: 'complex64',
  11: 'complex128',
  12: 'bool',
  13: 'bfloat16',
  28: 'uint16',
  29: 'float8_e4m3fn',
  30: 'float8_e5m2',
  31: 'float8_e4m3fnuz',
  32: 'float8_e5m2fnuz',
  33: 'float8_e8m0fnu',
  34: 'uint32',
  35: 'uint64',
};

/** Files that describe the weights and constants of each model, from `torch/export/pt2_archive/constants.py`. */
const DESCRIPTION = /(^|\/)data\/(weights\/\w+_weights_config|constants\/\w+_constants_config)\.json$/;
/** PyTorch checkpoints in the archive, which loading unpickles. */
const EMBEDDED = /(^|\/)(data\/sample_inputs\/\w+\.pt|serialized_(state_dict|constants|example_inputs)\.(pt|json))$/;

/** Reads a file written by `torch.export.save`: a program in JSON and its tensors. */
export async function readTorchExport(bytes: Bytes, archive: Archive, budget: Budget): Promise<Checkpoint> {
  const described: Tensor[] = [];
  for (const { name } of archive.members.filter(({ name }) => DESCRIPTION.test(name)))
    described.push(...tensorsIn(await jsonIn(archive, name, budget)));
  const embedded = await Promise.all(
    archive.members
      .filter(({ name }) => EMBEDDED.test(name))
      .map(async (member) => ({
        pickles: await embeddedPickles(archive, member.name, budget),
        isWeights: member.name.includes('state_dict'),
      })),
  );
  const weights = embedded.flatMap(({ pickles, isWeights }) => (isWeights ? pickles : []));
  const tensors = [...described, ...weights.flatMap(({ value }) => tensorsOf(value))];
  const devices = tensors.map(({ device }) => device);
  const pickles = embedded.flatMap(({ pickles }) => pickles);
  const safety = judge(pickles);
  return {
    format: 'torch-export',
    size: bytes.size,
    writtenBy: 'PyTorch',
    tensors,
    devices: devices.every((device) => device !== undefined) ? [...new Set(devices)].sort() : undefined,
    imports: importsOf(pickles),
    safety,
    // Being a program is not a problem in itself.
    problems: safety === PROGRAM ? [] : problemsOf(safety),
  };
}

/** Parses `{ "config": { NAME: { "tensor_meta": { "dtype": 7, "sizes": [{ "as_int": 2 }], "device": … } } } }`. */
function tensorsIn(description: unknown): Tensor[] {
  const { config } = (description ?? {}) as { config?: Readonly<Record<string, { tensor_meta?: Description } | null>> };
  return Object.entries(config ?? {}).flatMap(([name, entry]) => {
    const { dtype: type, sizes, device } = entry?.tensor_meta ?? {};
    if (typeof type !== 'number' || !Array.isArray(sizes)) return [];
    const shape = sizes.map((size) => Number((size as { as_int?: unknown } | null)?.as_int ?? 0));
    const dtype = TYPES[type] ?? `type ${type}`;
    return [{ name, dtype, shape, device: deviceIn(device), bytes: bytesOf(dtype, shape) }];
  });
}

interface Description {
  readonly dtype?: unknown;
  readonly sizes?: unknown;
  readonly device?: { readonly type?: unknown; readonly index?: unknown } | null;
}

function deviceIn(device: Description['device']): string | undefined {
  if (typeof device?.type !== 'string') return undefined;
  return typeof device.index === 'number' ? `${device.type}:${device.index}` : device.type;
}

async function embeddedPickles(archive: Archive, name: string, budget: Budget): Promise<Pickle[]> {
  const member = archive.members.find((each) => each.name === name);
  const content = member && (await archive.open(member));
  const inner = content && (await readArchive(content, budget));
  return typeof inner === 'object' ? picklesOf(inner, budget) : [UNREADABLE];
}

const PROGRAM = needsTrust('It contains an exported program: loading it evaluates expressions in it as Python code.');

function judge(pickles: readonly Pickle[]): Safety {
  const judged = judgePickles(pickles);
  if (runsCode(judged)) return judged;
  return PROGRAM;
}
