/** One call of a traceback, in any of the forms in which Python, IPython, rich and loguru print it. */
export interface Frame {
  readonly file: string;
  /** From 1; undefined where it is not told. */
  readonly line?: number;
  /** The source as it was printed. */
  readonly code?: string;
  /** Offset of the frame in the text. */
  readonly start: number;
}

/** The heads of frames: Python's own; IPython 8's; IPython 7's; a cell's; rich's. */
const HEADS: readonly RegExp[] = [
  /^\s*File "(?<file>[^"]{1,600})", line (?<line>\d{1,9})(?:, in .*)?$/,
  /^\s*File (?<file>\S.{0,400}?):(?<line>\d{1,9})(?:,? in .*)?$/,
  /^\s*(?<file><ipython-input-[^>]{1,80}>|\S.{0,400}?\.(?:py|pyx|ipynb)) in (?:<module>|[\w.<>]+\b).*$/,
  /^\s*(?<file>(?:Cell|Input) In ?\[\d*\]),?(?: line (?<line>\d{1,9})| in ).*$/,
  /^\s*(?<file>[\w.\-/\\]{1,200}\.ipynb Cell \S{1,20}) (?:in|line) .*$/,
  /^\s*(?<file>(?:\/|~|[A-Za-z]:\\|\.{1,2}[\\/])\S.{0,400}?\.py):(?<line>\d{1,9}) in .*$/,
];

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
      const isPythons = /^\s*File "/.test(line);
      const [next = ''] = after;
      const code = isPythons && !headIn(next) ? codeOf(next) : undefined;
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

function codeOf(line: string): string | undefined {
  const isCode = /^\s+\S/.test(line) && !/^\s*[~^-]+\s*$/.test(line) && !/^\s*\[Previous line repeated/.test(line);
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

/**
 * The innermost call of the user's own code in the traceback that ends with the message at an offset; of a text without
 * such a call, undefined.
 */
export function failingFrame(text: string, frames: readonly Frame[], offset: number): Frame | undefined {
  const before = frames.filter(({ start }) => start <= offset);
  const began = text.lastIndexOf('Traceback (most recent call last)', offset);
  const own = (those: readonly Frame[]) => those.filter(isOwn).at(-1);
  return own(before.filter(({ start }) => start >= began)) ?? own(before) ?? own(frames);
}
