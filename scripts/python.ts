/** The Pythons of the tests: with real PyTorch and real Keras, as on a machine without a GPU, and with a real debugger. */
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

/** Paths of interpreters that import what they are named for. */
export interface Pythons {
  readonly torch: string;
  readonly keras: string;
}

/**
 * Finds or installs both: PyTorch from Debian where that has it, all else with pip into environments of their own in the
 * cache folder. The first time takes minutes.
 * @throws an error whose message says what is missing.
 */
export async function ensurePython(): Promise<Pythons> {
  if (canInstall()) await ensureSystemPackages([TORCH, VENV], 'The proof by running');
  const torch = (await hasTorch(SYSTEM_PYTHON)) ? SYSTEM_PYTHON : await environment('torch');
  return { torch, keras: await environment('keras') };
}

/** Finds or installs a Python with `debugpy`, the debugger that Python's extensions bring. @throws as above. */
export async function ensureDebugger(): Promise<string> {
  if (canInstall()) await ensureSystemPackages([VENV], 'The editor tests');
  return environment('debugpy');
}

/** Whether the PyTorch is there whose errors the programs state; from 2.6 on, others come first. */
async function hasTorch(python: string): Promise<boolean> {
  const question = 'from importlib.metadata import version; print(version("torch"))';
  const { stdout } = await execa(python, ['-c', question], { reject: false });
  return stdout?.startsWith('1.13.') ?? false;
}

/** The tests' folder with the requirements of an environment, and the minor versions of Python 3 that have wheels for them. */
const ENVIRONMENTS = {
  torch: { tests: 'proof', versions: [8, 11] },
  keras: { tests: 'proof', versions: [11, 13] },
  debugpy: { tests: 'editor', versions: [8, 14] },
} as const;

/** The interpreter of a virtual environment that has what its `requirements-NAME.txt` asks for. */
async function environment(name: keyof typeof ENVIRONMENTS): Promise<string> {
  const requirements = path.join(root, 'test', ENVIRONMENTS[name].tests, `requirements-${name}.txt`);
  const hash = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
    .slice(0, 16);
  const folder = path.join(cache, `python-${hash}`);
  const pythonIn = (place: string) => path.join(place, 'bin', 'python');
  if (existsSync(folder)) return pythonIn(folder);

  const python = await suitablePython(name);
  console.log(`Installing ${name} for the tests into ${folder}, which takes minutes the first time ...`);
  await mkdir(cache, { recursive: true });
  // Put in place whole, by a rename: an installation that was cut off is never taken for one.
  const unfinished = await mkdtemp(`${folder}.`);
  try {
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-input', '--disable-pip-version-check'];
    for (const [command, ...args] of [
      [python, '-m', 'venv', unfinished],
      [pythonIn(unfinished), ...pip, '--requirement', requirements],
    ] as [string, ...string[]][]) {
      const { failed, all } = await execa(command, args, { reject: false, all: true });
      const reason = all.trim().split('\n').at(-1);
      if (failed) throw new Error(`The tests could not have ${name} installed: ${reason}`);
    }
    await rename(unfinished, folder).catch((error) => {
      // Another process was faster.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return pythonIn(folder);
}

/** An interpreter that can make environments, of a version that the pinned requirements have wheels for. */
async function suitablePython(name: keyof typeof ENVIRONMENTS): Promise<string> {
  const [oldest, newest] = ENVIRONMENTS[name].versions;
  const question = `import sys, venv, ensurepip; sys.exit(not (3, ${oldest}) <= sys.version_info[:2] <= (3, ${newest}))`;
  const newestFirst = Array.from({ length: newest - oldest + 1 }, (_, n) => `python3.${newest - n}`);
  const known = ['python3', ...newestFirst].map((command) => findCommand(command));
  for (const python of [SYSTEM_PYTHON, ...known]) {
    if (python && !(await execa(python, ['-c', question], { reject: false })).failed) return python;
  }
  throw new Error(
    `The tests need a Python from 3.${oldest} to 3.${newest} with venv for ${name}: install one, on Debian and Ubuntu with \`sudo apt-get install python3-venv\`.`,
  );
}
