import type { Readable } from 'node:stream';
import { execa } from 'execa';
import { onExit } from 'signal-exit';
import { type Ending, endingOf, nativeProgram } from './started.ts';

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
  const child = execa(nativeProgram(program), args, {
    ...(cwd !== undefined && { cwd }),
    env: { LC_ALL: 'C' },
    detached: HAS_GROUPS,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Whoever asked reads within bounds; ending it, with whatever it started, is seen to here.
    buffer: false,
    cleanup: false,
    reject: false,
  });
  const { pid, stdout, stderr } = child;
  const end = () => {
    if (pid === undefined) return;
    try {
      process.kill(HAS_GROUPS ? -pid : pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  };
  if (pid !== undefined) running.add(end);
  // A pipe that breaks has no more to say; how the program ended is told all the same.
  for (const stream of [stdout, stderr]) stream.on('error', () => {});
  return {
    stdout,
    stderr,
    ended: child.then(endingOf),
    gone: Promise.race([new Promise((resolve) => child.once('exit', resolve)), child]),
    end,
    release: () => {
      running.delete(end);
      if (pid !== undefined) child.unref();
    },
  };
}
