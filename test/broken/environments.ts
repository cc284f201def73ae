/** Makes and restores broken environments: folders of their own, installed from PyPI with uv and its cache. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';

/** An environment in which a program fails, as `environments.yaml` declares it. */
export interface BrokenEnvironment {
  readonly id: string;
  /** The minor version of Python. */
  readonly python: string;
  /** The folder of the environment; `.venv` by default. */
  readonly folder?: string;
  /** True if the environment has its own pip; one made by uv has none. */
  readonly pip?: true;
  /** Arguments of one installation each, in order. */
  readonly install: readonly string[];
  readonly uninstall?: readonly string[];
  /** Shell commands that break it further. `$SITE` is its folder of packages. */
  readonly then?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly program: string;
  /** A regular expression that the end of the program's output matches. */
  readonly fails: string;
  /** A regular expression that the cause named first matches. */
  readonly cause: string;
  /** Commands that repair it, `$PYTHON` and `$SITE` being its own; checked with `--repairs`. */
  readonly repair: readonly string[];
  /** Modules whose import must not stop working. */
  readonly others?: readonly string[];
  /** True if the right step installs CUDA libraries, because the installed build needs them. */
  readonly cuda?: true;
}

/** The folder that keeps the environments; it shares a file system with uv's cache, whose files it links. */
const HOME = process.env.GPU_DOCTOR_BROKEN ?? path.join(tmpdir(), 'gpu-doctor-broken');

export async function declaredEnvironments(): Promise<BrokenEnvironment[]> {
  return parse(await readFile(path.join(import.meta.dirname, 'environments.yaml'), 'utf8'));
}

export interface Result {
  readonly status: number;
  readonly output: string;
}

/** Runs a shell command in a folder, and returns its status and everything that it printed. */
export function shell(command: string, cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Result> {
  return new Promise((resolve) => {
    execFile(
      '/bin/sh',
      ['-c', command],
      { cwd, env: { ...process.env, ...env }, maxBuffer: 2 ** 26, timeout: 20 * 60_000 },
      (error, stdout, stderr) =>
        resolve({ status: error === null ? 0 : Number(error.code) || 1, output: stdout + stderr }),
    );
  });
}

/** Where an environment's project, its Python and its packages are. */
export interface Placed {
  readonly project: string;
  /** The copy that stays as it was made. */
  readonly kept: string;
  readonly python: string;
  readonly env: NodeJS.ProcessEnv;
}

export function placeOfEnvironment({ id, python, folder = '.venv', variables }: BrokenEnvironment): Placed {
  const project = path.join(HOME, 'work', id);
  const program = path.join(project, folder, 'bin', 'python');
  const site = path.join(project, folder, 'lib', `python${python}`, 'site-packages');
  return {
    project,
    kept: path.join(HOME, 'made', id),
    python: program,
    env: { PYTHON: program, SITE: site, ...variables },
  };
}

/**
 * Brings a fresh copy of an environment: made once, then restored from a copy whose files are links. The folder is the
 * same each time, because scripts in an environment contain its path.
 */
export async function freshEnvironment(declared: BrokenEnvironment): Promise<Placed> {
  const placed = placeOfEnvironment(declared);
  const { kept } = placed;
  const recipe = JSON.stringify([
    declared.python,
    declared.folder,
    declared.pip,
    declared.install,
    declared.uninstall,
    declared.then,
  ]);
  const isMade = existsSync(kept) && (await readFile(path.join(kept, '.recipe'), 'utf8')) === recipe;
  if (!isMade) {
    await Promise.all([kept, `${kept}.json`].map((each) => rm(each, { recursive: true, force: true })));
    await make(declared, placed);
    await writeFile(path.join(placed.project, '.recipe'), recipe);
    await copyOfLinks(placed.project, kept);
  } else await copyOfLinks(kept, placed.project);
  await writeFile(path.join(placed.project, 'prog.py'), declared.program);
  return placed;
}

async function copyOfLinks(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await mkdir(path.dirname(to), { recursive: true });
  const { status } = await shell(`cp -al ${JSON.stringify(from)} ${JSON.stringify(to)}`, '/');
  // File systems without links.
  if (status !== 0) await cp(from, to, { recursive: true, verbatimSymlinks: true });
}

async function make(declared: BrokenEnvironment, { project, env }: Placed): Promise<void> {
  const { python, folder = '.venv', pip, install, uninstall, then = [] } = declared;
  await rm(project, { recursive: true, force: true });
  await mkdir(project, { recursive: true });
  const installer = pip ? '"$PYTHON" -m pip install --quiet' : 'uv pip install --quiet --python "$PYTHON"';
  const commands = [
    `uv venv --quiet ${pip ? '--seed ' : ''}--python ${pythonOf(python)} ${folder}`,
    ...install.map((each) => `${installer} ${each}`),
    ...(uninstall ? [`uv pip uninstall --quiet --python "$PYTHON" ${uninstall.join(' ')}`] : []),
    ...then,
  ];
  for (const command of commands) {
    const { status, output } = await shell(command, project, env);
    if (status !== 0) throw new Error(`${declared.id} was not made: ${command}\n${output}`);
  }
}

/** A Python of a minor version: on PATH, among pyenv's, or for uv to find. */
function pythonOf(minor: string): string {
  const name = `python${minor}`;
  const onPath = (process.env.PATH ?? '').split(path.delimiter).filter((each) => !each.endsWith('shims'));
  const versions = path.join(process.env.PYENV_ROOT ?? path.join(homedir(), '.pyenv'), 'versions');
  const ofPyenv = existsSync(versions) ? readdirSync(versions).map((each) => path.join(versions, each, 'bin')) : [];
  return [...onPath, ...ofPyenv].map((each) => path.join(each, name)).find((each) => existsSync(each)) ?? minor;
}
