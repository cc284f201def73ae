/** Programs that execa starts, without any shell, and how they end. */
import type { Result } from 'execa';

/** How a program ended. */
export interface Ending {
  /** Null where it never started or died of a signal. */
  readonly exitCode: number | null;
  readonly signal?: NodeJS.Signals;
  /** Why it never started, in the system's word, such as "ENOENT". */
  readonly refusal?: string;
}

/** Converts a result of execa with `reject: false`. */
export function endingOf({ exitCode, signal, code }: Pick<Result, 'exitCode' | 'signal' | 'code'>): Ending {
  if (exitCode === undefined && signal === undefined) return { exitCode: null, refusal: code ?? 'unknown' };
  return { exitCode: exitCode ?? null, ...(signal !== undefined && { signal }) };
}

/**
 * Returns what to start for a program's name or path. Elsewhere than on Windows that is the program itself. There, execa
 * hands whatever is not an .exe or .com file to a shell, such as batch files, or to the program that its first line names:
 * this asks for the .exe file instead, which is all that Windows itself starts.
 */
export function nativeProgram(program: string, platform: NodeJS.Platform = process.platform): string {
  return platform !== 'win32' || /\.(?:exe|com)$/i.test(program) ? program : `${program}.exe`;
}
