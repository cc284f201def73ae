/**
 * Measures the stack read-out: from the request to the first and to the last facts, over JSON-RPC with a fresh server
 * process each time, on this machine and in an environment of many packages with an nvidia-smi that answers at once.
 * The bounds are the project's own; they are printed, not enforced, because machines differ.
 */
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { STACK_CHANGED, type StackChanged, type StackScope, WATCH_STACK } from '../../server/src/protocol.ts';
import { startClient } from '../lsp/client.ts';
import { sized } from './size.ts';

/** The released server. */
const SERVER = fileURLToPath(new URL('../../dist/server.js', import.meta.url));
const RECORDED = fileURLToPath(new URL('../stack/machines/rtx3090-cu124', import.meta.url));
const ROUNDS = sized(15, 1);
const PACKAGES = sized(500, 5);
/** Milliseconds. */
const BOUNDS = { first: 100, full: 1000 };

async function readOnce(scope: StackScope, env: NodeJS.ProcessEnv): Promise<{ first: number; full: number }> {
  const cleanups: (() => void)[] = [];
  const client = await startClient(
    { after: (hook) => void cleanups.push(hook) },
    { command: [SERVER, '--stdio'], env },
  );
  const start = performance.now();
  const times = await new Promise<{ first: number; full: number }>((resolve) => {
    let first: number | undefined;
    client.connection.onNotification(STACK_CHANGED, ({ text, state }: StackChanged) => {
      // The first notification comes before anything is known.
      if (text !== 'GPU …') first ??= performance.now() - start;
      if (first !== undefined && state !== 'probing') resolve({ first, full: performance.now() - start });
    });
    void client.connection.sendNotification(WATCH_STACK, scope);
  });
  await client.stop();
  for (const cleanup of cleanups) cleanup();
  return times;
}

async function time(name: string, scope: StackScope, env: NodeJS.ProcessEnv = {}): Promise<void> {
  const rounds: { first: number; full: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await readOnce(scope, env));
  for (const what of ['first', 'full'] as const) {
    const times = rounds.map((round) => round[what]).sort((a, b) => a - b);
    const median = times[Math.floor(times.length / 2)] ?? 0;
    const worst = times.at(-1) ?? 0;
    const label = `${name}, ${what === 'first' ? 'first facts' : 'all'}`;
    console.log(
      `${label.padEnd(34)} median ${median.toFixed(0).padStart(4)} ms   worst ${worst.toFixed(0).padStart(4)} ms   ` +
        `bound median ${BOUNDS[what]} ms: ${median <= BOUNDS[what] ? 'met' : 'MISSED'}`,
    );
  }
}

/** A workspace with an environment of many packages, and a folder with an nvidia-smi that prints recorded output. */
async function manyPackages(root: string): Promise<{ scope: StackScope; env: NodeJS.ProcessEnv }> {
  const environment = path.join(root, '.venv');
  const packages = path.join(environment, 'lib', 'python3.12', 'site-packages');
  const write = async (file: string, text: string) => {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  await write(path.join(environment, 'pyvenv.cfg'), 'home = /usr/bin\nversion = 3.12.3\n');
  await mkdir(path.join(environment, 'bin'));
  await symlink('/usr/bin/python3', path.join(environment, 'bin', 'python'));
  const numbered = Array.from({ length: PACKAGES }, (_, at) => `package_${at}-1.${at}.0`);
  for (const name of [...numbered, 'torch-2.5.1', 'nvidia_cudnn_cu12-9.1.0.70', 'keras-3.6.0']) {
    await write(path.join(packages, `${name}.dist-info`, 'METADATA'), 'Metadata-Version: 2.1\n'.repeat(200));
    await write(path.join(packages, `${name}.dist-info`, 'INSTALLER'), 'pip\n');
    await write(path.join(packages, name.split('-')[0] ?? name, '__init__.py'), '');
  }
  await write(path.join(packages, 'torch', 'version.py'), "__version__ = '2.5.1+cu124'\ncuda = '12.4'\n");
  const program = path.join(root, 'bin', 'nvidia-smi');
  const answers = `case "$1" in --query*) cat '${RECORDED}/nvidia-smi.csv';; *) cat '${RECORDED}/nvidia-smi.txt';; esac`;
  await write(program, `#!/bin/sh\n${answers}\n`);
  await chmod(program, 0o755);
  const PATH = `${path.dirname(program)}:${process.env.PATH}`;
  return { scope: { folders: [root], trusted: true }, env: { PATH } };
}

await time('this machine', { folders: [process.cwd()], trusted: true });
if (process.platform !== 'win32') {
  const root = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-'));
  const { scope, env } = await manyPackages(root);
  await time(`${PACKAGES} packages`, scope, env);
  await rm(root, { recursive: true });
}
