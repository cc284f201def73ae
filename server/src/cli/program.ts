/** Starts another program so that it notices as little as possible of being watched. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { Readable } from 'node:stream';
import { isatty } from 'node:tty';

/** How a program ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it could not be started, as a clause that follows its name. */
  readonly trouble?: string;
}

const FORWARDED: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

/**
 * Runs a command with this process's standard input and output. What it writes to standard error comes byte by byte to
 * `onError`; where that is a terminal here, it is one for the program, too, if the system has `script`.
 */
export async function startProgram(command: readonly string[], onError: (bytes: Buffer) => void): Promise<Ended> {
  const withTerminal = isatty(2) && hasScript();
  let target: number | undefined;
  const early: NodeJS.Signals[] = [];
  const forward = (signal: NodeJS.Signals) => {
    // The terminal itself sends an interrupt to programs of its own session.
    if (!withTerminal && signal === 'SIGINT' && isatty(0)) return;
    if (target === undefined) early.push(signal);
    else tryKill(target, signal);
  };
  // Before the program runs: a signal that came between the two would end this process and leave the program behind.
  for (const signal of FORWARDED) process.on(signal, forward);
  const resize = () => {
    if (target !== undefined)
      spawn('stty', ['-F', `/proc/${target}/fd/2`, ...sizeHere()], { stdio: 'ignore' }).on('error', () => {});
  };
  if (withTerminal) process.stderr.on('resize', resize);
  const child = (withTerminal ? inTerminal : plainly)(command, onError, (pid) => {
    target = pid;
    for (const signal of early.splice(0)) forward(signal);
  });
  try {
    return await new Promise<Ended>((resolve) => {
      child.on('error', (error: NodeJS.ErrnoException) => resolve({ code: null, signal: null, trouble: why(error) }));
      child.on('close', (code, signal) => resolve(withTerminal ? fromShell(code) : { code, signal }));
    });
  } finally {
    for (const signal of FORWARDED) process.off(signal, forward);
    process.stderr.off('resize', resize);
  }
}

/** Starts the command, and says which process signals are for as soon as that is known. */
type Start = (
  command: readonly string[],
  onError: (bytes: Buffer) => void,
  onTarget: (pid: number) => void,
) => ChildProcess;

const plainly: Start = ([program = '', ...args], onError, onTarget) => {
  const child = spawn(program, args, { stdio: ['inherit', 'inherit', 'pipe'] });
  child.stderr?.on('data', onError);
  if (child.pid !== undefined) onTarget(child.pid);
  return child;
};

/**
 * Says its process id, gives the terminal the size that it is told and keeps line ends as they are, and becomes the command,
 * of which only standard error is the terminal.
 */
const SHELL = 'echo $$ >&5; stty -opost $1 <&2 2>/dev/null; shift; exec "$@" 0<&3 1>&4 3<&- 4>&- 5>&-';

/** The size of the terminal here, as arguments of `stty`: without one, progress bars print nothing. */
function sizeHere(): string[] {
  const [columns = 0, rows = 0] = process.stderr.getWindowSize();
  return columns > 0 && rows > 0 ? ['cols', `${columns}`, 'rows', `${rows}`] : ['cols', '80', 'rows', '24'];
}

const inTerminal: Start = (command, onError, onTarget) => {
  const line = ['exec', 'sh', '-c', SHELL, 'sh', sizeHere().join(' '), ...command].map(quoted).join(' ');
  const child = spawn('script', ['--quiet', '--return', '--flush', '--command', line, '/dev/null'], {
    // Of its own session, so that the terminal's signals reach this process alone, which hands them on.
    detached: true,
    // Standard input stands in the place of standard error, too: Node, which may have made a terminal non-blocking for its
    // own use, makes only a child's first three blocking again, and the program could not wait for input otherwise.
    stdio: ['ignore', 'pipe', 0, 0, 1, 'pipe'],
  });
  const said = (child.stdio as readonly unknown[])[5];
  if (said instanceof Readable)
    said.on('data', (bytes: Buffer) => {
      const pid = Number.parseInt(bytes.toString(), 10);
      if (pid > 0) onTarget(pid);
    });
  child.stdout?.on('data', onError);
  return child;
};

function quoted(argument: string): string {
  return `'${argument.replaceAll("'", "'\\''")}'`;
}

/** Only that of util-linux can be given a command with its options. */
function hasScript(): boolean {
  if (process.platform !== 'linux') return false;
  return /util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '');
}

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGKILL'] as const;
const LATER_SIGNALS: Readonly<Record<number, NodeJS.Signals>> = { 11: 'SIGSEGV', 13: 'SIGPIPE', 15: 'SIGTERM' };

/** A shell's status above 128 is the number of the signal that ended the program. */
function fromShell(code: number | null): Ended {
  if (code === null || code <= 128) return { code, signal: null };
  const signal = SIGNALS[code - 129] ?? LATER_SIGNALS[code - 128];
  return signal ? { code: null, signal } : { code, signal: null };
}

function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

function why({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'does not exist';
  return code === 'EACCES' ? 'cannot be started: permission denied' : `cannot be started: ${message}`;
}
