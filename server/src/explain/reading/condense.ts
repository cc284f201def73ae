import { messageWords } from '../../messages/find.ts';
import { LONGEST_PASTE } from './paste.ts';

/** Lines kept around an interesting line: a traceback before it, and details after it. */
const BEFORE = 40;
const AFTER = 12;
/** Lines at the end that are always kept. */
const LAST = 60;
const LONGEST_LINE = 4096;

/**
 * Reads a log of any length and keeps the parts that an explanation needs: lines that contain words of known messages,
 * the lines around them (each kind of line once), and the end. Keeps nothing else in memory.
 */
export async function condense(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const { words } = messageWords();
  const kept: Buffer[] = [];
  let size = 0;
  let recent: Buffer[] = [];
  let following = 0;
  const seen = new Set<number>();
  const keep = (line: Buffer) => {
    if (size + line.length > LONGEST_PASTE - LAST * LONGEST_LINE) return;
    // A copy, because a part of a chunk would keep all of it in memory.
    kept.push(Buffer.from(line));
    size += line.length + 1;
  };
  const take = (line: Buffer) => {
    const isNew = words.occursIn(line) && isFirst(line, seen);
    if (isNew) {
      for (const before of recent) keep(before);
      recent = [];
      following = AFTER;
      keep(line);
    } else if (following > 0) {
      following--;
      keep(line);
    } else {
      recent.push(line);
      if (recent.length > BEFORE + LAST) recent = recent.slice(-Math.max(BEFORE, LAST));
    }
  };
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const whole = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    let start = 0;
    for (let end = whole.indexOf(10, start); end >= 0; end = whole.indexOf(10, start)) {
      take(whole.subarray(start, Math.min(end, start + LONGEST_LINE)));
      start = end + 1;
    }
    rest = whole.subarray(start);
    // A line without an end would be kept forever.
    if (rest.length > LONGEST_LINE) {
      take(rest.subarray(0, LONGEST_LINE));
      rest = rest.subarray(rest.length - LONGEST_LINE / 2);
    }
  }
  take(rest);
  return Buffer.concat([...kept, ...recent.slice(-LAST)].flatMap((line) => [line, LINE_END]));
}

const LINE_END = Buffer.from('\n');

/** Maximum number of distinct kinds of lines. */
const MOST_KINDS = 20_000;

/** True for the first line of its kind, ignoring numbers. */
function isFirst(line: Buffer, seen: Set<number>): boolean {
  const kind = kindOf(line);
  if (seen.has(kind)) return false;
  if (seen.size < MOST_KINDS) seen.add(kind);
  return true;
}

/**
 * A hash (FNV-1a) of a line without its numbers. Rewriting each line of a long log instead would take as long as all
 * other work.
 */
function kindOf(line: Buffer): number {
  let hash = 0x811c9dc5;
  let before = 0;
  for (let at = 0; at < line.length; at++) {
    const sign = line[at] as number;
    const kind = isOfNumber(sign) ? DIGIT : sign;
    if (kind !== DIGIT || before !== DIGIT) hash = Math.imul(hash ^ kind, 0x01000193);
    before = kind;
  }
  return hash;
}

const DIGIT = 0x30;

/** Digits, and the dots and colons between them. */
function isOfNumber(sign: number): boolean {
  return (sign >= 0x30 && sign <= 0x3a) || sign === 0x2e;
}
