import type { Budget } from '../../budget.ts';
import { type Bytes, readingAhead, slice } from '../../bytes.ts';
import type { Checkpoint, PickledImport, Safety, Tensor } from '../../checkpoint.ts';
import { elementsOf } from '../../dtypes.ts';
import type { Archive, Member } from '../../encodings/zip.ts';
import { pickleAt } from '../../pickle/legacy.ts';
import { importsOf, judgePickles } from '../../pickle/safety.ts';
import { problemsOf } from '../../unpickledFile.ts';
import { isHarmless, noCode, notChecked, worstOf } from '../../verdicts.ts';
import { parseArrayHeader } from './header.ts';

const MAGIC = Buffer.from('934e554d5059', 'hex');
/** Limits: bytes of a header, bytes read first (enough without named fields), and number of arrays. */
const LONGEST_HEADER = 64 * 1024;
const USUAL_HEADER = 1024;
const MOST_ARRAYS = 50_000;
const STEPS_PER_LETTER = 10;

const NO_CODE = noCode('`numpy.load`');

interface JudgedArray {
  readonly imports: readonly PickledImport[];
  readonly safety: Safety;
}

const notCheckedArray = (why: string): JudgedArray => ({ imports: [], safety: notChecked(why) });
const UNREAD = notCheckedArray('the header of an array cannot be read, or is cut off');

/** Reads a file written by one or more calls of `numpy.save`. */
export async function readNumpy(bytes: Bytes, budget: Budget): Promise<Checkpoint> {
  const tensors: Tensor[] = [];
  const judged: JudgedArray[] = [];
  // Small arrays follow one another.
  const ahead = readingAhead(bytes);
  for (let at = 0; at < bytes.size; ) {
    const rest = slice(ahead, at, bytes.size - at);
    const header = await headerIn(rest, budget);
    if (!header || tensors.length >= MOST_ARRAYS) {
      judged.push(at === 0 ? UNREAD : notCheckedArray('it has data after its array'));
      break;
    }
    tensors.push(header.tensor);
    const { end, ...found } = await judge(rest, header, budget);
    judged.push(found);
    if (end === undefined) break;
    at += end;
  }
  return describe('numpy', bytes.size, tensors, judged);
}

/** True for an archive that contains arrays. */
export function isNumpyArchive({ members }: Archive): boolean {
  return members.some(({ name }) => name.endsWith('.npy'));
}

/**
 * Reads a file written by `numpy.savez`, with one array per member. NumPy recognizes an array by its first bytes,
 * regardless of its name.
 */
export async function readNumpyArchive(bytes: Bytes, archive: Archive, budget: Budget): Promise<Checkpoint> {
  const tensors: Tensor[] = [];
  const judged: JudgedArray[] = [];
  for (const member of archive.members.slice(0, MOST_ARRAYS)) {
    const name = member.name.replace(/\.npy$/, '');
    const header = await headerOf(archive, member, budget);
    if (!header) {
      const isArray = member.name.endsWith('.npy');
      judged.push(isArray ? UNREAD : notCheckedArray(`its member \`${name}\` is not an array`));
      continue;
    }
    tensors.push({ ...header.tensor, name });
    if (!header.hasObjects) {
      const isWhole = header.end + header.tensor.bytes === member.size;
      judged.push(
        isWhole
          ? { imports: [], safety: NO_CODE }
          : notCheckedArray(`its member \`${name}\` does not have the size of its array`),
      );
      continue;
    }
    const content = await archive.open(member);
    const found = content && (await judge(content, header, budget));
    judged.push(found ?? notCheckedArray(`its member \`${name}\` cannot be unpacked`));
    if (found && found.end !== member.size) judged.push(notCheckedArray(`it has data after the array in \`${name}\``));
  }
  if (archive.members.length > MOST_ARRAYS) judged.push(notCheckedArray(`it has more than ${MOST_ARRAYS} members`));
  return describe('numpy-archive', bytes.size, tensors, judged);
}

interface NumpyHeader {
  readonly tensor: Tensor;
  /** True for Python objects, which are stored as a pickle after the header. */
  readonly hasObjects: boolean;
  readonly end: number;
}

async function headerOf(archive: Archive, member: Member, budget: Budget): Promise<NumpyHeader | undefined> {
  const start = await archive.openStart(member, USUAL_HEADER);
  const header = start && (await headerIn(start, budget));
  if (header || !start || start.size < USUAL_HEADER) return header;
  const more = await archive.openStart(member, LONGEST_HEADER);
  return more && headerIn(more, budget);
}

/** Reads the header at the first byte; undefined if NumPy rejects it or would write it differently. */
export async function headerIn(bytes: Bytes, budget: Budget): Promise<NumpyHeader | undefined> {
  const start = await bytes.read(0, USUAL_HEADER);
  if (start.length < 12 || !start.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const [version = 0, minor] = [start[6], start[7]];
  if (version < 1 || version > 3 || minor !== 0) return undefined;
  const from = version > 1 ? 12 : 10;
  const end = from + (version > 1 ? start.readUInt32LE(8) : start.readUInt16LE(8));
  if (end > LONGEST_HEADER) return undefined;
  const whole = end > start.length ? await bytes.read(0, end) : start;
  if (end > whole.length) return undefined;
  budget.spend((end - from) * STEPS_PER_LETTER);
  const header = parseArrayHeader(whole.toString(version > 2 ? 'utf8' : 'latin1', from, end));
  if (!header) return undefined;
  const { dtype, shape, size, hasObjects } = header;
  return { tensor: { name: '', dtype, shape, bytes: elementsOf(shape) * size }, hasObjects, end };
}

/** Checks an array; `end` is where it ends, if that is known. */
async function judge(
  bytes: Bytes,
  { hasObjects, end, tensor }: NumpyHeader,
  budget: Budget,
): Promise<JudgedArray & { readonly end?: number }> {
  if (!hasObjects) {
    const last = end + tensor.bytes;
    if (last > bytes.size) return notCheckedArray(`it is cut off: ${last - bytes.size} bytes of its array are missing`);
    return { imports: [], safety: NO_CODE, end: last };
  }
  const pickles = await pickleAt(bytes, end, budget);
  const safety = judgePickles(pickles);
  return { imports: importsOf(pickles), safety: isHarmless(safety) ? HARMLESS : safety, end: pickles[0].end };
}

const HARMLESS: Safety = {
  verdict: 'refused',
  reason:
    'It contains Python objects, which `numpy.load` unpickles only with `allow_pickle=True`. All of them are plain data.',
};

function describe(
  format: 'numpy' | 'numpy-archive',
  size: number,
  tensors: readonly Tensor[],
  judged: readonly JudgedArray[],
): Checkpoint {
  const safety = worstOf(judged.map((each) => each.safety));
  const imports = judged.flatMap((each) => each.imports);
  return { format, size, writtenBy: 'NumPy', tensors, imports, safety, problems: problemsOf(safety) };
}
