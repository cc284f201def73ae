import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import {
  followReadings,
  type GpuReading,
  parseReading,
  type ReadingsLimits,
} from '../../server/src/stack/live/liveReadings.ts';
import { ended, fakeNvidiaSmi, withinLimit, writtenPids } from './processes.ts';

/** Real shell processes; their exit is checked in /proc. */
const options = { skip: process.platform !== 'linux' && 'needs /proc', timeout: 120_000 };

/** Limits that a program does not reach by being slow to start or rarely scheduled. */
const LIMITS: ReadingsLimits = { tick: 20, silence: 3000, flood: 16 * 1024, pause: 1, attempts: 3, proof: 1000 };

/** Two GPUs with growing memory use, printed as by `--loop`, without waiting between rounds. */
const GROWING = `used=1000
while :; do
  used=$((used + 1))
  printf '0, GPU-aa, %d, 24576, 37\\n1, GPU-bb, 500, 24576, [N/A]\\n' $used
  sleep 0.02
done`;

/** Follows a fake nvidia-smi until the test ends. Each start of it writes its process id first. */
async function follow(context: TestContext, script: string, limits: Partial<ReadingsLimits> = {}) {
  const folder = await fakeNvidiaSmi(context, `echo $$ >> $HERE/pids\n${script}`);
  const controller = new AbortController();
  context.after(() => controller.abort());
  const received: GpuReading[][] = [];
  const reasons: string[] = [];
  let look = () => {};
  const listener = {
    onReadings: (readings: GpuReading[]) => {
      received.push(readings);
      look();
    },
    onGivenUp: (reason: string) => void reasons.push(reason),
  };
  const program = path.join(folder, 'nvidia-smi');
  const done = followReadings(program, listener, controller.signal, { ...LIMITS, ...limits });
  const readings = (count: number) =>
    new Promise<void>((resolve) => {
      look = () => received.length >= count && resolve();
      look();
    });
  return { folder, told: received, reasons, done, readings, stop: () => controller.abort() };
}

test('readings follow one process, which ends when there are no subscribers', options, async (context) => {
  const { folder, told, reasons, done, readings, stop } = await follow(context, GROWING);
  await readings(3);
  stop();
  await done;
  const pids = writtenPids(folder);
  assert.equal(pids.length, 1);
  await Promise.all(pids.map(ended));
  assert.deepEqual(reasons, []);
  for (const [first, second, ...others] of told) {
    assert.deepEqual({ ...first, memoryUsed: 0 }, reading({ index: 0, uuid: 'GPU-aa', utilization: 37 }));
    assert.deepEqual(second, reading({ index: 1, uuid: 'GPU-bb', memoryUsed: 500 }));
    assert.deepEqual(others, []);
  }
  const used = told.map(([first]) => first?.memoryUsed ?? 0);
  assert.deepEqual(
    used,
    [...new Set(used)].sort((left, right) => left - right),
  );
});

test('unchanged readings are reported once', options, async (context) => {
  const script = 'while :; do echo "0, GPU-aa, 1, 2, 3"; echo round >> $HERE/rounds; sleep 0.01; done';
  const { folder, told, readings } = await follow(context, script, { tick: 5 });
  await readings(1);
  const rounds = () => statSync(path.join(folder, 'rounds'), { throwIfNoEntry: false })?.size ?? 0;
  const before = rounds();
  while (rounds() < before + 200) await setImmediate();
  assert.deepEqual(told, [[reading({ index: 0, uuid: 'GPU-aa', memoryUsed: 1, memoryTotal: 2, utilization: 3 })]]);
});

test('a process that ends is restarted', options, async (context) => {
  const script = `[ "$(wc -l < $HERE/pids)" -lt 3 ] && exit 1\n${GROWING}`;
  const { folder, reasons, readings } = await follow(context, script);
  await readings(1);
  assert.equal(writtenPids(folder).length, 3);
  assert.deepEqual(reasons, []);
});

test('a process that keeps ending is given up, with the reason', options, async (context) => {
  const script = 'echo "Failed to initialize NVML: Driver/library version mismatch"; exit 18';
  const { folder, told, reasons, done } = await follow(context, script);
  await done;
  assert.equal(writtenPids(folder).length, 3);
  assert.deepEqual(told, []);
  assert.equal(reasons.length, 1);
  assert.match(reasons[0] ?? '', /libraries and the loaded kernel module are of different versions/);
});

for (const [what, script, reason] of [
  ['hangs after its first line', 'echo "0, GPU-aa, 1, 2, 3"; sleep 1000', /stopped answering/],
  ['hangs and ignores polite signals', "trap '' TERM INT HUP PIPE; sleep 1000", /stopped answering/],
  ['prints endlessly', 'yes "0, GPU-aa, 1, 2, 3"', /produced endless output/],
  ['prints one endless line', 'yes | tr -d "\\n"', /produced endless output/],
  ['prints another code page', 'while :; do printf "0\\0,\\0\\377\\n\\204\\n"; sleep 0.01; done', /stopped answering/],
] as const) {
  test(`a process that ${what} is stopped and given up`, options, async (context) => {
    await withinLimit(async (limit) => {
      const { folder, told, reasons, done } = await follow(context, script, { silence: limit / LIMITS.tick });
      await done;
      const pids = writtenPids(folder);
      assert.equal(pids.length, 3);
      await Promise.all(pids.map(ended));
      assert.equal(reasons.length, 1);
      assert.match(reasons[0] ?? '', reason);
      assert.ok(told.length <= 3);
    });
  });
}

test('a missing program is given up', options, async () => {
  const reasons: string[] = [];
  const listener = { onReadings: () => assert.fail(), onGivenUp: (reason: string) => void reasons.push(reason) };
  await followReadings('/nonexistent/nvidia-smi', listener, new AbortController().signal, LIMITS);
  assert.deepEqual(reasons, ['nvidia-smi not found']);
});

test('it ends with the process that follows it, even if that is killed', options, async (context) => {
  const folder = await fakeNvidiaSmi(context, `echo $$ >> $HERE/pids\n${GROWING}`);
  const module = new URL('../../server/src/stack/live/liveReadings.ts', import.meta.url);
  const script = `import { followReadings } from '${module}';
    const listener = { onReadings() { process.stdout.write('read'); }, onGivenUp() {} };
    await followReadings('${folder}/nvidia-smi', listener, new AbortController().signal);`;
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await new Promise((resolve) => parent.stdout.once('data', resolve));
  parent.kill('SIGKILL');
  const pids = writtenPids(folder);
  assert.equal(pids.length, 1);
  await Promise.all(pids.map(ended));
});

test('a line is parsed as nvidia-smi prints it, including missing values', () => {
  const whole = reading({ index: 3, uuid: 'GPU-cc', memoryUsed: 81, memoryTotal: 81559, utilization: 100 });
  assert.deepEqual(parseReading('3, GPU-cc, 81, 81559, 100\r'), whole);
  const missing = { index: 0, uuid: 'GPU-dd', memoryUsed: null, memoryTotal: null, utilization: null };
  assert.deepEqual(parseReading('0, GPU-dd, [N/A], [Not Supported], [Unknown Error]'), missing);
  for (const line of ['', 'No devices were found', '0, GPU-dd, 1, 2', '0, GPU-dd, 1, 2, 3, 4', 'x, GPU-dd, 1, 2, 3'])
    assert.equal(parseReading(line), undefined, line);
});

function reading(known: Partial<GpuReading>): GpuReading {
  return { index: 0, uuid: null, memoryUsed: 0, memoryTotal: 24576, utilization: null, ...known };
}
