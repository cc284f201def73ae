import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { execa } from 'execa';
import { root } from '../../scripts/root.ts';
import { findCommand } from '../../scripts/systemPackages.ts';

/** A virtual environment of this machine's Python, in which the named modules have the given source. */
export interface Environment {
  readonly folder: string;
  readonly python: string;
}

/** Creates one in `folder`, or in a temporary folder that is deleted after the test. */
export async function environmentWith(
  context: TestContext,
  modules: Readonly<Record<string, string>>,
  folder?: string,
): Promise<Environment> {
  const place = folder ?? path.join(await mkdtemp(path.join(tmpdir(), 'gpu-doctor-')), 'environment');
  context.after(() => rm(folder ?? path.dirname(place), { recursive: true, force: true }));
  await execa(systemPython(), ['-m', 'venv', '--without-pip', '--symlinks', place]);
  const python = path.join(place, 'bin', 'python');
  const question = 'import sysconfig; print(sysconfig.get_path("purelib"))';
  const { stdout: packages } = await execa(python, ['-c', question]);
  for (const [name, text] of Object.entries(modules)) {
    await mkdir(path.dirname(path.join(packages, name)), { recursive: true });
    await writeFile(path.join(packages, name), text);
  }
  return { folder: place, python };
}

/** The Python from which the tests create their environments. */
export function systemPython(): string {
  return findCommand('python3') ?? 'python3';
}

/**
 * Makes Python processes of this test see two GPUs, like the proof runs do: the CPU computes the results, but every
 * tensor knows the GPU that it would be on. `after` is Python code that runs after torch is imported.
 */
export async function pretendGpus(context: TestContext, after = ''): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-'));
  const sitecustomize = `import importlib.util, sys
sys.dont_write_bytecode = True
sys.path.append(${JSON.stringify(path.join(root, 'test', 'proof'))})
class Pretend:
    def find_spec(self, name, *rest):
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec("torch")
        load = spec.loader.exec_module
        def exec_module(module):
            load(module)
            __import__("pretended_gpus").pretend(2)
            torch = module
            ${after.replaceAll('\n', `\n${' '.repeat(12)}`)}
        spec.loader.exec_module = exec_module
        return spec
sys.meta_path.insert(0, Pretend())
`;
  await writeFile(path.join(folder, 'sitecustomize.py'), sitecustomize);
  process.env.PYTHONPATH = folder;
  context.after(async () => {
    delete process.env.PYTHONPATH;
    await rm(folder, { recursive: true, force: true });
  });
}
