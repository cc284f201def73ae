import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { execa } from 'execa';
import type { Locator } from 'playwright-core';
import { root } from '../../scripts/root.ts';
import { type Editor, openEditor } from './editor.ts';
import { type PretendedMachine, pretendMachine } from './pretendMachine.ts';

const statusBarItem = ({ page }: Editor): Locator => page.locator('[id="gpu-doctor.gpu-doctor.gpuDoctor.stack"]');

/** The rendered Markdown of the active editor. */
const preview = ({ page }: Editor): Locator =>
  page.frameLocator('iframe.webview.ready').frameLocator('#active-frame').locator('.markdown-body');

describe('the GPU stack in VS Code', () => {
  let editor: Editor;
  before(async () => {
    editor = await openEditor({ 'main.py': 'import torch\n', 'notes.txt': 'Nothing to see here.\n' });
  });
  after(() => editor?.close());
  afterEach(({ name }) => editor?.finish(name));

  test('the status bar says what the command line says, while Python is open', async () => {
    const cli = path.join(root, 'dist', 'cli.js');
    const { stdout } = await execa(process.execPath, [cli, 'stack'], { cwd: tmpdir() });
    const [summary = ''] = stdout.split('\n');
    await editor.open('notes.txt');
    assert.equal(await statusBarItem(editor).count(), 0);
    await editor.open('main.py');
    await statusBarItem(editor).filter({ hasText: summary }).waitFor();
    await editor.open('notes.txt');
  });

  test('a command opens the read-out as a document', async () => {
    await editor.open('main.py');
    await editor.run('GPU Doctor: Show GPU Stack');
    await preview(editor).getByText('Operating system').first().waitFor();
  });
});

describe('a GPU that the installed torch cannot use', () => {
  let editor: Editor;
  let machine: PretendedMachine;
  before(async () => {
    machine = await pretendMachine('rtx3090-cpu-torch');
    editor = await openEditor({ 'main.py': 'import torch\n', ...machine.files }, machine.env);
  });
  after(async () => {
    await editor?.close();
    await machine?.forget();
  });
  afterEach(({ name }) => editor?.finish(name));

  test('the status bar warns of a real mismatch', async () => {
    await editor.open('main.py');
    await statusBarItem(editor).filter({ hasText: 'RTX 3090 · torch 2.9.0+cpu' }).waitFor();
    await editor.page.locator('.statusbar-item.warning-kind').and(statusBarItem(editor)).waitFor();
    await editor.run('GPU Doctor: Show GPU Stack');
    await preview(editor).getByText('is built for the CPU only').first().waitFor();
  });
});
