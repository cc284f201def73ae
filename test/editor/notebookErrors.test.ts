import assert from 'node:assert/strict';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { type Editor, openEditor, screenshots } from './editor.ts';
import { code, notebook } from './notebookFile.ts';

const MESSAGE =
  'Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If you are running on a CPU-only machine, please use torch.load with map_location=torch.device("cpu") to map your storages to the CPU.';

/** Replaces PyTorch, which is not installed here; the messages are PyTorch's. */
const TORCH = `def load(path, map_location=None):\n    if map_location is None:\n        raise RuntimeError('${MESSAGE}')\n    return {}\n`;

const dashes = '-'.repeat(75);

/** As IPython 9 saves it, in colors. */
const SAVED = {
  ename: 'RuntimeError',
  evalue: MESSAGE,
  output_type: 'error',
  traceback: [
    `\u001b[31m${dashes}\u001b[39m`,
    '\u001b[31mRuntimeError\u001b[39m                              Traceback (most recent call last)',
    '\u001b[36mCell\u001b[39m\u001b[36m \u001b[39m\u001b[32mIn[9]\u001b[39m\u001b[32m, line 1\u001b[39m\n\u001b[32m----> \u001b[39m\u001b[32m1\u001b[39m model = restore(\u001b[33m"model.pt"\u001b[39m)\n',
    '\u001b[36mCell\u001b[39m\u001b[36m \u001b[39m\u001b[32mIn[7]\u001b[39m\u001b[32m, line 4\u001b[39m, in \u001b[36mrestore\u001b[39m\u001b[34m(path)\u001b[39m\n\u001b[32m      3\u001b[39m \u001b[38;5;28;01mdef\u001b[39;00m restore(path):\n\u001b[32m----> \u001b[39m\u001b[32m4\u001b[39m     \u001b[38;5;28;01mreturn\u001b[39;00m torch.load(path)\n',
    `\u001b[31mRuntimeError\u001b[39m: ${MESSAGE}`,
  ],
};

/** A failed import, as IPython 9 saves it without colors. */
const FAILED_IMPORT = {
  ename: 'ImportError',
  evalue: 'tokenizers>=0.14,<0.19 is required for a normal functioning of this module, but found tokenizers==0.20.3.',
  output_type: 'error',
  traceback: [
    dashes,
    'ImportError                               Traceback (most recent call last)',
    'Cell In[1], line 1\n----> 1 import transformers\n',
    'ImportError: tokenizers>=0.14,<0.19 is required for a normal functioning of this module, but found tokenizers==0.20.3.',
  ],
};

const FILE = 'restore.ipynb';
const FILES = {
  'site-packages/torch.py': TORCH,
  'imports.ipynb': notebook(code('import transformers', [FAILED_IMPORT])),
  [FILE]: notebook(
    code('{}["epochs"]'),
    code('import torch\n\ndef restore(path):\n    return torch.load(path)'),
    code('import sys\nprint("CUDA error: no kernel image is available for execution on the device", file=sys.stderr)'),
    code('model = restore("model.pt")\nprint("restored")', [SAVED]),
  ),
};

describe('a cell that failed, in VS Code', () => {
  let editor: Editor;
  before(async () => {
    editor = await openEditor(FILES, { extensions: ['kernel'] });
    await editor.openNotebook(FILE);
  });
  after(() => editor?.close());
  afterEach(({ name }) => editor?.finish(name));

  const item = (words: string): Locator => editor.page.locator('.cell-status-item').filter({ hasText: words });
  /** The icons that show how each cell ended. */
  const state = (name: 'success' | 'error'): Locator =>
    editor.page.locator(`.cell-status-item .codicon-notebook-state-${name}`);
  const runAll = async () => {
    // Until a kernel is known, VS Code prompts for one.
    await editor.page.locator('.kernel-label').filter({ hasText: 'Python 3' }).waitFor();
    await editor.run('Notebook: Run All');
  };
  const squiggle = (): Locator => editor.page.locator('.notebookOverlay .squiggly-error');

  test('is explained from the output saved in the file', async () => {
    const { page } = editor;
    await item('why this failed').waitFor();
    await squiggle().waitFor();
    assert.equal(await item('GPU Doctor').count(), 1);
    await editor.pointAt(squiggle(), async () => {
      await page.locator('.monaco-hover').getByText('What to do').first().waitFor();
    });
  });

  test('is explained after it ran, as is the printed error of another cell', async () => {
    await runAll();
    // The first cell failed, too, with an unknown error.
    const failed = state('error');
    await failed.nth(1).waitFor();
    await item('what this means').waitFor();
    await item('why this failed').waitFor();
    await squiggle().waitFor();
    assert.equal(await failed.count(), 2);
    assert.equal(await item('GPU Doctor').count(), 2);
  });

  test('is fixed in another cell, and has no explanation after it ran again', async () => {
    await editor.save(FILE);
    await editor.fix(squiggle(), 'map_location="cpu"');
    await runAll();
    await state('success').nth(2).waitFor();
    await item('why this failed').waitFor({ state: 'detached' });
    await squiggle().waitFor({ state: 'detached' });
    await item('what this means').waitFor();
    const { cells } = JSON.parse(await editor.save(FILE));
    assert.equal(cells[1].source.at(-1), '    return torch.load(path, map_location="cpu")');
  });

  test('is repaired in a copy from its explanation, with the failed import as the program', async () => {
    const { page } = editor;
    await editor.run('View: Close All Editors');
    const shown = page.frameLocator('iframe.webview.ready >> visible=true').frameLocator('#active-frame');
    const repair = shown.getByRole('button', { name: 'Repair in a Copy' });
    const explain = async () => {
      await editor.openNotebook('imports.ipynb');
      await item('why this failed').click();
      await editor.tabInFront('Explanation: ').waitFor();
      // The notebook shows its outputs in a webview, too.
      await editor.run('View: Close Other Editors in Group');
    };
    await editor.openPage(explain, repair);
    await page.screenshot({ path: path.join(screenshots, 'notebook-repair.png') });
    await repair.click();
    const input = page.locator('.quick-input-box input');
    await editor.eventually(async () => assert.match(await input.inputValue(), /python\S*" -c "import transformers"$/));
    await page.keyboard.press('Escape');
  });
});
