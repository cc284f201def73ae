import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { screenshots } from './actions.ts';
import { type Editor, openEditor } from './editor.ts';
import { type PretendedMachine, pretendMachine } from './pretendMachine.ts';

const RECORD = `# The cluster has two of these.
format: 1
gpus:
  - name: NVIDIA GeForce RTX 3090
    count: 2
frameworks:
  torch:
    version: 2.5.1+cu124
    build: CUDA 12.4
`;

describe('a recorded stack in VS Code', () => {
  let editor: Editor;
  let machine: PretendedMachine;
  const item = () => editor.page.locator('[id="gpu-doctor.gpu-doctor.gpuDoctor.stack"]');

  before(async () => {
    machine = await pretendMachine('rtx3090-cu124');
    const files = { 'main.py': 'import torch\n', 'gpu-stack.yaml': RECORD, ...machine.files };
    editor = await openEditor(files);
  });
  after(async () => {
    await editor?.close();
    await machine?.forget();
  });
  afterEach(({ name }) => editor?.finish(name));

  test('differences are named in the status bar and marked at their lines', async () => {
    const { page } = editor;
    await editor.open('main.py');
    await page.locator('.statusbar-item.warning-kind').and(item()).waitFor();
    const difference = 'Recorded: 2 × RTX 3090. This machine: ';
    await editor.pointAt(item(), () => page.locator('.monaco-hover').getByText(difference).waitFor());
    await editor.open('gpu-stack.yaml');
    const squiggle = page.locator('.squiggly-warning');
    await squiggle.first().waitFor();
    await page.keyboard.press('F8');
    await page.getByText('Recorded: 2 × RTX 3090').first().waitFor();
  });

  test('a record of another machine is replaced only after its differences were shown', async () => {
    const { page } = editor;
    const question = page.locator('.quick-input-widget').filter({ hasText: 'records another stack' });
    const comparison = page.locator('.monaco-diff-editor');
    const record = async (answer: string) => {
      // If another file is active, the end of the command is visible: it shows the record.
      await editor.open('main.py');
      await editor.run('GPU Doctor: Record This Stack');
      await comparison.locator('.view-line').filter({ hasText: 'compute-capability' }).first().waitFor();
      await comparison.locator('.view-line').filter({ hasText: 'count: 2' }).first().waitFor();
      await page.screenshot({ path: path.join(screenshots, `record-${answer}.png`) });
      await question.locator('.monaco-list-row').filter({ hasText: answer }).click();
      await comparison.waitFor({ state: 'detached' });
    };
    await record('Keep');
    assert.equal(await readFile(path.join(editor.folder, 'gpu-stack.yaml'), 'utf8'), RECORD);
    await record('Replace');
    await editor.tabInFront('gpu-stack.yaml').waitFor();
    await page.locator('.squiggly-warning').first().waitFor({ state: 'detached' });
    await page.locator('.view-line').filter({ hasText: 'The cluster has two of these.' }).waitFor();
    await page.locator('.view-line').filter({ hasText: 'driver:' }).first().waitFor();
    await editor.open('main.py');
    await page.locator('.statusbar-item.warning-kind').and(item()).waitFor({ state: 'detached' });
    // The same stack is recorded without a question.
    await editor.run('GPU Doctor: Record This Stack');
    await editor.tabInFront('gpu-stack.yaml').waitFor();
  });

  test('a stack with problems is recorded only after a question', async () => {
    const { page } = editor;
    await machine.replaceNvidiaSmi('echo "Failed to initialize NVML: Driver/library version mismatch"; exit 18');
    await editor.run('GPU Doctor: Refresh GPU Stack');
    await page.locator('.statusbar-item.error-kind').and(item()).waitFor();
    const dialog = page.locator('.monaco-dialog-box');
    const record = async (answer: string) => {
      await editor.open('main.py');
      await editor.run('GPU Doctor: Record This Stack');
      await dialog.getByText('This stack has problems').waitFor();
      await dialog
        .getByText(/driver/i)
        .first()
        .waitFor();
      await dialog.getByRole('button', { name: answer }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    const line = page.locator('.view-line').filter({ hasText: 'The cluster has two of these.' });
    await record('Cancel');
    await editor.tabInFront('main.py').waitFor();
    await record('Record Anyway');
    // An unreadable record is a difference, too.
    await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Replace' }).click();
    await editor.tabInFront('gpu-stack.yaml').waitFor();
    await line.waitFor();
  });
});
