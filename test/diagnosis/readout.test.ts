import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { judgeStack } from '../../server/src/diagnosis/judgeStack.ts';
import { stackMarkdown, stackText } from '../../server/src/diagnosis/readout/readout.ts';
import { shareable } from '../../server/src/diagnosis/readout/shareable.ts';
import { summarizeStack } from '../../server/src/diagnosis/readout/summary.ts';
import { stackTooltip } from '../../server/src/diagnosis/readout/tooltip.ts';
import { codeSpan, escapeMarkdown } from '../../server/src/markdown.ts';
import { isPending, knownValue, type StackFacts } from '../../server/src/stack/facts/facts.ts';
import type { Machine } from '../../server/src/stack/machine/machine.ts';
import { readStack } from '../../server/src/stack/readStack.ts';
import { loadRecording, type Recording, recordedMachine } from '../stack/recordedMachine.ts';
import { runtimeSeeing } from '../stack/runtimeSeeing.ts';

const ESCAPE = String.fromCharCode(27);

const MACHINES = fileURLToPath(new URL('../stack/machines', import.meta.url));

async function read(name: string, change: Partial<Recording> = {}): Promise<{ facts: StackFacts; machine: Machine }> {
  const folder = path.join(MACHINES, name);
  const recording = { ...(await loadRecording(folder)), ...change };
  const { interpreter, folders = [] } = recording;
  const machine = recordedMachine(folder, recording);
  return { facts: await readStack({ machine, interpreter, folders }), machine };
}

test('the document has the finding, the conflicting facts and a command', async () => {
  const { facts } = await read('rtx3090-cpu-torch');
  const document = stackMarkdown(facts, judgeStack(facts));
  assert.match(document, /^# GPU stack\n\n\*\*RTX 3090 · torch 2\.9\.0\+cpu\*\*\n/);
  assert.match(document, /^## Warning: torch 2\.9\.0\+cpu is built for the CPU only and cannot use the RTX 3090\.$/m);
  assert.match(document, /^- .* \(`\/home\/ada\/project\/\.venv\/.*version\.py`\)$/m);
  assert.match(document, /^```sh\n.* -m pip install .*--no-deps torch==2.9.0 torchvision==0.24.0 .*\/cu128\n```$/m);
  assert.match(document, /^\[What this means\]\(https:.*\/docs\/stack\/cpu-only-torch\.md\)$/m);
  assert.match(stackText(facts, judgeStack(facts)), /^ {2}More: https:.*\/docs\/stack\/cpu-only-torch\.md$/m);
  assert.match(document, /^\| Driver \| 580\.95\.05, open kernel module \| `\/usr\/bin\/nvidia-smi` \|$/m);
});

test('a GPU that only a framework sees is shown in the status bar', async () => {
  const { facts } = await read('windows-torch-for-xpu');
  const about = { source: 'torch', readAt: '2026-11-21T08:00:00Z' };
  const runtime = runtimeSeeing('2.9.1+xpu', { name: 'Intel(R) Arc(TM) 140V GPU', api: 'xpu', memoryTotal: 16000 });
  const told = { ...facts, runtime: { ...facts.runtime, torch: { ...about, value: runtime } } };
  const { text, state } = summarizeStack(told, []);
  assert.deepEqual([text, state], ['Intel Arc 140V · torch 2.9.1+xpu', 'healthy']);
});

test('before nvidia-smi has answered, the status bar uses files', async () => {
  const folder = fileURLToPath(new URL('../stack/machines/rtx3090-cpu-torch', import.meta.url));
  const recording = await loadRecording(folder);
  const soFar: StackFacts[] = [];
  const machine = recordedMachine(folder, { ...recording, files: { ...recording.files } });
  await readStack({ machine, folders: recording.folders ?? [], onFacts: (facts) => soFar.push(facts) });
  const files = soFar.findLast(({ driverCuda }) => isPending(driverCuda));
  const [nothing, told, all] = [soFar[0], files, soFar.at(-1)].map((facts) =>
    facts === undefined ? undefined : summarizeStack(facts, judgeStack(facts)),
  );
  assert.deepEqual([nothing?.text, nothing?.state], ['GPU …', 'probing']);
  assert.equal(told?.text, 'RTX 3090 · torch 2.9.0+cpu');
  assert.equal(all?.state, 'warning');
});

for (const name of readdirSync(MACHINES)) {
  test(`nothing private remains in the shared report of ${name}`, async () => {
    const { facts, machine } = await read(name);
    const shared = shareable(facts, machine);
    const verdicts = judgeStack(shared);
    const everything = `${JSON.stringify(shared)}${stackText(shared, verdicts)}${stackMarkdown(shared, verdicts)}`;
    assert.doesNotMatch(everything, /[\\/]ada\b|Lovelace|Jürgen|Müller/);
    assert.deepEqual(summarizeStack(shared, verdicts), summarizeStack(facts, judgeStack(facts)));
    assert.deepEqual(
      verdicts.map(({ id }) => id),
      judgeStack(facts).map(({ id }) => id),
    );
  });
}

/** A home folder, a host name, the value of a variable, and the result. */
const SHARED: [home: string, hostname: string, value: string, shared: string][] = [
  ['/home/ada', 'box', '/home/ada', '~'],
  [
    '/home/ada',
    'box',
    '/scratch/ada/lib:/home/grace/lib:/opt/adamant',
    '/scratch/user/lib:/home/user/lib:/opt/adamant',
  ],
  ['/home/ada', 'box', '/mnt/c/Users/Ada Lovelace/cuda', '/mnt/c/Users/user/cuda'],
  ['/home/ada', 'box', '/gpfs/home/u12345/envs and /home/bob', '/gpfs/home/user/envs and /home/user'],
  ['/home/torch', 'box', '/opt/torch/lib:/home/torch/lib', '/opt/torch/lib:~/lib'],
  ['/root', 'box', '/root/lib:/opt/root/lib', '~/lib:/opt/root/lib'],
  ['/Users/ada', 'box', '/Users/Shared/x:/Users/ada/x', '/Users/user/x:~/x'],
  ['C:\\Users\\Ada Lovelace', 'BOX', 'c:/users/ada lovelace/x;D:\\x', '~/x;D:\\x'],
  ['C:\\Users\\Ada Lovelace', 'BOX', 'C:\\Users\\Grace Hopper\\x', 'C:\\Users\\user\\x'],
  [
    'C:\\Users\\Ada Lovelace',
    'BOX',
    'C:\\Users\\ADALOV~1\\x;C:\\Users\\Grace Hopper',
    'C:\\Users\\user\\x;C:\\Users\\user',
  ],
  ['C:\\Users\\ada', 'BOX', '\\\\filer-7\\profiles\\ada\\x', '\\\\host\\profiles\\user\\x'],
  ['\\\\filer-7\\profiles\\ada', 'BOX', '\\\\filer-7\\profiles\\ada\\x', '~\\x'],
  ['C:\\Users\\ada', 'BOX', '\\\\wsl.localhost\\Ubuntu\\home\\ada\\x', '\\\\wsl.localhost\\Ubuntu\\home\\user\\x'],
  ['/home/ada', 'gpu-17.cs.example.edu', '/net/gpu-17/x:/net/gpu-170/x', '/net/host/x:/net/gpu-170/x'],
  ['/home/ada', 'gpu-17.cs.example.edu', 'on gpu-17.cs.example.edu', 'on host'],
  ['/home/ada', 'torch', '/opt/torch/lib', '/opt/torch/lib'],
];

for (const [home, hostname, value, shared] of SHARED) {
  test(`${value} is shared as ${shared} from ${home} on ${hostname}`, async () => {
    const { facts } = await read('laptop-without-gpu', { env: { LD_LIBRARY_PATH: value } });
    const { variables } = shareable(facts, { home, hostname });
    assert.deepEqual(knownValue(variables), { LD_LIBRARY_PATH: shared });
  });
}

test('a version file of the workspace cannot add links or escapes to the report', async () => {
  const version = `__version__ = '1.0](https://example.org)<img src=x>|\`${ESCAPE}[2J'`;
  const file = path.posix.join('/home/ada/project/.venv/lib/python3.12/site-packages/torch/version.py');
  const { files } = await loadRecording(
    fileURLToPath(new URL('../stack/machines/laptop-without-gpu', import.meta.url)),
  );
  const { facts } = await read('laptop-without-gpu', { files: { ...files, [file]: version } });
  const document = stackMarkdown(facts, []);
  assert.match(document, /torch 1\.0\\\]\(https:\/\/example\.org\)\\<img src=x\\>\\\|\\`/);
  for (const text of [document, stackText(facts, []), stackTooltip(facts, [])]) {
    assert.ok(!text.includes(ESCAPE));
  }
});

test('code spans may contain backticks and pipes', () => {
  assert.equal(codeSpan('C:\\a'), '`C:\\a`');
  assert.equal(codeSpan('a`b|c'), '`` a`b|c ``');
  assert.equal(escapeMarkdown('C:\\_a_\nb'), 'C:\\\\\\_a\\_ b');
});
