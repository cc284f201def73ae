/** A copy of a Python environment, in which a remedy can be tried without changing the original. */
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import paths, { basename, dirname, join, type PlatformPath } from 'node:path';
import { Trouble } from '../files/trouble.ts';
import type { Interpreter } from '../stack/facts/facts.ts';
import { copyFolder } from './copyFolder.ts';
import { startQuietly } from './installer.ts';

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
  const isConda = environment === 'conda';
  await run(isConda ? cloning(prefix, folder) : [path, '-I', '-m', 'venv', '--without-pip', folder], signal);
  const libraries = await readdir(join(folder, 'lib')).catch(() => []);
  const copy = placesIn(folder, existsSync(join(folder, 'Scripts')) ? undefined : libraries);
  if (isConda) return copy;
  // As for Python, a package of an earlier folder hides one of the same name in a later folder.
  for (const packages of sitePackages) if (existsSync(packages)) await copyFolder(packages, copy.packages, signal);
  await copyScripts(dirname(path), copy);
  return copy;
}

/** The command that lets conda copy one of its environments. */
export function cloning(prefix: string, folder: string): readonly string[] {
  return ['conda', 'create', '--yes', '--quiet', '--prefix', folder, '--clone', prefix];
}

async function run([program = '', ...args]: readonly string[], signal: AbortSignal): Promise<void> {
  const { exitCode, all } = await startQuietly(program, args, signal);
  if (exitCode !== 0)
    throw new Trouble(`cannot be copied: ${all.trim().split('\n').at(-1) || `${program} did not start`}`);
}

/** Where an environment has its parts; `libraries` are the entries of its `lib`, which Windows does not have. */
export function placesIn(
  folder: string,
  libraries: readonly string[] | undefined,
  { join, delimiter }: Pick<PlatformPath, 'join' | 'delimiter'> = paths,
): EnvironmentCopy {
  const scripts = join(folder, libraries === undefined ? 'Scripts' : 'bin');
  const version = libraries?.find((name) => /^python3\.\d+t?$/.test(name)) ?? '';
  return {
    python: join(scripts, libraries === undefined ? 'python.exe' : 'python'),
    packages: join(folder, ...(libraries === undefined ? ['Lib'] : ['lib', version]), 'site-packages'),
    scripts,
    variables: { VIRTUAL_ENV: folder, PATH: `${scripts}${delimiter}${process.env.PATH ?? ''}` },
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
