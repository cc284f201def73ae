/**
 * A pseudo-terminal for one stream of a program, created with `script` of util-linux, because Node cannot create one.
 */
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { execa, execaSync } from 'execa';

interface Terminal {
  /** The end to which a program writes, open until it is released. */
  readonly end: number;
  /** Closes this end after the program has it. */
  letGo(): void;
  /** Copies the size of this process's terminal, then calls `done`. */
  resize(done: () => void): void;
  /** Passes on the remaining output after the last process that writes to it has exited. */
  close(): Promise<void>;
}

/**
 * Opens a terminal with the size of the one at standard error and passes its output to `onOutput`. Undefined if the
 * system cannot.
 */
export async function openTerminal(onOutput: (bytes: Buffer) => void): Promise<Terminal | undefined> {
  if (!hasScript()) return undefined;
  // In a separate session, so that signals of this terminal do not end it.
  const holder = execa('script', ['--quiet', '--flush', '--command', HOLD, '/dev/null'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    env: { SHELL: '/bin/sh', SIZE: sizeHere().join(' ') },
    buffer: false,
    cleanup: false,
    reject: false,
  });
  const closed = holder.then(nothing);
  const line = (holder.stdio as readonly unknown[])[3] as Duplex;
  const path = await Promise.race([once(line, 'data').then(([bytes]) => `${bytes}`.trim(), nothing), closed]);
  const end = path === undefined ? undefined : tryOpen(path);
  holder.stdout?.on('data', onOutput);
  if (path === undefined || end === undefined) {
    line.end();
    return undefined;
  }
  return {
    end,
    letGo: () => closeSync(end),
    resize(done) {
      void execa('stty', ['-F', path, ...sizeHere()], { stdio: 'ignore', reject: false }).then(done);
    },
    async close() {
      line.end();
      await closed;
    },
  };
}

const nothing = () => undefined;

/** Keeps line endings, prints the terminal's name, and keeps running until the other end is closed in any way. */
const HOLD = 'stty -opost $SIZE; tty >&3; exec cat <&3';

/** The size of this terminal, as arguments of `stty`: without one, progress bars print nothing. */
function sizeHere(): string[] {
  const [columns = 0, rows = 0] = process.stderr.getWindowSize();
  return columns > 0 && rows > 0 ? ['cols', `${columns}`, 'rows', `${rows}`] : ['cols', '80', 'rows', '24'];
}

/** Only the version of util-linux accepts a command with its options. */
function hasScript(): boolean {
  if (process.platform !== 'linux') return false;
  return /util-linux/.test(execaSync('script', ['--version'], { reject: false }).stdout ?? '');
}

function tryOpen(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDWR | constants.O_NOCTTY);
  } catch {
    return undefined;
  }
}
