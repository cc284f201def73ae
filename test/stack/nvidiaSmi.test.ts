import assert from 'node:assert/strict';
import { normalize } from 'node:path';
import { test } from 'node:test';
import { isUnknown } from '../../server/src/stack/facts/facts.ts';
import { runCommand } from '../../server/src/stack/machine/command.ts';
import { type Machine, thisMachine } from '../../server/src/stack/machine/machine.ts';
import { parseRow, readNvidiaSmi } from '../../server/src/stack/readers/nvidiaSmi.ts';
import { ended, fakeNvidiaSmi, withinLimit, writtenPids } from './processes.ts';

const options = { skip: process.platform !== 'linux' && 'needs /proc', timeout: 120_000 };

function machineWith(folder: string, timeout = 60_000): Machine {
  return {
    ...thisMachine(),
    env: { PATH: folder },
    run: (program, args, options) => runCommand(program, args, { ...options, timeout }),
  };
}

test('an nvidia-smi that hangs is reported and leaves no process', options, async (context) => {
  await withinLimit(async (timeout) => {
    const folder = await fakeNvidiaSmi(context, 'echo $$ >> $HERE/pids; exec sleep 1000');
    const { gpus, driver, driverCuda } = await readNvidiaSmi(machineWith(folder, timeout));
    for (const fact of [gpus, driver, driverCuda]) assert.ok(isUnknown(fact) && fact.cause === 'timedOut');
    await Promise.all(writtenPids(folder).map(ended));
  });
});

test('text in another code page is not a list of GPUs', options, async (context) => {
  const folder = await fakeNvidiaSmi(context, "printf 'Zugriff verweigert \\204\\224\\201\\n\\377\\376'; exit 1");
  const { gpus } = await readNvidiaSmi(machineWith(folder));
  assert.ok(isUnknown(gpus) && gpus.cause === 'failed');
  assert.match(gpus.unknown, /exited with code 1 and "Zugriff verweigert/);
});

test('a query that works with a header that does not', options, async (context) => {
  const row = '0, GPU-5a1b2c3d-1111-2222-3333-444455556666, Tesla T4, 550.54.15, 15360, 0, 0, 7.5, [N/A]';
  const folder = await fakeNvidiaSmi(context, `case "$1" in --query*) echo '${row}';; *) exit 12;; esac`);
  const { gpus, driver, driverCuda } = await readNvidiaSmi(machineWith(folder));
  assert.ok('value' in gpus && gpus.value.length === 1);
  assert.ok('value' in driver && driver.value === '550.54.15');
  assert.ok(isUnknown(driverCuda));
});

test('a program of that name in the current folder is never run', async () => {
  const calls: string[] = [];
  const machine: Machine = {
    ...thisMachine(),
    env: { PATH: '.:bin:' },
    realPath: async (file) => file,
    run: async (program) => {
      calls.push(program);
      return { stdout: '', stderr: '', exitCode: 9 };
    },
  };
  await readNvidiaSmi({ ...machine, platform: 'linux' });
  assert.deepEqual(new Set(calls), new Set([normalize('/usr/bin/nvidia-smi')]));
});

test('rows of real drivers', () => {
  const lost = parseRow(
    '3, GPU-1, NVIDIA A100-SXM4-80GB, 550.54.15, [GPU is lost], [GPU is lost], [N/A], 8.0, Disabled',
  );
  assert.deepEqual(lost?.gpu, {
    index: 3,
    name: 'NVIDIA A100-SXM4-80GB',
    uuid: 'GPU-1',
    memoryTotal: null,
    memoryUsed: null,
    utilization: null,
    computeCapability: '8.0',
    mig: false,
    migInstances: [],
  });
  assert.equal(parseRow('0, GPU-1, Tesla K80, 470.256.02, 11441, 0, 0\r')?.gpu.computeCapability, '3.7');
  for (const line of ['', 'index, uuid, name, driver_version, a, b, c', '0, 1, 2', 'x, , , , , , , , ']) {
    assert.equal(parseRow(line), undefined, line);
  }
});
