/** Without a GPU, the GPU tests report what is missing and do not fail. */
import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { execa } from 'execa';
import { findGpu } from './findGpu.ts';

const options = { skip: process.platform === 'win32' && 'starts a script of a POSIX shell' };

/** A fake Python that finds itself and answers `machine.py` with the text. */
const pythonThatSays = (answer: string) => `#!/bin/sh
if [ "$1" = -c ]; then echo "$0"; exit; fi
${answer}
`;

for (const { name, answer, reason } of [
  { name: 'no PyTorch', answer: 'exit 1', reason: /has no PyTorch that can be imported\.$/ },
  {
    name: 'a PyTorch for the CPU',
    answer: `echo '{"torch": "2.9.0+cpu", "cuda": null, "devices": []}'`,
    reason: /the PyTorch 2\.9\.0\+cpu of \S+ sees no NVIDIA GPU\.$/,
  },
])
  test(`with ${name}, the suite is skipped`, options, async (t) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const python = path.join(folder, 'python');
    await writeFile(python, pythonThatSays(answer));
    await chmod(python, 0o755);
    const { GPU_DOCTOR_TEST_PYTHON } = process.env;
    process.env.GPU_DOCTOR_TEST_PYTHON = python;
    t.after(() => {
      if (GPU_DOCTOR_TEST_PYTHON === undefined) delete process.env.GPU_DOCTOR_TEST_PYTHON;
      else process.env.GPU_DOCTOR_TEST_PYTHON = GPU_DOCTOR_TEST_PYTHON;
    });
    const found = await findGpu();
    assert.ok('reason' in found);
    assert.match(found.reason, reason);
    const env = { NODE_TEST_CONTEXT: undefined };
    const file = path.join(import.meta.dirname, 'gpu.test.ts');
    const { exitCode, stdout } = await execa(process.execPath, ['--test', file], { env, reject: false });
    assert.equal(exitCode, 0, stdout);
    assert.ok(stdout.includes(found.reason), stdout);
  });
