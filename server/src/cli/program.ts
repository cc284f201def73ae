/** Starts another program in a way that affects it as little as possible. */
import { isatty } from 'node:tty';
import { execa } from 'execa';
import { nativeProgram } from '../stack/machine/started.ts';
import { openTerminal } from './terminal.ts';

/** The result of a program. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The reason why it could not be started, as a clause that follows its name. */
  readonly trouble?: string;
}

/** The folder, the additional variables, and what stops the program. */
export interface ProgramSurroundings {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
  /** True to show its standard output as standard error, because ours has a document. */
  readonly toStandardError?: boolean;
}

const FORWARDED: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'];

/** Signals that a terminal sends to all programs in its foreground. */
const FROM_KEYBOARD: ReadonlySet<NodeJS.Signals> = new Set(['SIGINT', 'SIGQUIT']);

/** Milliseconds to wait for the remaining output of a failed program, whose background processes may still write. */
const LAST_WORDS = 1000;

/**
 * Runs a command with this process's standard input and output, in its group and at its terminal. Its standard error is
 * passed to `onError` byte by byte; if that is a terminal here, the program also gets one, if the system has `script`.
 */
export async function startProgram(
  [program = '', ...args]: readonly string[],
  onError: (bytes: Buffer) => void,
  { cwd, env, signal: stopped, toStandardError = false }: ProgramSurroundings = {},
): Promise<Ended> {
  let target: number | undefined;
  const early: NodeJS.Signals[] = [];
  const forward = (signal: NodeJS.Signals) => {
    if (FROM_KEYBOARD.has(signal) && [0, 1, 2].some((each) => isatty(each))) return;
    if (target === undefined) early.push(signal);
    else tryKill(target, signal);
  };
  // Installed before the program runs: a signal in between would end this process and leave the program behind.
  for (const signal of FORWARDED) process.on(signal, forward);
  const terminal = isatty(2) ? await openTerminal(onError) : undefined;
  const resize = () => terminal?.resize(() => forward('SIGWINCH'));
  process.stderr.on('resize', resize);
  try {
    const child = execa(nativeProgram(program), args, {
      // execa accepts any descriptor, although its types only allow the first ten.
      stdio: ['inherit', toStandardError ? process.stderr : 'inherit', (terminal?.end ?? 'pipe') as 'pipe'],
      // Signals are forwarded here, and the caller receives the output.
      cleanup: false,
      buffer: false,
      reject: false,
      windowsHide: false,
      cwd,
      env,
      cancelSignal: stopped,
    });
    terminal?.letGo();
    child.stderr?.on('data', onError);
    target = child.pid;
    for (const signal of early.splice(0)) forward(signal);
    child.on('exit', (code) => {
      if (code !== 0) setTimeout(() => child.stderr?.destroy(), LAST_WORDS).unref();
    });
    const { exitCode, signal, code, cause } = await child;
    if (exitCode === undefined && signal === undefined) return { code: null, signal: null, trouble: why(code, cause) };
    return { code: exitCode ?? null, signal: signal ?? null };
  } finally {
    await terminal?.close();
    for (const signal of FORWARDED) process.off(signal, forward);
    process.stderr.off('resize', resize);
  }
}

function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has exited in the meantime.
  }
}

function why(code: string | undefined, cause: unknown): string {
  if (code === 'ENOENT') return 'does not exist';
  if (code === 'EACCES') return 'cannot be started: permission denied';
  return `cannot be started: ${cause instanceof Error ? cause.message : code}`;
}
