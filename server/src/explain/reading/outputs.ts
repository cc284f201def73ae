import { type Paste, readPaste } from './paste.ts';

/** What a cell of a notebook, or a program that it ran, has put out. */
export interface CellOutput {
  /** `error`: an exception with its traceback, as the kernel wrote it. */
  readonly kind: 'error' | 'stderr' | 'stdout';
  readonly text: string;
}

/** Known messages among a cell's outputs. */
export interface CellFailure {
  readonly paste: Paste;
  /** False where the cell went on, and what is known is only something that was printed. */
  readonly failed: boolean;
}

const TRACEBACK = 'Traceback (most recent call last)';

/** The exceptions of a kernel that only tell that a program failed, which has said itself why. */
const OF_PROGRAMS = /\b(?:CalledProcessError|SystemExit)\b/;

/** Cells that run programs: what these print is all that is known of them. */
const RUNS_PROGRAMS = /^[^\S\n]*(?:!|%%?(?:bash|sh|script|run|pip|conda|mamba|uv)\b)/m;

/**
 * What is known of how a cell has failed, by its outputs in order; undefined where they hold nothing that is known. Where
 * the cell ended with an exception that is not known, other things that it printed do not explain it.
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

/** Kernels send what is printed in pieces, which may end within a line. */
function joined(outputs: readonly CellOutput[]): string {
  return outputs
    .map(({ kind, text }, index) => (outputs[index + 1]?.kind === kind && kind !== 'error' ? text : `${text}\n`))
    .join('');
}
