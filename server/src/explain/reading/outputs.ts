import { type Paste, readPaste } from './paste.ts';

/** Outputs of a notebook cell, or of a program that the cell ran. */
export interface CellOutput {
  /** `error`: an exception with its traceback, as the kernel formats it. */
  readonly kind: 'error' | 'stderr' | 'stdout';
  readonly text: string;
}

/** Known messages in a cell's outputs. */
interface CellFailure {
  readonly paste: Paste;
  /** False if the cell continued and the known message was only printed. */
  readonly failed: boolean;
}

const TRACEBACK = 'Traceback (most recent call last)';

/** Kernel exceptions that only report that a program failed; the program has printed the reason itself. */
const OF_PROGRAMS = /\b(?:CalledProcessError|SystemExit)\b/;

/** Cells that run programs: the output of the program is the only evidence. */
const RUNS_PROGRAMS = /^[^\S\n]*(?:!|%%?(?:bash|sh|script|run|pip|conda|mamba|uv)\b)/m;

/**
 * The known failure of a cell, from its outputs in order; undefined if they contain nothing known. If the cell ended
 * with an unknown exception, other output does not explain it.
 */
export function failureIn(outputs: readonly CellOutput[], source: string): CellFailure | undefined {
  const textOf = (kinds: readonly CellOutput['kind'][]) => joined(outputs.filter(({ kind }) => kinds.includes(kind)));
  const error = readPaste(textOf(['error']));
  const ended = error.text !== '';
  if (isKnown(error)) return { paste: readPaste(textOf(ALL)), failed: true };
  if (ended && !OF_PROGRAMS.test(error.text)) return undefined;
  const paste = readPaste(textOf(RUNS_PROGRAMS.test(source) ? ['stderr', 'stdout'] : ['stderr']));
  return isKnown(paste) ? { paste, failed: ended || paste.text.includes(TRACEBACK) } : undefined;
}

const ALL = ['error', 'stderr', 'stdout'] as const;

function isKnown({ messages: [first] }: Paste): boolean {
  return first !== undefined && first.message.rank !== 'harmless';
}

/** Kernels send output in pieces that may end in the middle of a line. */
function joined(outputs: readonly CellOutput[]): string {
  return outputs
    .map(({ kind, text }, index) => (outputs[index + 1]?.kind === kind && kind !== 'error' ? text : `${text}\n`))
    .join('');
}
