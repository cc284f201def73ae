/** One call of a traceback, in any of the forms in which Python, IPython, rich and loguru print it, or a line that a compiler names. */
export interface Frame {
  readonly file: string;
  /** From 1; undefined where it is not told. */
  readonly line?: number;
  /** The source as it was printed. */
  readonly code?: string;
  /** Offset of the frame in the text. */
  readonly start: number;
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

/** Heads below which the source stands, without an arrow. */
const ABOVE_SOURCE = /^\s*File "|\.py:\d+: in /;

/** The failing line in what IPython and rich print around it. */
const ARROW = /^\s*(?:-{1,20}>|❱|>)\s*(?<line>\d{1,9})?\s?(?<code>.*)$/;

/** The calls in a text, in its order. */
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

/** The line below the head of a frame, where it is code: Python tells none of a file that it cannot read. */
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

/** Whether a file is the user's own, not of Python, a package or a notebook's machinery. */
export function isOwn({ file }: Pick<Frame, 'file'>): boolean {
  if (/^<(?!ipython-input|stdin|string)/.test(file)) return false;
  return !/site-packages|dist-packages|[\\/]lib(?:64)?[\\/]python\d|[\\/]python\d+(?:\.\d+)?[\\/]lib[\\/]|\\lib\\(?!.*\\src\\)[\w\\]+\.py$|[\\/]bin[\\/][\w-]+$|importlib/i.test(
    file,
  );
}

/** Whether a call is in a cell of a notebook, which kernels name by its number or by a file that only they have. */
export function isInCell({ file }: Pick<Frame, 'file'>): boolean {
  return /^(?:Cell|Input) In ?\[|^<ipython-input-|ipykernel_\d+[\\/]\d+\.py$|\.ipynb Cell /.test(file);
}

/** Of Python's faulthandler, and of the box in which VS Code shows what its debugger has stopped at. */
const MOST_RECENT_FIRST = /\(most recent call first\)|^Exception has occurred: /m;

/**
 * The innermost call of the user's own code in the traceback that ends with the message at an offset; of a text without
 * such a call, undefined.
 */
export function failingFrame(text: string, frames: readonly Frame[], offset: number): Frame | undefined {
  if (MOST_RECENT_FIRST.test(text)) return frames.find(isOwn);
  const before = frames.filter(({ start }) => start <= offset);
  const began = text.lastIndexOf('Traceback (most recent call last)', offset);
  // What was handed to Python as text is worth showing only where its line is told.
  const isShown = ({ file, code }: Frame) => file !== '<string>' || code !== undefined;
  const own = (those: readonly Frame[]) => those.filter((each) => isOwn(each) && isShown(each)).at(-1);
  return own(before.filter(({ start }) => start >= began)) ?? own(before) ?? own(frames);
}
