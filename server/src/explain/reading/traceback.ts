/** One call of a traceback, as printed by Python, IPython, rich or loguru, or a line in a compiler error. */
export interface Frame {
  readonly file: string;
  /** From 1; undefined if unknown. */
  readonly line?: number;
  /** The printed source. */
  readonly code?: string;
  /** Offset of the frame in the text. */
  readonly start: number;
}

/** A frame as explanations show it. */
export function shownLocation(
  frame: Frame | undefined,
): { file: string; line: number | null; code: string | null } | null {
  return frame ? { file: frame.file, line: frame.line ?? null, code: frame.code ?? null } : null;
}

/** The heads of frames: Python's own; IPython 8's; IPython 7's; a cell's; rich's; pytest's. */
const HEADS: readonly RegExp[] = [
  /^\s*File "(?<file>[^"]{1,600})", line (?<line>\d{1,9})(?:,? in .*)?$/,
  /^\s*File (?<file>\S.{0,400}?):(?<line>\d{1,9})(?:,? in .*)?$/,
  /^\s*(?<file><ipython-input-[^>]{1,80}>|\S.{0,400}?\.(?:py|pyx|ipynb)) in (?:<module>|[\w.<>]+\b).*$/,
  /^\s*(?<file>(?:Cell|Input) In ?\[\d*\]),?(?: line (?<line>\d{1,9})| in ).*$/,
  /^\s*(?<file>[\w.\-/\\]{1,200}\.ipynb Cell \S{1,20}) (?:in|line) .*$/,
  /^\s*(?<file>(?:\/|~|[A-Za-z]:\\|\.{1,2}[\\/])\S.{0,400}?\.py):(?<line>\d{1,9}) in .*$/,
  /^(?<file>\S.{0,400}?\.py):(?<line>\d{1,9}):(?: in \S.*| [A-Z]\w*)?$/,
];

/** Heads followed by the source without an arrow. */
const ABOVE_SOURCE = /^\s*File "|\.py:\d+: in /;

/** The failing line in the context printed by IPython and rich. */
const ARROW = /^\s*(?:-{1,20}>|❱|>)\s*(?<line>\d{1,9})?\s?(?<code>.*)$/;

/** The calls in a text, in order. */
export function framesIn(text: string): Frame[] {
  const frames: Frame[] = [];
  const lines = text.split('\n');
  let start = 0;
  for (const [index, line] of lines.entries()) {
    const head = line.length < 1200 ? headIn(line) : undefined;
    if (head) {
      const after = lines.slice(index + 1, index + 24);
      const arrow = arrowIn(after);
      const [next = ''] = after;
      const code = ABOVE_SOURCE.test(line) && !headIn(next) ? codeOf(next, line) : undefined;
      frames.push({
        file: head.file ?? '',
        line: Number(head.line ?? arrow?.line) || undefined,
        code: code ?? arrow?.code,
        start,
      });
    }
    start += line.length + 1;
  }
  return frames;
}

function headIn(line: string): Record<string, string | undefined> | undefined {
  for (const head of HEADS) {
    const found = head.exec(line)?.groups;
    if (found) return found;
  }
  return undefined;
}

/** The line below the head of a frame, if that line is code: Python prints no code for a file that it cannot read. */
function codeOf(line: string, head: string): string | undefined {
  const isCode =
    line.search(/\S/) > head.search(/\S/) && !/^\s*[~^-]+\s*$/.test(line) && !/^\s*\[Previous line repeated/.test(line);
  return isCode ? line.trim() : undefined;
}

function arrowIn(lines: readonly string[]): { line?: string; code?: string } | undefined {
  for (const line of lines) {
    const found = ARROW.exec(line)?.groups;
    if (found) return { line: found.line, code: found.code?.trim() };
    if (headIn(line)) return undefined;
  }
  return undefined;
}

/** True if a file is the user's own, not part of Python, a package or a notebook's machinery. */
export function isOwn({ file }: Pick<Frame, 'file'>): boolean {
  if (/^<(?!ipython-input|stdin|string)|\.pyx$/.test(file)) return false;
  return !/site-packages|dist-packages|[\\/]lib(?:64)?[\\/]python\d|[\\/]python\d+(?:\.\d+)?[\\/]lib[\\/]|\\lib\\(?!.*\\src\\)[\w\\]+\.py$|[\\/]bin[\\/][\w-]+$|importlib/i.test(
    file,
  );
}

/** True if a call is in a notebook cell, which kernels name by its number or by a kernel-specific file. */
export function isInCell({ file }: Pick<Frame, 'file'>): boolean {
  return /^(?:Cell|Input) In ?\[|^<ipython-input-|ipykernel_\d+[\\/]\d+\.py$|\.ipynb Cell /.test(file);
}

/** From Python's faulthandler, and from the box in which VS Code shows where its debugger stopped. */
const MOST_RECENT_FIRST = /\(most recent call first\)|^Exception has occurred: /m;

/**
 * The innermost call of the user's own code in the traceback that ends with the message at an offset; undefined if the
 * text contains no such call.
 */
export function failingFrame(text: string, frames: readonly Frame[], offset: number): Frame | undefined {
  if (MOST_RECENT_FIRST.test(text)) return frames.find(isOwn);
  const before = frames.filter(({ start }) => start <= offset);
  const began = text.lastIndexOf('Traceback (most recent call last)', offset);
  // Code passed to Python as text is only worth showing with its line.
  const isShown = ({ file, code }: Frame) => file !== '<string>' || code !== undefined;
  const own = (those: readonly Frame[]) => those.filter((each) => isOwn(each) && isShown(each)).at(-1);
  return own(before.filter(({ start }) => start >= began)) ?? own(before) ?? own(frames);
}
