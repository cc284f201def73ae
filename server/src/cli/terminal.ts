/** A terminal of our own for one stream of a program, by `script` of util-linux, as Node itself can make none. */
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { execa, execaSync } from 'execa';

export interface Terminal {
  /** The end that a program writes to, open until it is let go. */
  readonly end: number;
  /** Closes the end here, once the program has it. */
  letGo(): void;
  /** Takes on the size of the terminal here; `done` is called after that. */
  resize(done: () => void): void;
  /** After the last process has ended that writes to it: hands on what is left. */
  close(): Promise<void>;
}

/** Opens a terminal of the size of the one at standard error; what is written to it comes to `onOutput`. Undefined where the system cannot. */
export async function openTerminal(onOutput: (bytes: Buffer) => void): Promise<Terminal | undefined> {
  if (!hasScript()) return undefined;
  // Of its own session, so that signals of the terminal here do not end it.
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

/** Keeps line ends as they are, says which terminal it is, and stays until nobody is at the other end, however that ended. */
const HOLD = 'stty -opost $SIZE; tty >&3; exec cat <&3';

/** The size of the terminal here, as arguments of `stty`: without one, progress bars print nothing. */
function sizeHere(): string[] {
  const [columns = 0, rows = 0] = process.stderr.getWindowSize();
  return columns > 0 && rows > 0 ? ['cols', `${columns}`, 'rows', `${rows}`] : ['cols', '80', 'rows', '24'];
}

/** Only that of util-linux can be given a command with its options. */
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
