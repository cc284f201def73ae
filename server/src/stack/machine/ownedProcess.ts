import { execa, type Options } from 'execa';
import { onExit } from 'signal-exit';

/** How every program of the stack's readers is started: without a shell and a window, in the C locale, deaf. */
const OWNED = {
  stdin: 'ignore',
  env: { LC_ALL: 'C' },
  // A process group of its own lets a wrapper script be ended with its children; Windows has no such groups. It also
  // takes the program away from the terminal, so whatever ends this process has to end that one too.
  detached: process.platform !== 'win32',
  windowsHide: true,
  reject: false,
} satisfies Options;

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
 * Starts a program by its full path. It is ended with whatever it started when this process exits or dies of a signal
 * that can be caught, until it is released.
 */
export function startOwned<const O extends Options>(program: string, args: string[], options: O) {
  let pid: number | undefined;
  const end = () => {
    if (pid === undefined) return;
    try {
      process.kill(OWNED.detached ? -pid : pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  };
  endAllWithThisProcess();
  running.add(end);
  const child = execa(program, args, { ...OWNED, ...options });
  pid = child.pid;
  return { child, end, release: () => void running.delete(end) };
}
