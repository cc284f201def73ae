/** A copy of a Python environment, in which a remedy can be tried without changing the original. */
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { execa } from 'execa';
import { Trouble } from '../files/trouble.ts';
import type { Interpreter } from '../stack/facts/facts.ts';
import { nativeProgram } from '../stack/machine/started.ts';
import { copyFolder } from './copyFolder.ts';

export interface EnvironmentCopy {
  readonly python: string;
  /** The folder with its packages, to which installers write. */
  readonly packages: string;
  /** The folder with its programs. */
  readonly scripts: string;
  /** The environment variables of programs that run in it. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Scripts are short; anything larger is a binary. */
const MAX_SCRIPT_BYTES = 2 ** 16;

/**
 * Copies an environment into a folder: a virtual environment of the same Python, with the same files of packages. Files
 * are copied rather than packages installed again, so that a broken or edited package is as broken in the copy, and
 * nothing is downloaded. Conda copies its own environments.
 *
 * @throws Trouble if the environment cannot be copied.
 */
export async function copyEnvironment(
  { path, prefix, environment, sitePackages }: Interpreter,
  folder: string,
  signal: AbortSignal,
): Promise<EnvironmentCopy> {
  await mkdir(dirname(folder), { recursive: true });
  if (environment === 'conda') {
    await start('conda', ['create', '--yes', '--quiet', '--prefix', folder, '--clone', prefix], signal);
    return placesIn(folder);
  }
  await start(path, ['-I', '-m', 'venv', '--without-pip', folder], signal);
  const copy = await placesIn(folder);
  // As for Python, a package of an earlier folder hides one of the same name in a later folder.
  for (const packages of sitePackages) if (existsSync(packages)) await copyFolder(packages, copy.packages, signal);
  await copyScripts(dirname(path), copy);
  return copy;
}

async function start(program: string, args: readonly string[], signal: AbortSignal): Promise<void> {
  const options = { reject: false, stdin: 'ignore', all: true, cancelSignal: signal } as const;
  const { exitCode, all } = await execa(nativeProgram(program), args, options);
  signal.throwIfAborted();
  if (exitCode !== 0) throw new Trouble(`cannot be copied: ${lastLine(all) || `${program} did not start`}`);
}

const lastLine = (text: string | undefined) => text?.trim().split('\n').at(-1) ?? '';

async function placesIn(folder: string): Promise<EnvironmentCopy> {
  const isWindows = existsSync(join(folder, 'Scripts'));
  const scripts = isWindows ? join(folder, 'Scripts') : join(folder, 'bin');
  const python = isWindows ? join(scripts, 'python.exe') : join(scripts, 'python');
  const versions = isWindows ? [] : await readdir(join(folder, 'lib'));
  const [version = ''] = versions.filter((name) => /^python3\.\d+t?$/.test(name));
  const packages = isWindows ? join(folder, 'Lib', 'site-packages') : join(folder, 'lib', version, 'site-packages');
  return {
    python,
    packages,
    scripts,
    variables: { VIRTUAL_ENV: folder, PATH: `${scripts}${isWindows ? ';' : ':'}${process.env.PATH ?? ''}` },
  };
}

/** Copies the scripts that the original Python runs, such as `torchrun`, for the copied Python. */
async function copyScripts(from: string, { scripts, python }: EnvironmentCopy): Promise<void> {
  for (const name of await readdir(from)) {
    const [source, target] = [join(from, name), join(scripts, name)];
    if (existsSync(target)) continue;
    const entry = await stat(source).catch(() => undefined);
    if (!entry?.isFile() || entry.size > MAX_SCRIPT_BYTES) continue;
    const text = await readFile(source, 'latin1');
    const [line, interpreter = ''] = /^#!([^\n]*)\n/.exec(text) ?? [];
    if (line === undefined || dirname(interpreter.trim()) !== from || !/^python/.test(basename(interpreter.trim())))
      continue;
    await writeFile(target, `#!${python}\n${text.slice(line.length)}`, 'latin1');
    await chmod(target, 0o755);
  }
}
