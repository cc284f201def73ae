/** Python environments for the tests: with PyTorch and Keras as on a machine without a GPU, and with a debugger. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { root } from './root.ts';
import { canInstall, ensureSystemPackages, findCommand, type SystemPackage } from './systemPackages.ts';

const SYSTEM_PYTHON = '/usr/bin/python3';

const TORCH: SystemPackage = { commands: [], modules: ['torch'], debian: 'python3-torch' };
const VENV: SystemPackage = { commands: ['python3'], modules: ['ensurepip'], debian: 'python3-venv' };

const cache = path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'gpu-doctor');

/** Paths of interpreters, each of which can import the package it is named after. */
export interface Pythons {
  readonly torch: string;
  readonly keras: string;
}

/**
 * Finds or installs both: PyTorch from Debian if available, everything else with pip into virtual environments in the
 * cache folder. The first run takes minutes.
 * @throws an error whose message names what is missing.
 */
export async function ensurePython(): Promise<Pythons> {
  if (canInstall()) await ensureSystemPackages([TORCH, VENV], 'the proof tests');
  const torch = (await hasTorch(SYSTEM_PYTHON)) ? SYSTEM_PYTHON : await environment('torch');
  return { torch, keras: await environment('keras') };
}

/** Finds or installs a Python with `debugpy`, the debugger of VS Code's Python extensions. @throws as above. */
export async function ensureDebugger(): Promise<string> {
  if (canInstall()) await ensureSystemPackages([VENV], 'the editor tests');
  return environment('debugpy');
}

/** True if this is the PyTorch whose errors the test programs expect; releases from 2.6 on raise others first. */
async function hasTorch(python: string): Promise<boolean> {
  const question = 'from importlib.metadata import version; print(version("torch"))';
  const { stdout } = await execa(python, ['-c', question], { reject: false });
  return stdout?.startsWith('1.13.') ?? false;
}

/**
 * The folders with the requirements of each environment, and the minor versions of Python 3 that have wheels for them.
 */
const ENVIRONMENTS = {
  torch: { tests: 'proof', versions: [8, 11] },
  keras: { tests: 'proof', versions: [11, 13] },
  debugpy: { tests: 'editor', versions: [8, 14] },
} as const;

/** Returns the interpreter of a virtual environment with the packages of its `requirements-NAME.txt`. */
async function environment(name: keyof typeof ENVIRONMENTS): Promise<string> {
  const requirements = path.join(root, 'test', ENVIRONMENTS[name].tests, `requirements-${name}.txt`);
  const hash = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
    .slice(0, 16);
  const folder = path.join(cache, `python-${hash}`);
  const pythonIn = (place: string) => path.join(place, 'bin', 'python');
  if (existsSync(folder)) return pythonIn(folder);

  const python = await findPython(name);
  console.log(`Installing ${name} for the tests into ${folder} (takes minutes the first time) ...`);
  await mkdir(cache, { recursive: true });
  // The finished environment is renamed into place, so an interrupted installation is never used.
  const unfinished = await mkdtemp(`${folder}.`);
  try {
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-input', '--disable-pip-version-check'];
    for (const [command, ...args] of [
      [python, '-m', 'venv', unfinished],
      [pythonIn(unfinished), ...pip, '--requirement', requirements],
    ] as [string, ...string[]][]) {
      const { failed, all } = await execa(command, args, { reject: false, all: true });
      const reason = all.trim().split('\n').at(-1);
      if (failed) throw new Error(`Could not install ${name} for the tests: ${reason}`);
    }
    await rename(unfinished, folder).catch((error) => {
      // Another process finished first.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return pythonIn(folder);
}

/** Returns an interpreter with `venv`, in a version for which the pinned requirements have wheels. */
async function findPython(name: keyof typeof ENVIRONMENTS): Promise<string> {
  const [oldest, newest] = ENVIRONMENTS[name].versions;
  const question = `import sys, venv, ensurepip; sys.exit(not (3, ${oldest}) <= sys.version_info[:2] <= (3, ${newest}))`;
  const newestFirst = Array.from({ length: newest - oldest + 1 }, (_, n) => `python3.${newest - n}`);
  const known = ['python3', ...newestFirst].map((command) => findCommand(command));
  for (const python of [SYSTEM_PYTHON, ...known]) {
    if (python && !(await execa(python, ['-c', question], { reject: false })).failed) return python;
  }
  throw new Error(
    `The tests need Python 3.${oldest} to 3.${newest} with venv for ${name}. On Debian and Ubuntu: \`sudo apt-get install python3-venv\`.`,
  );
}
