import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { FUNERAL, startOwned } from './ownedProcess.ts';
import type { Ending } from './started.ts';

/** The result of a command. The output is what arrived before it ended. */
export interface CommandResult {
  stdout: string;
  stderr: string;
  /** Null if the program never started or was killed. */
  exitCode: number | null;
  /** Undefined: it ran and exited by itself. */
  failure?: CommandFailure;
  /** The signal that killed it, such as "SIGSEGV". */
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
  /** The working directory; by default that of this process. */
  cwd?: string;
  /** Called with each line of standard output as it arrives. */
  onLine?: (line: string) => void;
}

/** Milliseconds. A healthy nvidia-smi without its persistence daemon takes up to two seconds. */
export const COMMAND_TIMEOUT = 5000;
const COMMAND_MAX_OUTPUT = 1024 * 1024;

/**
 * Runs a program by its full path, without a shell, in the C locale, and kills it at its limits together with its
 * children. It never throws and never takes longer than its limit plus half a second.
 */
export async function runCommand(
  program: string,
  args: string[],
  options: CommandOptions = {},
  env?: NodeJS.ProcessEnv,
): Promise<CommandResult> {
  const { timeout = COMMAND_TIMEOUT, maxOutput = COMMAND_MAX_OUTPUT, signal, cwd, onLine } = options;
  if (signal?.aborted) return { stdout: '', stderr: '', exitCode: null, failure: 'aborted' };

  const { stdout, stderr, ended, end, release } = startOwned(program, args, cwd, env);
  if (onLine) createInterface({ input: stdout }).on('line', onLine);

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
  const printed = [stdout, stderr].map((stream) => collect(stream, maxOutput, () => stop('tooMuchOutput')));
  const timer = setTimeout(stop, timeout, 'timedOut');
  const abort = () => stop('aborted');
  signal?.addEventListener('abort', abort);

  const ending = await Promise.race([ended, givenUp]);
  clearTimeout(timer);
  clearTimeout(funeral);
  signal?.removeEventListener('abort', abort);
  release();
  for (const stream of [stdout, stderr]) stream.destroy();

  const [out = '', err = ''] = printed.map((text) => text().replace(/\r?\n$/, ''));
  return {
    stdout: out,
    stderr: err,
    exitCode: ending?.exitCode ?? null,
    failure: limit ?? (ending && commandFailure(ending)),
    signal: ending?.signal,
  };
}

/** Reads a stream up to a number of characters, and returns what arrived. */
function collect(stream: Readable, most: number, onExceeded: () => void): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (piece: string) => {
    if (text.length + piece.length > most) onExceeded();
    text += piece.slice(0, most - text.length);
  });
  return () => text;
}

/** The reason why a program gave no answer; undefined if it exited by itself. */
export function commandFailure({ refusal, signal }: Ending): CommandFailure | undefined {
  if (refusal === 'ENOENT') return 'notFound';
  if (refusal === 'EACCES' || refusal === 'EPERM') return 'notPermitted';
  if (refusal !== undefined) return 'notStarted';
  return signal === undefined ? undefined : 'killed';
}
