import { createInterface } from 'node:readline';
import type { Result } from 'execa';
import { FUNERAL, startOwned } from './ownedProcess.ts';

/** How a command ended. Output is what had come by then. */
export interface CommandResult {
  stdout: string;
  stderr: string;
  /** Null where the program never started or was killed. */
  exitCode: number | null;
  /** Undefined: it ran and ended by itself. */
  failure?: CommandFailure;
  /** The signal that it died of, such as "SIGSEGV". */
  signal?: string;
}

export type CommandFailure =
  | 'notFound'
  | 'notPermitted'
  | 'notStarted'
  | 'timedOut'
  | 'tooMuchOutput'
  | 'killed'
  | 'aborted';

export interface CommandOptions {
  /** Milliseconds until the program is killed. */
  timeout?: number;
  /** Characters of each stream; a program that prints more is killed. */
  maxOutput?: number;
  signal?: AbortSignal;
  /** The folder that it runs in; that of this process where none is given. */
  cwd?: string;
  /** Called with each line of standard output as soon as it is there. */
  onLine?: (line: string) => void;
}

/** Milliseconds. A healthy nvidia-smi without its persistence daemon takes up to two seconds. */
export const COMMAND_TIMEOUT = 5000;
const COMMAND_MAX_OUTPUT = 1024 * 1024;

/**
 * Runs a program by its full path, without a shell, in the C locale, and ends it at its limits together with whatever
 * it started. It never throws and never takes longer than its limit and half a second.
 */
export async function runCommand(
  program: string,
  args: string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const { timeout = COMMAND_TIMEOUT, maxOutput = COMMAND_MAX_OUTPUT, signal, cwd, onLine } = options;
  if (signal?.aborted) return { stdout: '', stderr: '', exitCode: null, failure: 'aborted' };

  const { child, end, release } = startOwned(program, args, { maxBuffer: maxOutput, cwd });
  if (onLine) createInterface({ input: child.stdout }).on('line', onLine);

  let limit: CommandFailure | undefined;
  let giveUp: (result: undefined) => void = () => {};
  const givenUp = new Promise<undefined>((resolve) => {
    giveUp = resolve;
  });
  let funeral: NodeJS.Timeout | undefined;
  const stop = (reason: CommandFailure) => {
    limit ??= reason;
    end();
    funeral ??= setTimeout(giveUp, FUNERAL, undefined);
  };
  const timer = setTimeout(stop, timeout, 'timedOut');
  const abort = () => stop('aborted');
  signal?.addEventListener('abort', abort);

  const result = await Promise.race([child, givenUp]);
  clearTimeout(timer);
  clearTimeout(funeral);
  signal?.removeEventListener('abort', abort);
  release();

  if (result === undefined) {
    child.unref();
    child.stdout.destroy();
    child.stderr.destroy();
    return { stdout: '', stderr: '', exitCode: null, failure: limit };
  }
  if (result.isMaxBuffer) end();
  return {
    stdout: result.stdout,
    stderr: result.stderr,
    exitCode: result.exitCode ?? null,
    failure: limit ?? failureOf(result),
    signal: result.signal,
  };
}

export function failureOf(result: Result): CommandFailure | undefined {
  if (result.isMaxBuffer) return 'tooMuchOutput';
  if (result.code === 'ENOENT') return 'notFound';
  if (result.code === 'EACCES' || result.code === 'EPERM') return 'notPermitted';
  if (result.isTerminated) return 'killed';
  return result.exitCode === undefined ? 'notStarted' : undefined;
}
