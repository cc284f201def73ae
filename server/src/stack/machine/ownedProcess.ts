import type { Readable } from 'node:stream';
import { execa } from 'execa';
import { onExit } from 'signal-exit';
import { type Ending, endingOf, nativeProgram } from './started.ts';

/** A program that runs until it exits or is killed. */
interface OwnedProcess {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Its result, after all of its output was read. Never rejects. */
  readonly ended: Promise<Ending>;
  /** Resolves when it is gone, even if another process still holds its output. */
  readonly gone: Promise<unknown>;
  /** Kills it immediately, together with its children. */
  end(): void;
  /** Detaches it: it neither ends with this process nor keeps it running. */
  release(): void;
}

/**
 * A separate process group allows killing a wrapper script together with its children; Windows has no such groups. It
 * also detaches the program from the terminal, so whatever ends this process must end that one too.
 */
const HAS_GROUPS = process.platform !== 'win32';

/**
 * Milliseconds that a killed program has to exit before it is abandoned: one that waits for a broken driver cannot die.
 */
export const FUNERAL = 500;

/** Functions that kill the running programs. */
const running = new Set<() => void>();

/**
 * Installed with the first program and never removed: a signal that arrives while its last handler is removed would be
 * lost, and this process would live on.
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
 * Starts a program by its full path: without a shell, a window or input, in the C locale. Until it is released, it is
 * killed with its children when this process exits or dies of a signal that can be caught.
 */
export function startOwned(
  program: string,
  args: readonly string[],
  cwd?: string,
  env?: NodeJS.ProcessEnv,
): OwnedProcess {
  endAllWithThisProcess();
  const child = execa(nativeProgram(program), args, {
    cwd,
    env: { ...env, LC_ALL: 'C' },
    detached: HAS_GROUPS,
    stdio: ['ignore', 'pipe', 'pipe'],
    // The caller reads within limits and kills the process group itself.
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
      // It has exited already.
    }
  };
  if (pid !== undefined) running.add(end);
  // A broken pipe has no more output; the exit status is still reported.
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
