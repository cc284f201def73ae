/** Programs started by execa without a shell, and their results. */
import type { Result } from 'execa';

/** The result of a program. */
export interface Ending {
  /** Null if it never started or was killed by a signal. */
  readonly exitCode: number | null;
  readonly signal?: NodeJS.Signals;
  /** The system's error code if it never started, such as "ENOENT". */
  readonly refusal?: string;
}

/** Converts a result of execa with `reject: false`. */
export function endingOf({ exitCode, signal, code }: Pick<Result, 'exitCode' | 'signal' | 'code'>): Ending {
  if (exitCode === undefined && signal === undefined) return { exitCode: null, refusal: code ?? 'unknown' };
  return { exitCode: exitCode ?? null, signal };
}

/**
 * Returns the executable for a program's name or path. Outside Windows, that is the program itself. On Windows, execa
 * passes anything that is not an .exe or .com file, such as batch files, to a shell, or to the program in its first
 * line, so this returns the .exe file, which is all that Windows itself starts.
 */
export function nativeProgram(program: string, platform: NodeJS.Platform = process.platform): string {
  return platform !== 'win32' || /\.(?:exe|com)$/i.test(program) ? program : `${program}.exe`;
}
