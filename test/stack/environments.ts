import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { execa } from 'execa';
import { findCommand } from '../../scripts/systemPackages.ts';

/** A virtual environment of this machine's Python, in which the named modules hold that source text. */
export interface Environment {
  readonly folder: string;
  readonly python: string;
}

/** Makes one in `folder`, or in a temporary folder that is gone after the test. */
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

/** The Python that the tests' own environments are made of. */
export function systemPython(): string {
  return findCommand('python3') ?? 'python3';
}
