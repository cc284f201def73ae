/** Prefixes before the head of a traceback, in addition to the mark of an exception group. */
const HEAD = /^(.{1,200}?)(?: *\+ Exception Group )?Traceback \(most recent call last\)/gm;

/** Maximum number of distinct prefixes in one text. */
const MOST_PREFIXES = 64;

/** Lines of one program, or lines without a prefix, which have no stream. */
interface Piece {
  readonly stream: string | undefined;
  readonly lines: string[];
}

/**
 * Removes the prefix that a launcher or a log collector adds to each line, such as `[rank0]: `, a time, or the name of
 * a container. The start of a traceback shows the prefix, because Python itself prints it at the start of a line. If
 * several programs write at the same time, the lines of each are grouped; the program that torchrun names as the first
 * to fail comes first.
 */
export function separateStreams(text: string): string {
  const prefixes = prefixesIn(text);
  if (prefixes.length === 0) return text;
  const pieces: Piece[] = [];
  const streams = new Map<string, Piece>();
  for (const line of text.split('\n')) {
    const prefix = prefixes.map((each) => each.exec(line)?.[0]).find((each) => each !== undefined);
    const stream = prefix?.replace(TIME, '').trim();
    let piece = stream === undefined ? pieces.at(-1) : streams.get(stream);
    if (piece?.stream !== stream || piece === undefined) {
      piece = { stream, lines: [] };
      pieces.push(piece);
      if (stream !== undefined) streams.set(stream, piece);
    }
    piece.lines.push(line.slice(prefix?.length ?? 0));
  }
  return inOrder(pieces, text)
    .flatMap(({ lines }) => lines)
    .join('\n');
}

/** Times and dates, which differ between lines of one program. */
const TIME = /\d{4}-\d\d-\d\d|\d{1,2}:\d\d:\d\d(?:[.,]\d+)?|\d+\.\d+(?=\D*$)/g;

function prefixesIn(text: string): RegExp[] {
  const found = new Map<string, RegExp>();
  for (const { 1: prefix = '', index } of text.matchAll(HEAD)) {
    if (prefix.trim() === '') continue;
    const pattern = patternOf(prefix);
    if (found.has(pattern)) continue;
    const expression = new RegExp(`^(?:${pattern}|${patternOf(prefix.trimEnd())}$)`);
    const next = text.slice(text.indexOf('\n', index) + 1).split('\n', 8);
    // Words before a single head are not a prefix.
    if (next.some((line) => expression.test(line) && !line.includes('Traceback'))) found.set(pattern, expression);
    if (found.size === MOST_PREFIXES) break;
  }
  // A longer one may start with a shorter one.
  return [...found].sort(([one], [other]) => other.length - one.length).map(([, expression]) => expression);
}

/** The prefix with any numbers in place of its own. */
function patternOf(prefix: string): string {
  return prefix
    .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replace(/\d+/g, '\\d+')
    .replace(/ +(?=\\d)/g, ' +');
}

const FIRST_TO_FAIL = /Root Cause \(first observed failure\):[^=]{0,300}?\n\s*rank\s*: (\d+)/;

function inOrder(pieces: readonly Piece[], text: string): readonly Piece[] {
  const rank = FIRST_TO_FAIL.exec(text)?.[1];
  const ofRank = new RegExp(`^\\D*${rank}\\D*$`);
  const first = pieces.find(({ stream }) => rank !== undefined && stream !== undefined && ofRank.test(stream));
  if (!first) return pieces;
  const start = pieces.findIndex(({ stream }) => stream !== undefined);
  return [...pieces.slice(0, start), first, ...pieces.slice(start).filter((each) => each !== first)];
}
