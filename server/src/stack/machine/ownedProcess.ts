import { type ChildProcess, spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { onExit } from 'signal-exit';

/** A program that runs until it ends, or is ended. */
export interface OwnedProcess {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** How it ended, once all that it has printed was read. Never fails. */
  readonly ended: Promise<Ending>;
  /** Resolves when it is no more, whoever holds its output. */
  readonly gone: Promise<unknown>;
  /** Ends it at once, with whatever it started. */
  end(): void;
  /** Leaves it alone: it does not end with this process, nor keep it running. */
  release(): void;
}

/** How a program ended. */
export interface Ending {
  /** Null where it never started or died of a signal. */
  readonly exitCode: number | null;
  readonly signal?: NodeJS.Signals;
  /** Why it never started, in the system's word, such as "ENOENT". */
  readonly refusal?: string;
}

/**
 * A process group of its own lets a wrapper script be ended with its children; Windows has no such groups. It also takes the
 * program away from the terminal, so whatever ends this process has to end that one too.
 */
const HAS_GROUPS = process.platform !== 'win32';

/** Milliseconds that a killed program has to go before it is given up: one that waits for a broken driver cannot die. */
export const FUNERAL = 500;

/** What ends the programs that are running. */
const running = new Set<() => void>();

/**
 * Set up with the first program and never taken down: a signal that arrives in the moment in which its last handler is
 * removed would be lost, and this process would live on.
 */
let watching = false;

function endAllWithThisProcess(): void {
  if (watching) return;
  watching = true;
  onExit(() => {
    for (const end of running) end();
  });
}

/**
 * Starts a program by its full path: without a shell and a window, in the C locale, deaf. It is ended with whatever it
 * started when this process exits or dies of a signal that can be caught, until it is released.
 */
export function startOwned(program: string, args: readonly string[], cwd?: string): OwnedProcess {
  endAllWithThisProcess();
  let child: ChildProcess;
  try {
    child = spawn(program, args, {
      cwd,
      env: { ...process.env, LC_ALL: 'C' },
      detached: HAS_GROUPS,
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    return neverStarted(refusalOf(error));
  }
  const end = () => {
    if (child.pid === undefined) return;
    try {
      process.kill(HAS_GROUPS ? -child.pid : child.pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  };
  running.add(end);
  const { stdout, stderr } = child;
  // A pipe that breaks has no more to say; how the program ended is told all the same.
  for (const stream of [stdout, stderr]) stream?.on('error', () => {});
  return {
    stdout: stdout ?? nothing(),
    stderr: stderr ?? nothing(),
    ended: new Promise((resolve) => {
      child.on('error', (error) => resolve({ exitCode: null, refusal: refusalOf(error) }));
      child.once('close', (exitCode, signal) => resolve({ exitCode, ...(signal && { signal }) }));
    }),
    gone: new Promise((resolve) => {
      child.once('error', resolve);
      child.once('exit', resolve);
    }),
    end,
    release: () => {
      running.delete(end);
      child.unref();
    },
  };
}

function neverStarted(refusal: string): OwnedProcess {
  const leave = () => {};
  const ended = Promise.resolve({ exitCode: null, refusal });
  return { stdout: nothing(), stderr: nothing(), ended, gone: ended, end: leave, release: leave };
}

function nothing(): Readable {
  return Readable.from([]);
}

function refusalOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown';
}
