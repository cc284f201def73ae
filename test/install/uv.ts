import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { systemPython } from '../stack/environments.ts';

/** Installs uv into a new virtual environment beside pip, and returns its folder, which the caller removes. */
export async function environmentWithUv(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-uv-'));
  await execa(systemPython(), ['-m', 'venv', folder]);
  await execa(path.join(folder, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', 'uv']);
  return folder;
}
