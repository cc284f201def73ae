import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isPending, type StackFacts } from '../../server/src/stack/facts.ts';
import { codeSpan, escapeMarkdown } from '../../server/src/stack/markdown.ts';
import { stackMarkdown, stackText } from '../../server/src/stack/readout.ts';
import { readStack } from '../../server/src/stack/readStack.ts';
import { shareable } from '../../server/src/stack/shareable.ts';
import { summarizeStack } from '../../server/src/stack/summary.ts';
import { stackTooltip } from '../../server/src/stack/tooltip.ts';
import { judgeStack } from '../../server/src/stack/verdicts.ts';
import { loadRecording, type Recording, recordedMachine } from './recordedMachine.ts';

const ESCAPE = String.fromCharCode(27);

async function read(name: string, change: Partial<Recording> = {}): Promise<{ facts: StackFacts; home: string }> {
  const folder = fileURLToPath(new URL(`machines/${name}`, import.meta.url));
  const recording = { ...(await loadRecording(folder)), ...change };
  const { interpreter, folders = [], home } = recording;
  return { facts: await readStack({ machine: recordedMachine(folder, recording), interpreter, folders }), home };
}

test('the document has the finding, the facts that clash and a command', async () => {
  const { facts } = await read('rtx3090-cpu-torch');
  const document = stackMarkdown(facts, judgeStack(facts));
  assert.match(document, /^# GPU stack\n\n\*\*RTX 3090 · torch 2\.9\.0\+cpu\*\*\n/);
  assert.match(document, /^## Warning: torch 2\.9\.0\+cpu is built for the CPU only and cannot use the RTX 3090\.$/m);
  assert.match(document, /^- .* \(`\/home\/ada\/project\/\.venv\/.*version\.py`\)$/m);
  assert.match(document, /^```sh\n.* -m pip install .*torch torchvision .*\/cu130\n```$/m);
  assert.match(document, /^\[What this means\]\(https:.*\/docs\/stack\/cpu-only-torch\.md\)$/m);
  assert.match(stackText(facts, judgeStack(facts)), /^ {2}More: https:.*\/docs\/stack\/cpu-only-torch\.md$/m);
  assert.match(document, /^\| Driver \| 580\.95\.05, open kernel module \| `\/usr\/bin\/nvidia-smi` \|$/m);
});

test('before nvidia-smi has answered, the status bar shows what files tell', async () => {
  const folder = fileURLToPath(new URL('machines/rtx3090-cpu-torch', import.meta.url));
  const recording = await loadRecording(folder);
  const soFar: StackFacts[] = [];
  const machine = recordedMachine(folder, { ...recording, files: { ...recording.files } });
  await readStack({ machine, folders: recording.folders ?? [], onFacts: (facts) => soFar.push(facts) });
  assert.equal(soFar.length, 3);
  const [nothing, files, all] = soFar.map((facts) => summarizeStack(facts, judgeStack(facts)));
  assert.deepEqual([nothing?.text, nothing?.state], ['GPU …', 'probing']);
  assert.equal(files?.text, 'RTX 3090 · torch 2.9.0+cpu');
  assert.ok(soFar[1] && isPending(soFar[1].driverCuda));
  assert.equal(all?.state, 'warning');
});

test('nothing of the user is left in what is shared', async () => {
  for (const name of [
    'rtx3090-cu124',
    'windows-torch-from-pypi',
    'macos-apple-silicon',
    'conda-pytorch',
    'pyenv-shim',
  ]) {
    const { facts, home } = await read(name);
    const shared = shareable(facts, home);
    const verdicts = judgeStack(shared);
    const everything = `${JSON.stringify(shared)}${stackText(shared, verdicts)}${stackMarkdown(shared, verdicts)}`;
    assert.doesNotMatch(everything, /ada\b/i, name);
    assert.equal(summarizeStack(shared, verdicts).text, summarizeStack(facts, judgeStack(facts)).text);
  }
});

test('names of users are found in other folders, and only there', async () => {
  const env = { LD_LIBRARY_PATH: '/scratch/ada/lib:/home/grace/lib:/opt/adamant', CUDA_HOME: '/home/ada' };
  const { facts, home } = await read('laptop-without-gpu', { env });
  const shared = shareable(facts, home);
  assert.ok('value' in shared.variables);
  assert.deepEqual(shared.variables.value, {
    LD_LIBRARY_PATH: '/scratch/user/lib:/home/user/lib:/opt/adamant',
    CUDA_HOME: '~',
  });
});

test('a version file of the workspace cannot put links or escapes into the read-out', async () => {
  const version = `__version__ = '1.0](https://example.org)<img src=x>|\`${ESCAPE}[2J'`;
  const file = path.posix.join('/home/ada/project/.venv/lib/python3.12/site-packages/torch/version.py');
  const { files } = await loadRecording(fileURLToPath(new URL('machines/laptop-without-gpu', import.meta.url)));
  const { facts } = await read('laptop-without-gpu', { files: { ...files, [file]: version } });
  const document = stackMarkdown(facts, []);
  assert.match(document, /torch 1\.0\\\]\(https:\/\/example\.org\)\\<img src=x\\>\\\|\\`/);
  for (const text of [document, stackText(facts, []), stackTooltip(facts, [])]) {
    assert.ok(!text.includes(ESCAPE));
  }
});

test('code spans hold backticks and pipes', () => {
  assert.equal(codeSpan('C:\\a'), '`C:\\a`');
  assert.equal(codeSpan('a`b|c'), '`` a`b\\|c ``');
  assert.equal(escapeMarkdown('C:\\_a_\nb'), 'C:\\\\\\_a\\_ b');
});
