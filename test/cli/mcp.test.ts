/** The tools for coding agents, called by the protocol's own client. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { safetensorsOf } from '../checkpoint/safetensorsWriter.ts';
import { CLI } from '../programs.ts';
import { folderWith, run } from './run.ts';

const LOAD = 'import torch\n\nmodel = torch.load("model.pt")\n';

/** An agent's client with a server that runs in a folder. */
async function connected(cwd: string, ...options: string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp', ...options], cwd }));
  places.set(client, { cwd, options });
  return client;
}

const places = new WeakMap<Client, { readonly cwd: string; readonly options: readonly string[] }>();

/** The answer for an agent, and the data that a script gets for the same call. */
async function call(client: Client, name: string, input: Record<string, unknown>) {
  const { content, isError } = await client.callTool({ name, arguments: input });
  const [first] = content;
  const { cwd = '', options = [] } = places.get(client) ?? {};
  const script = await run(['mcp', '--call', name, ...options], { cwd, input: JSON.stringify(input) });
  const { structured } = JSON.parse(script.stdout);
  return { text: first?.type === 'text' ? first.text : '', structured, isError: isError === true };
}

describe('tools for coding agents', () => {
  let client: Client;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-mcp-'));
    await writeFile(path.join(folder, 'train.py'), LOAD);
    await writeFile(path.join(folder, '--fix'), LOAD);
    client = await connected(folder);
  });
  after(async () => {
    await client.close();
    await rm(folder, { recursive: true, force: true });
  });
  const ask = (name: string, input: Record<string, unknown>) => call(client, name, input);

  test('each has a schema for its input, and writes nothing', async () => {
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name).sort(), [
      'check_code',
      'explain_error',
      'inspect_checkpoint',
      'judge_report',
      'plan_environment',
      'read_gpu_stack',
      'show_rule',
    ]);
    assert.ok(JSON.stringify(tools).length <= 8_000, 'an agent reads all of them');
    for (const { description, inputSchema, annotations } of tools) {
      assert.ok(description && description.length > 40);
      assert.equal(annotations?.readOnlyHint, true);
      for (const property of Object.values(inputSchema.properties ?? {}))
        assert.ok((property as { description?: string }).description);
    }
  });

  test('the server and its tools address an agent, not a person at a terminal', async () => {
    const { tools } = await client.listTools();
    const words = tools.map(({ title, description, inputSchema }) => JSON.stringify([title, description, inputSchema]));
    const instructions = client.getInstructions() ?? '';
    assert.match(instructions, /explain_error[\s\S]*check_code/);
    for (const text of [instructions, ...words]) assert.doesNotMatch(text, /standard input|--\w/);
    const answers = [
      await ask('check_code', { paths: ['train.py'] }),
      await ask('check_code', { text: '\0', filename: 'a.ipynb' }),
      await ask('plan_environment', {}),
      await ask('judge_report', { text: 'nothing' }),
      await ask('show_rule', { rule: 'GPU999' }),
    ];
    for (const { text } of answers) assert.doesNotMatch(text, /standard input|--fix|--hints|`?gpu-doctor plan/);
  });

  test('an error is explained', async () => {
    const text = 'AssertionError: Torch not compiled with CUDA enabled';
    const { text: explained, structured, isError } = await ask('explain_error', { text, otherMachine: true });
    assert.match(explained, /build for the CPU only/);
    assert.equal(structured.explanations[0].id, 'torch-not-compiled-with-cuda');
    assert.equal(isError, false);
    const open = { text: 'RuntimeError: Cannot re-initialize CUDA in forked subprocess', otherMachine: true };
    const asked = await ask('explain_error', open);
    assert.match(asked.text, /call explain_error again with `answers`:\s+- `cuda-in-worker`: /);
    const answered = await ask('explain_error', { ...open, answers: { 'cuda-in-worker': true } });
    assert.match(answered.text, /\*\*confirmed\*\*: A dataset/);
    assert.doesNotMatch(answered.text, /call explain_error again/);
    const unknown = await ask('explain_error', { text: 'ValueError: nothing of ours' });
    assert.deepEqual(unknown.structured.explanations, []);
    assert.match(unknown.text, /No explanation is known/);
  });

  test('code is checked as files and as text', async () => {
    const { text, structured, isError } = await ask('check_code', { paths: ['train.py'] });
    assert.match(text, /^train\.py:3:9: .*GPU101/m);
    assert.equal(structured.findings[0].code, 'GPU101');
    assert.equal(structured.diff, null);
    assert.equal(isError, false);
    const checked = await ask('check_code', { text: LOAD, filename: 'new.py', edits: true });
    assert.match(
      checked.structured.diff,
      /^--- a\/new\.py\n\+\+\+ b\/new\.py\n[\s\S]*^\+model = torch\.load\(.*map_location/m,
    );
    const clean = await ask('check_code', { text: 'print(1)\n', edits: true });
    assert.deepEqual([clean.structured.findings, clean.structured.diff], [[], '']);
    const requirements = await ask('check_code', {
      text: 'torch==2.6\ntorchvision==0.10\n',
      filename: 'requirements.txt',
    });
    assert.match(requirements.text, /GPU601/);
    assert.equal((await ask('check_code', { paths: ['train.py'], text: LOAD })).isError, true);
    assert.equal((await ask('check_code', {})).isError, true);
  });

  test('each rule has a page, and all are listed', async () => {
    const { structured } = await ask('show_rule', { rule: 'torch-load-map-location' });
    assert.equal(structured.rules[0].code, 'GPU101');
    assert.match(structured.page, /^# .*GPU101/);
    const all = await ask('show_rule', {});
    assert.ok(all.structured.rules.length > 20);
    assert.equal(all.structured.page, null);
  });

  test('no argument is mistaken for an option', async () => {
    const { text } = await ask('check_code', { paths: ['--fix'] });
    assert.match(text, /GPU101/);
    assert.equal(await readFile(path.join(folder, '--fix'), 'utf8'), LOAD);
    const { text: said, isError } = await ask('inspect_checkpoint', { path: '--help' });
    assert.match(said, /--help does not exist/);
    assert.equal(isError, true);
  });

  test("another machine's report is judged", async () => {
    const report =
      'PyTorch version: 2.9.0+cpu\nIs CUDA available: False\nNvidia driver version: 570.86.10\nGPU 0: NVIDIA GeForce RTX 3090\n';
    const { text, structured } = await ask('judge_report', {
      text: `Collecting environment information...\n${report}`,
    });
    assert.match(text, /CPU only|\+cpu/);
    assert.ok(structured.verdicts.length > 0);
  });

  test('the stack is read, and an environment is planned and checked', async () => {
    const stack = await ask('read_gpu_stack', {});
    assert.match(stack.structured.readout, /System/);
    const { text, structured } = await ask('plan_environment', { requirements: ['torch==2.6'], for: 'pip' });
    assert.match(text, /torch==2\.6/);
    assert.equal(structured.plan.for, 'pip');
    const checked = await ask('plan_environment', { requirements: ['torch==1.2.0'], check: true });
    assert.equal(checked.structured.plan, null);
    assert.equal(checked.structured.check.isSatisfied, false);
    await writeFile(path.join(folder, 'gpu-stack.yaml'), 'format: 1\ndriver: "550.54"\n');
    const recorded = await ask('plan_environment', { requirements: ['torch'], from: 'gpu-stack.yaml' });
    assert.notEqual(recorded.structured.plan.machine, structured.plan.machine);
  });

  test('input that does not fit the schema is refused', async () => {
    assert.equal((await ask('check_code', { paths: [] })).isError, true);
    const unknown = await ask('check_code', { path: ['train.py'] });
    assert.equal(unknown.isError, true);
    assert.match(unknown.text, /unknown: path; the arguments are paths, text, filename, edits, hints, page/);
    const missing = await ask('check_code', { paths: ['train.py', 'missing.py'] });
    assert.deepEqual([missing.isError, missing.text], [true, 'The path missing.py does not exist.']);
    assert.equal((await ask('inspect_checkpoint', { path: 'https://127.0.0.1:1/model.pt' })).isError, true);
  });
});

/** Files outside the project, with a text that must never be shown. */
const SECRET = 'topsecret';

test('nothing outside the folder is read or quoted unless it is allowed', async (t) => {
  const home = await folderWith(t, {
    'outside/secret.py': `import torch\n\n${SECRET} = torch.load("a.pt")\n`,
    'outside/shadow': `root:${SECRET}\n`,
    'outside/venv/pyvenv.cfg': 'home = /usr/bin\nversion = 3.11.0\n',
    'project/train.py': LOAD,
    'project/other.py': 'import torch\n\nmodel = torch.load("../outside/shadow", map_location="cpu")\n',
    'project/own.py': 'import torch\n\nmodel = torch.load("notes.ckpt", map_location="cpu")\n',
    'project/notes.ckpt': `root:${SECRET}\n`,
    'project/pickled.ckpt': `(${SECRET}\nS'${SECRET}'\n`,
  });
  const project = path.join(home, 'project');
  const outside = path.join(home, 'outside');
  await symlink(path.join(outside, 'shadow'), path.join(project, 'model.pt'));
  await symlink(path.join(outside, 'secret.py'), path.join(project, 'linked.py'));
  await symlink(outside, path.join(project, 'folder'));
  const client = await connected(project);
  t.after(() => client.close());
  const refused: [string, Record<string, unknown>][] = [
    ...['..', 'model.pt', 'folder/missing.pt'].map((name): [string, Record<string, unknown>] => [
      'inspect_checkpoint',
      { path: name },
    ]),
    ['check_code', { paths: ['train.py', path.join(outside, 'secret.py')] }],
    ['check_code', { paths: ['linked.py'] }],
    ['plan_environment', { requirements: ['torch'], from: 'folder/shadow' }],
    ['check_code', { text: LOAD, filename: path.join(outside, 'new.py') }],
    ['read_gpu_stack', { python: path.join(outside, 'venv') }],
    ['explain_error', { text: 'CUDA error: out of memory', python: path.join(outside, 'venv') }],
  ];
  for (const [name, input] of refused) {
    const { text, isError } = await call(client, name, input);
    assert.match(text, /is outside of .*project/, `${name} ${JSON.stringify(input)}`);
    assert.equal(isError, true);
  }
  const traceback = `Traceback (most recent call last):\n  File "${outside}/secret.py", line 3\nAssertionError: Torch not compiled with CUDA enabled\n`;
  const safetensors = safetensorsOf({ [SECRET]: [1] });
  await writeFile(path.join(outside, 'weights.safetensors'), safetensors);
  await writeFile(path.join(outside, 'config.json'), JSON.stringify({ architectures: [SECRET] }));
  await writeFile(
    path.join(outside, 'model_index.json'),
    JSON.stringify({ _class_name: SECRET, unet: ['diffusers', 'UNet2DModel'] }),
  );
  const index = JSON.stringify({ weight_map: { w: 'weights.safetensors' } });
  const shown = { index: 'model.safetensors.index.json', config: 'model.safetensors', pipeline: '' };
  for (const folder of Object.keys(shown)) await mkdir(path.join(project, folder));
  await writeFile(path.join(project, 'index', shown.index), index);
  await symlink(path.join(outside, 'weights.safetensors'), path.join(project, 'index', 'weights.safetensors'));
  await writeFile(path.join(project, 'config', shown.config), safetensorsOf({ w: [1] }));
  await symlink(path.join(outside, 'config.json'), path.join(project, 'config', 'config.json'));
  await symlink(path.join(outside, 'model_index.json'), path.join(project, 'pipeline', 'model_index.json'));
  const answers = [
    await call(client, 'check_code', { paths: ['.'] }),
    await call(client, 'inspect_checkpoint', { path: '.' }),
    await call(client, 'inspect_checkpoint', { path: 'notes.ckpt' }),
    await call(client, 'inspect_checkpoint', { path: 'pickled.ckpt' }),
    await call(client, 'plan_environment', { requirements: ['torch'], from: 'notes.ckpt' }),
    await call(client, 'explain_error', { text: traceback }),
  ];
  for (const answer of answers) assert.doesNotMatch(JSON.stringify(answer), new RegExp(SECRET));
  for (const [folder, file] of Object.entries(shown))
    for (const name of [folder, path.join(folder, file)]) {
      const answer = await call(client, 'inspect_checkpoint', { path: name });
      assert.doesNotMatch(JSON.stringify(answer), new RegExp(SECRET), name);
      assert.match(answer.text, /may not be read|It is a folder, but not a model/, name);
    }
  // Neither is a checkpoint; the content of the other one is not read.
  const [checked] = answers;
  assert.match(checked?.text ?? '', /^own\.py:3:\d+: GPU502/m);
  assert.doesNotMatch(checked?.text ?? '', /other\.py/);

  const allowed = await connected(project, '--allow', outside);
  t.after(() => allowed.close());
  assert.equal((await call(allowed, 'check_code', { paths: [path.join(outside, 'secret.py')] })).isError, false);
  const { text: all } = await call(allowed, 'check_code', { paths: ['linked.py', 'other.py'] });
  assert.match(all, /^linked\.py:3:\d+: GPU101/m);
  assert.match(all, /^other\.py:3:\d+: GPU502/m);
});

test('a single call is answered without a server', async (t) => {
  const cwd = await folderWith(t, { 'train.py': LOAD });
  const answered = await run(['mcp', '--call', 'check_code'], { cwd, input: '{"paths":["train.py"]}' });
  assert.equal(answered.status, 0);
  assert.equal(JSON.parse(answered.stdout).structured.findings[0].code, 'GPU101');
  for (const [tool, input, said] of [
    ['check_cod', '{}', /did you mean check_code/],
    ['check_code', '{', /not JSON/],
    ['check_code', '{"paths":3}', /at paths/],
  ] as const) {
    const refused = await run(['mcp', '--call', tool], { cwd, input });
    assert.equal(refused.status, 2);
    assert.match(JSON.parse(refused.stdout).text, said);
  }
});

/** A project that fails on a machine without a GPU, with a notebook and a module with Windows line ends. */
const FAILING = {
  'train.py':
    'import torch\n\nfrom model import Net\n\nnet = Net()\nnet.load_state_dict(torch.load("net.pt"))\nnet.cuda()\nprint(net(torch.zeros(1, 4)))\n',
  'model.py': 'import torch\r\n\r\nNet = lambda: torch.nn.Linear(4, 2)\r\n',
  'evaluate.py': 'import torch\r\n\r\nstate = torch.load("net.pt")\r\nprint(state.keys())\r\n',
  'explore.ipynb': `${JSON.stringify(
    {
      cells: [
        {
          cell_type: 'code',
          execution_count: null,
          metadata: {},
          outputs: [],
          source: ['import torch\n', 'state = torch.load("net.pt")'],
        },
      ],
      metadata: { language_info: { name: 'python' } },
      nbformat: 4,
      nbformat_minor: 5,
    },
    null,
    1,
  )}\n`,
};

const TRACEBACK = `Traceback (most recent call last):
  File "train.py", line 7, in <module>
    net.cuda()
AssertionError: Torch not compiled with CUDA enabled
`;

for (const [name, apply] of [
  ['git apply', ['git', 'apply', '-']],
  ['patch', ['patch', '-p1', '--binary', '--quiet']],
] as const)
  test(`from an error to a clean project in four steps, by ${name}`, async (t) => {
    const cwd = await folderWith(t, FAILING);
    if (name === 'git apply') await promisify(execFile)('git', ['init', '--quiet'], { cwd });
    const client = await connected(cwd);
    t.after(() => client.close());

    const explained = await call(client, 'explain_error', { text: TRACEBACK });
    assert.equal(explained.structured.explanations[0].id, 'torch-not-compiled-with-cuda');
    assert.match(explained.text, /net\.cuda\(\)/);

    const checked = await call(client, 'check_code', { paths: ['.'], edits: true });
    const files = checked.structured.findings.map(({ filename }: { filename: string }) => path.basename(filename));
    assert.deepEqual([...new Set(files)].sort(), ['evaluate.py', 'explore.ipynb', 'train.py']);
    assert.equal(await readFile(path.join(cwd, 'train.py'), 'utf8'), FAILING['train.py']);

    await applied(t, apply, cwd, patchIn(checked.text));
    assert.match(await readFile(path.join(cwd, 'train.py'), 'utf8'), /net\.to\(device\)/);
    assert.doesNotMatch(await readFile(path.join(cwd, 'evaluate.py'), 'utf8'), /[^\r]\n/);

    const again = await call(client, 'check_code', { paths: ['.'], edits: true });
    assert.deepEqual(again.structured.findings, []);
    assert.equal(again.structured.diff, '');
  });

/** The patch in an answer's text. */
const patchIn = (text: string) => /```diff\n([\s\S]*?)```/.exec(text)?.[1] ?? '';

test('a long answer comes in pages of 10 kB, and its patch has whole files', async (t) => {
  const names = Array.from({ length: 60 }, (_, index) => `file${index}.py`);
  const cwd = await folderWith(t, Object.fromEntries(names.map((name) => [name, LOAD])));
  await promisify(execFile)('git', ['init', '--quiet'], { cwd });
  const client = await connected(cwd);
  t.after(() => client.close());
  const ask = async (page: number) => {
    const { content, isError } = await client.callTool({
      name: 'check_code',
      arguments: { paths: ['.'], edits: true, page },
    });
    const [first] = content;
    return { text: first?.type === 'text' ? first.text : '', isError: isError === true };
  };
  const { text } = await ask(1);
  assert.ok(Buffer.byteLength(text) <= 10_000, String(Buffer.byteLength(text)));
  assert.match(text, /\(Page 1 of \d+\. Pass page: 2 for the next one\.\)$/);
  assert.match(text, /\d+ more files have safe fixes: apply this patch, then check again\./);
  await applied(t, ['git', 'apply', '-'], cwd, patchIn(text));
  // The tool shows a patch and changes no file.
  assert.match((await ask(1)).text, /GPU101/);
  const beyond = await ask(99);
  assert.deepEqual([beyond.isError, /^The answer has \d+ pages?\.$/.test(beyond.text)], [true, true]);
});

async function applied(t: TestContext, [command, ...args]: readonly string[], cwd: string, diff: string) {
  const child = execFile(command ?? '', args, { cwd });
  t.after(() => void child.kill());
  child.stdin?.end(diff);
  let said = '';
  child.stderr?.on('data', (chunk) => (said += chunk));
  child.stdout?.on('data', (chunk) => (said += chunk));
  const status = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(status, 0, `${said}\n${diff}`);
}
