import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import {
  LOAD_CHANGED,
  REFRESH_STACK,
  REPAIR_STACK,
  SHAREABLE_STACK,
  STACK_CHANGED,
  STACK_MENU,
  type StackChanged,
  type StackMenu,
  WATCH_LOAD,
  WATCH_STACK,
} from '../../server/src/protocol.ts';
import { ended, fakeNvidiaSmi, writtenPids } from '../stack/processes.ts';
import { startClient } from './client.ts';

/** Real shell processes; their exit is checked in /proc. */
const options = { skip: process.platform !== 'linux' && 'needs /proc', timeout: 180_000 };

/** A fake RTX 3090. When followed, it writes its process id and fills its memory. */
const RTX_3090 = `case "$*" in
*--loop*) echo $$ >> $HERE/pids; used=1024
  while :; do echo "0, GPU-aa, $used, 24576, 40"; used=$((used + 512)); /bin/sleep 0.2; done ;;
--query-gpu*) echo '0, GPU-aa, NVIDIA GeForce RTX 3090, 580.95.05, 24576, 300, 0, 8.6, [N/A]' ;;
*) echo '| NVIDIA-SMI 580.95.05   Driver Version: 580.95.05   CUDA Version: 13.0 |' ;;
esac`;

async function startOn(t: TestContext, nvidiaSmi: string) {
  const folder = await fakeNvidiaSmi(t, nvidiaSmi);
  const told: StackChanged[] = [];
  const repeated: StackChanged[] = [];
  const texts: string[] = [];
  let look = () => {};
  const client = await startClient(t, {
    // Only this folder: no Python or nvidia-smi of the machine that runs the test.
    env: { PATH: folder, HOME: folder, VIRTUAL_ENV: '', CONDA_PREFIX: '' },
    prepare(connection) {
      for (const method of [STACK_CHANGED, LOAD_CHANGED])
        connection.onNotification(method, (news: StackChanged) => {
          if (method === LOAD_CHANGED && isDeepStrictEqual(news, told.at(-1))) repeated.push(news);
          told.push(news);
          texts.push(news.text);
          look();
        });
    },
  });
  const next = (wanted: (news: StackChanged) => boolean) =>
    new Promise<StackChanged>((resolve) => {
      const from = told.length;
      look = () => {
        const found = told.slice(from).find(wanted);
        if (found) resolve(found);
      };
    });
  const watchStack = () => client.connection.sendNotification(WATCH_STACK, { folders: [folder], trusted: false });
  const watchLoad = (watched: boolean) => client.connection.sendNotification(WATCH_LOAD, { watched });
  const pids = () => (statSync(path.join(folder, 'pids'), { throwIfNoEntry: false }) ? writtenPids(folder) : []);
  return { folder, client, repeated, texts, next, watchStack, watchLoad, pids };
}

test('one nvidia-smi follows the load while there are subscribers', options, async (t) => {
  const { client, repeated, next, watchStack, watchLoad, pids } = await startOn(t, RTX_3090);
  const known = next(({ state }) => state === 'healthy');
  await watchStack();
  assert.equal((await known).load, null);
  assert.deepEqual(pids(), []);

  const busy = next(({ load }) => load !== null);
  await watchLoad(true);
  const { load, tooltip } = await busy;
  const [, used = ''] = /^.40 % · .(\d\.\d)\/24\.0 GiB$/.exec(load ?? '') ?? [];
  assert.ok(tooltip.includes(`${used} of 24.0 GiB`), tooltip);
  await next((news) => news.load !== null && news.load !== load);
  assert.equal(pids().length, 1);

  const blurred = next((news) => news.load === null);
  await watchLoad(false);
  await blurred;
  await Promise.all(pids().map(ended));

  const again = next((news) => news.load !== null);
  await watchLoad(true);
  await again;
  assert.equal(pids().length, 2);
  // Values that look the same are not reported twice.
  assert.deepEqual(repeated, []);
  assert.equal(await client.stop(), 0);
  await Promise.all(pids().map(ended));
});

test('known GPU facts stay visible while another Python is read', options, async (t) => {
  const { client, folder, next, texts, watchStack } = await startOn(t, RTX_3090);
  const known = next(({ state }) => state === 'healthy');
  await watchStack();
  await known;
  texts.length = 0;
  const other = next(({ text }) => text === 'RTX 3090 · torch 2.9.0+cpu');
  const interpreter = await environmentForCpu(folder);
  await client.connection.sendNotification(WATCH_STACK, { interpreter, folders: [], trusted: false });
  await other;
  for (const text of texts) assert.match(text, /^RTX 3090/);
});

test('quick subscription changes never leave two processes', options, async (t) => {
  const { next, watchStack, watchLoad, pids } = await startOn(t, RTX_3090);
  const known = next(({ state }) => state === 'healthy');
  await watchStack();
  await known;
  const followed = next(({ load }) => load !== null);
  for (let times = 0; times < 5; times++) {
    await watchLoad(true);
    await watchLoad(false);
  }
  await watchLoad(true);
  await followed;
  const [running, ...others] = pids().reverse();
  await Promise.all(others.map(ended));
  process.kill(running ?? 0, 0);
});

test('a killed server leaves no processes', options, async (t) => {
  const { client, next, watchStack, watchLoad, pids } = await startOn(t, RTX_3090);
  const followed = next(({ load }) => load !== null);
  await watchStack();
  await watchLoad(true);
  await followed;
  client.process.kill('SIGKILL');
  await Promise.all(pids().map(ended));
});

test('without a GPU, nothing is followed', options, async (t) => {
  const { client, folder, next, watchStack, watchLoad } = await startOn(
    t,
    'echo "$*" >> $HERE/calls; echo "No devices were found"; exit 6',
  );
  const known = next(({ state }) => state === 'noGpu');
  await watchLoad(true);
  await watchStack();
  await known;
  await client.connection.sendRequest(STACK_MENU);
  assert.doesNotMatch(readFileSync(path.join(folder, 'calls'), 'utf8'), /--loop/);
});

test('a failure to follow is reported with its reason and retried with the stack', options, async (t) => {
  const { client, folder, next, watchStack, watchLoad } = await startOn(t, RTX_3090);
  const program = path.join(folder, 'nvidia-smi');
  const known = next(({ state }) => state === 'healthy');
  await watchStack();
  await known;
  await rename(program, `${program}.gone`);
  const trouble = next(({ tooltip }) => /cannot be monitored: nvidia-smi not found/.test(tooltip));
  await watchLoad(true);
  assert.equal((await trouble).load, null);
  assert.ok(client.log.some((line) => /cannot be followed: nvidia-smi not found/.test(line)));
  await rename(`${program}.gone`, program);
  const followed = next(({ load, tooltip }) => load !== null && !/cannot be monitored/.test(tooltip));
  await client.connection.sendRequest(REFRESH_STACK);
  await followed;
});

test('the menu offers remedies as lines without a period', options, async (t) => {
  const { client, folder } = await startOn(t, RTX_3090);
  const interpreter = await environmentForCpu(folder);
  await client.connection.sendNotification(WATCH_STACK, { interpreter, folders: [], trusted: false });
  await client.connection.sendRequest(REFRESH_STACK);
  const { title, findings, entries }: StackMenu = await client.connection.sendRequest(STACK_MENU);
  assert.equal(title, 'RTX 3090 · torch 2.9.0+cpu');
  assert.equal(findings[0]?.severity, 'warning');
  const actions = findings[0]?.entries.map(({ action }) => action) ?? [];
  const [first, second] = actions;
  assert.ok(first?.kind === 'terminal' && second?.kind === 'copy');
  assert.match(first.text, /^\S+ -m pip install .*$/);
  assert.equal(second.text, first.text);
  assert.equal(actions.at(-1)?.kind, 'page');
  assert.ok(entries.length > 0);
  // A repair starts programs, which an untrusted workspace forbids.
  const repairs = (menu: StackMenu) =>
    menu.findings.flatMap((each) =>
      each.entries.flatMap(({ action }) =>
        action.kind === 'command' && action.command === REPAIR_STACK ? [action.argument] : [],
      ),
    );
  assert.deepEqual(repairs({ title, findings, entries }), []);
  await client.connection.sendNotification(WATCH_STACK, { interpreter, folders: [], trusted: true });
  await client.connection.sendRequest(REFRESH_STACK);
  const offered = repairs(await client.connection.sendRequest(STACK_MENU));
  assert.ok(offered.length > 0 && offered.every((each) => each?.startsWith(folder)), JSON.stringify(offered));
});

test('the report to share names neither the home folder nor its owner', options, async (t) => {
  const { client, folder } = await startOn(t, RTX_3090);
  const report: string = await client.connection.sendRequest(SHAREABLE_STACK);
  assert.match(report, /^# GPU stack/);
  assert.match(report, /~\/nvidia-smi/);
  assert.ok(!report.includes(folder));
});

/** An environment with a CPU build of torch. */
async function environmentForCpu(folder: string): Promise<string> {
  const environment = path.join(folder, 'environment');
  const packages = path.join(environment, 'lib', 'python3.12', 'site-packages');
  const files = {
    [path.join(environment, 'pyvenv.cfg')]: `home = ${folder}\nversion = 3.12.1\n`,
    [path.join(environment, 'bin', 'python')]: '',
    [path.join(packages, 'torch', 'version.py')]: "__version__ = '2.9.0+cpu'\ncuda = None\nhip = None\n",
    [path.join(packages, 'torch-2.9.0+cpu.dist-info', 'METADATA')]: 'Name: torch\nVersion: 2.9.0+cpu\n',
  };
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return environment;
}
