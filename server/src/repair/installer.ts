/** The installers pip and uv, started without a shell. */
import { basename } from 'node:path';
import { execa } from 'execa';
import { Trouble } from '../files/trouble.ts';
import { nativeProgram } from '../stack/machine/started.ts';
import { type InstallerCall, programOf } from './installerCalls.ts';

/** @throws Trouble if the installer fails. */
export async function install(call: InstallerCall, python: string, stop: AbortSignal): Promise<void> {
  const [program = '', ...args] = programOf(call, python);
  const { exitCode, all, code } = await startQuietly(program, args, stop);
  if (code === 'ENOENT') throw new Trouble(`needs ${basename(program)}, which is not on PATH`);
  if (exitCode !== 0) throw new Trouble(`cannot be done: ${all.trim().split('\n').at(-1) ?? 'the installer failed'}`);
}

/** A download that is about to start. `bytes` are undefined if the installer and its index do not say. */
export interface Download {
  readonly packages: number;
  readonly bytes: number | undefined;
}

/**
 * Returns the download of a call at its most: uv may have some of it in its cache. Undefined if there is none, or the
 * installer does not know beforehand: pip downloads packages to find out.
 */
export async function downloadOf(
  call: InstallerCall,
  python: string,
  stop: AbortSignal,
): Promise<Download | undefined> {
  if (call.installer !== 'uv' || call.removes) return undefined;
  const [uv = '', pip = '', verb = '', ...rest] = programOf(call, python);
  const { all } = await startQuietly(uv, [pip, verb, '--dry-run', ...rest], stop);
  const packages = Number(/^Would download (\d+) packages?$/m.exec(all)?.[1] ?? 0);
  if (packages === 0) return undefined;
  const pins = [...all.matchAll(/^ \+ (\S+==\S+)$/gm)].map(([, pin = '']) => pin);
  return { packages, bytes: await bytesOf(pins, call, python, stop) };
}

/** Options that name an index: the words after them are its address or name. */
const INDEX = /^--(?:index-url|extra-index-url|index|default-index|find-links|torch-backend|index-strategy)$/;

/** The bytes of the wheels of exact versions, by their index; undefined if it does not list all sizes. */
async function bytesOf(
  pins: readonly string[],
  { words }: InstallerCall,
  python: string,
  stop: AbortSignal,
): Promise<number | undefined> {
  const indexes = words.filter((word, at) => INDEX.test(word) || INDEX.test(words[at - 1] ?? ''));
  const args = [
    'pip',
    'compile',
    '--quiet',
    '--no-deps',
    '--format',
    'pylock.toml',
    '--python',
    python,
    ...indexes,
    '-',
  ];
  const { all, exitCode } = await startQuietly('uv', args, stop, pins.join('\n'));
  const packages = exitCode === 0 ? all.split('[[packages]]').slice(1) : [];
  // A package may have several wheels that fit; the largest is the upper bound.
  const sizes = packages.map((text) => {
    const files = text.slice(Math.max(0, text.indexOf('wheels = ')));
    return Math.max(...[...files.matchAll(/\bsize = (\d+)/g)].map(([, size]) => Number(size)));
  });
  const sum = sizes.reduce((total, size) => total + size, 0);
  return packages.length === pins.length && Number.isFinite(sum) ? sum : undefined;
}

/** Starts a program without a terminal, and returns everything that it printed. */
export async function startQuietly(program: string, args: readonly string[], stop: AbortSignal, input?: string) {
  const { exitCode, all, code } = await execa(nativeProgram(program), args, {
    reject: false,
    ...(input === undefined ? { stdin: 'ignore' } : { input }),
    all: true,
    cancelSignal: stop,
  });
  stop.throwIfAborted();
  return { exitCode, all: all ?? '', code };
}
