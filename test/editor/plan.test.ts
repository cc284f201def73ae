import { after, afterEach, before, describe, test } from 'node:test';
import { type Editor, openEditor } from './editor.ts';
import { type PretendedMachine, pretendMachine } from './pretendMachine.ts';

describe('a plan in VS Code', () => {
  let editor: Editor;
  let machine: PretendedMachine;

  before(async () => {
    machine = await pretendMachine('rtx3090-cu124');
    const files = { 'main.py': 'import torch\n', 'requirements.txt': 'torch==2.6.0\ntorchvision\n', ...machine.files };
    editor = await openEditor(files);
  });
  after(async () => {
    await editor?.close();
    await machine?.forget();
  });
  afterEach(({ name }) => editor?.finish(name));

  /** Runs the command and takes one of what it offers. */
  const choose = (label: string, detail: string) =>
    editor.insist(async () => {
      await editor.run('GPU Doctor: Plan a Working Environment');
      // Only those in sight are drawn.
      await editor.page.locator('.quick-input-widget').getByPlaceholder(/^For /).fill(label);
      const offers = editor.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: label });
      // What was found is highlighted: until then the rows turn into others.
      const found = offers.filter({ has: editor.page.locator('.highlight') });
      const offer = found.filter({ hasText: detail }).first();
      await offer.click();
      await offer.waitFor({ state: 'hidden' });
    });

  test('comes as a new file, each line with its reason', async () => {
    const { page } = editor;
    await editor.open('main.py');
    await choose('Dockerfile', 'A new file');
    await page
      .locator('.view-line')
      .filter({ hasText: /FROM\s+python:3\.\d+-slim/ })
      .waitFor();
    await page
      .locator('.view-line')
      .filter({ hasText: /torch==2\.6\.0/ })
      .first()
      .waitFor();
    await page
      .locator('.view-line')
      .filter({ hasText: /has\s+code\s+for\s+RTX\s+3090/ })
      .first()
      .waitFor();
  });

  test('comes into a terminal and is not run', async () => {
    await choose('pip', 'Into a terminal');
    await editor.terminalWith('-m venv .venv', 'torch==2.6.0 "torchvision==0.21.*"').waitFor();
  });
});
