/** The tools for coding agents, asked by the protocol's own client. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { root } from '../../scripts/root.ts';

describe('tools for coding agents', () => {
  const client = new Client({ name: 'test', version: '1' });
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-mcp-'));
    await writeFile(path.join(folder, 'train.py'), 'import torch\n\nmodel = torch.load("model.pt")\n');
    await writeFile(path.join(folder, '--fix'), 'import torch\n\nmodel = torch.load("model.pt")\n');
    const cli = path.join(root, 'server', 'src', 'cli.ts');
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [cli, 'mcp'], cwd: folder }));
  });
  after(async () => {
    await client.close();
    await rm(folder, { recursive: true, force: true });
  });

  const ask = async (name: string, given: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: given });
    const [first] = content;
    return { text: first?.type === 'text' ? first.text : '', isError: isError === true };
  };

  test('all say what they take, and that they write nothing', async () => {
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name).sort(), [
      'check_code',
      'explain_error',
      'inspect_checkpoint',
      'judge_report',
      'plan_environment',
      'read_gpu_stack',
    ]);
    for (const { description, inputSchema, annotations } of tools) {
      assert.ok(description && description.length > 40);
      assert.equal(annotations?.readOnlyHint, true);
      for (const property of Object.values(inputSchema.properties ?? {}))
        assert.ok((property as { description?: string; enum?: string[] }).description);
    }
  });

  test('an error is explained', async () => {
    const text = 'AssertionError: Torch not compiled with CUDA enabled';
    const { text: explained, isError } = await ask('explain_error', { text, otherMachine: true });
    assert.match(explained, /build for the CPU only/);
    assert.equal(isError, false);
  });

  test('code is judged, with its path as given', async () => {
    const { text, isError } = await ask('check_code', { paths: ['train.py'] });
    assert.match(text, /^train\.py:3:9: .*GPU101/m);
    assert.equal(isError, false);
  });

  test('no argument is taken for an option', async () => {
    const { text } = await ask('check_code', { paths: ['--fix'] });
    assert.doesNotMatch(text, /fixed/);
    const { text: said, isError } = await ask('inspect_checkpoint', { path: '--help' });
    assert.match(said, /--help does not exist/);
    assert.equal(isError, true);
  });

  test('nothing outside of the folder is read, links followed', async () => {
    await symlink('/etc/passwd', path.join(folder, 'model.pt'));
    for (const name of ['/etc/passwd', '../', 'model.pt']) {
      const { text: said, isError } = await ask('inspect_checkpoint', { path: name });
      assert.match(said, /lies outside of the folder in which gpu-doctor was started/);
      assert.doesNotMatch(said, /root:/);
      assert.equal(isError, true);
      assert.equal((await ask('check_code', { paths: ['train.py', name] })).isError, true);
    }
    await writeFile(path.join(folder, 'notes.ckpt'), 'root:x:0:0\n');
    const { text: said } = await ask('inspect_checkpoint', { path: 'notes.ckpt' });
    assert.doesNotMatch(said, /root:/);
  });

  test("another machine's report is judged", async () => {
    const report =
      'PyTorch version: 2.9.0+cpu\nIs CUDA available: False\nNvidia driver version: 570.86.10\nGPU 0: NVIDIA GeForce RTX 3090\n';
    const { text } = await ask('judge_report', { report: `Collecting environment information...\n${report}` });
    assert.match(text, /CPU only|\+cpu/);
  });

  test('an environment is planned, and what fits no schema is refused', async () => {
    const { text } = await ask('plan_environment', { requirements: ['torch==2.6'], form: 'pip' });
    assert.match(text, /torch==2\.6/);
    assert.equal((await ask('check_code', { paths: [] })).isError, true);
    assert.equal((await ask('inspect_checkpoint', { path: 'https://127.0.0.1:1/model.pt' })).isError, true);
  });
});
