import { type Bytes, slice } from './bytes.ts';
import type { Checkpoint, Import, Safety, Tensor } from './checkpoint.ts';
import { interpretPickle } from './pickle/interpret.ts';
import { importsOf, judgePickles } from './pickle/safety.ts';
import { problemsOf } from './unpickled.ts';
import { worstOf } from './verdicts.ts';
import type { Archive } from './zip.ts';

/** NumPy's own format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */
const MAGIC = Buffer.from('934e554d5059', 'hex');
/** Bytes of the longest header of an array without named fields, and arrays after which no more are listed. */
const LONGEST_HEADER = 64 * 1024;
const MOST_ARRAYS = 10_000;

const NO_CODE: Safety = { verdict: 'no-code', reason: 'The format holds tensors and text only, no code.' };
const UNREAD: Judged = {
  imports: [],
  safety: { verdict: 'not-checked', reason: 'Not checked: the header of an array cannot be read.' },
};

interface Judged {
  readonly imports: readonly Import[];
  readonly safety: Safety;
}

/** A file of `numpy.save`. */
export async function readNumpy(bytes: Bytes): Promise<Checkpoint> {
  const header = await headerIn(bytes);
  if (!header) return describe('numpy', bytes.size, [], [UNREAD]);
  return describe('numpy', bytes.size, [header.tensor], [await judge(bytes, header)]);
}

/** A file of `numpy.savez`, one array a member. */
export async function readNumpyArchive(bytes: Bytes, archive: Archive): Promise<Checkpoint> {
  const members = archive.members.filter(({ name }) => name.endsWith('.npy')).slice(0, MOST_ARRAYS);
  const tensors: Tensor[] = [];
  const judged: Judged[] = [];
  for (const member of members) {
    const start = await archive.openStart(member, LONGEST_HEADER);
    const header = start && (await headerIn(start));
    if (header) tensors.push({ ...header.tensor, name: member.name.slice(0, -'.npy'.length) });
    const content = header?.isPickled ? await archive.open(member) : start;
    judged.push(header && content ? await judge(content, header) : UNREAD);
  }
  return describe('numpy-archive', bytes.size, tensors, judged);
}

interface Header {
  readonly tensor: Tensor;
  /** Of Python objects, which are a pickle behind the header. */
  readonly isPickled: boolean;
  readonly end: number;
}

async function headerIn(bytes: Bytes): Promise<Header | undefined> {
  const start = await bytes.read(0, LONGEST_HEADER);
  if (start.length < 12 || !start.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const isLong = (start[6] as number) > 1;
  const from = isLong ? 12 : 10;
  const end = from + (isLong ? start.readUInt32LE(8) : start.readUInt16LE(8));
  const text = start.toString('latin1', from, end);
  const [, type, size = ''] = /'descr': '[<>|=]?([a-zA-Z]+)(\d*)/.exec(text) ?? [];
  const shape = /'shape': \(([\d, ]*)\)/.exec(text)?.[1]?.match(/\d+/g)?.map(Number) ?? [];
  const isRecord = text.includes("'descr': [");
  if (end > start.length || (type === undefined && !isRecord)) return undefined;
  const dtype = isRecord ? 'record' : dtypeOf(type ?? '', Number(size));
  const elements = shape.reduce((product, length) => product * length, 1);
  const tensor = { name: '', dtype, shape, bytes: elements * Number(type === 'U' ? Number(size) * 4 : size) };
  return { tensor, isPickled: type === 'O' || (isRecord && /'[<>|=]?O'/.test(text)), end };
}

const KINDS: Readonly<Record<string, string>> = { f: 'float', i: 'int', u: 'uint', c: 'complex' };
function dtypeOf(type: string, size: number): string {
  if (type === 'b') return 'bool';
  if (type === 'O') return 'object';
  if (type === 'U' || type === 'S') return 'string';
  return KINDS[type] ? `${KINDS[type]}${size * 8}` : `${type}${size || ''}`;
}

async function judge(bytes: Bytes, { isPickled, end }: Header): Promise<Judged> {
  if (!isPickled) return { imports: [], safety: NO_CODE };
  const pickles = [await interpretPickle(slice(bytes, end, bytes.size - end))];
  const safety = judgePickles(pickles);
  const isHarmless = safety.verdict === 'weights-only' || safety.verdict === 'refused';
  return { imports: importsOf(pickles), safety: isHarmless ? HARMLESS : safety };
}

const HARMLESS: Safety = {
  verdict: 'refused',
  reason:
    'It holds Python objects, which `numpy.load` unpickles with `allow_pickle=True` only. All of them are harmless.',
};

function describe(
  format: 'numpy' | 'numpy-archive',
  size: number,
  tensors: readonly Tensor[],
  judged: readonly Judged[],
): Checkpoint {
  const safety = worstOf(judged.map((each) => each.safety));
  const imports = judged.flatMap((each) => each.imports);
  return { format, size, writtenBy: 'NumPy', tensors, imports, safety, problems: problemsOf(safety) };
}
