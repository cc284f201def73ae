import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { root } from '../../scripts/root.ts';
import { type Editor, openEditor, screenshots } from './editor.ts';
import { type PretendedMachine, pretendMachine } from './pretendMachine.ts';

const fixture = (name: string): Uint8Array => readFileSync(path.join(root, 'test', 'checkpoint', 'fixtures', name));

describe('the view GPU Doctor', () => {
  let editor: Editor;
  let machine: PretendedMachine;
  const row = (...texts: readonly (string | RegExp)[]) =>
    texts.reduce((rows, hasText) => rows.filter({ hasText }), editor.page.locator('.pane-body .monaco-list-row'));

  before(async () => {
    machine = await pretendMachine('rtx3090-cu124');
    editor = await openEditor({
      ...machine.files,
      'main.py': 'import torch\n',
      'runs/best.pth': fixture('torch/cuda3.pth'),
      'weights.safetensors': 'ab',
      'pointer.pt': `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 438012727\n`,
    });
    await editor.open('main.py');
  });
  after(async () => {
    await editor?.close();
    await machine?.forget();
  });
  afterEach(({ name }) => editor?.finish(name));

  test('lists the stack, the GPUs with their processes, and the checkpoints', async () => {
    await editor.page.locator('.activitybar').getByRole('tab', { name: 'GPU Doctor' }).click();
    await row('RTX 3090 · CUDA 12.4').first().waitFor();
    await row('GPU 0', 'GiB').click();
    await row('python3', 'PID 4711', '3.0 GiB').waitFor();
    await row('best.pth', 'fails here', 'cuda:3').waitFor();
    await row('weights.safetensors').waitFor();
    await row('pointer.pt', 'Git LFS pointer').waitFor();
  });

  test('a click shows the contents of a checkpoint', async () => {
    const shown = editor.page.frameLocator('iframe.webview.ready >> visible=true').frameLocator('#active-frame');
    await editor.openPage(() => row('best.pth').click(), shown.locator('h1', { hasText: 'best.pth' }));
  });

  test('the palette offers the checkpoints of the workspace, and other files last', async () => {
    const shown = editor.page.frameLocator('iframe.webview.ready >> visible=true').frameLocator('#active-frame');
    const entries = editor.page.locator('.quick-input-list .monaco-list-row');
    await editor.run('View: Close All Editors');
    await editor.insist(async () => {
      await editor.run('GPU Doctor: Inspect Checkpoint');
      await entries.filter({ hasText: 'Browse…' }).waitFor();
    });
    await editor.page.screenshot({ path: path.join(screenshots, 'checkpoint-picker.png') });
    assert.match((await entries.allInnerTexts()).at(-1) ?? '', /Browse…/);
    await entries.filter({ hasText: 'best.pth' }).click();
    await shown.locator('h1', { hasText: 'best.pth' }).waitFor();
  });
});
