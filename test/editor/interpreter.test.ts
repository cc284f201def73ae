import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { type Editor, openEditor, screenshots } from './editor.ts';
import { environment } from './environment.ts';
import { jupyter } from './workbenchInUse.ts';

function notebook(kernel: string): string {
  const kernelspec = { display_name: kernel, language: 'python', name: kernel };
  return JSON.stringify({ cells: [], metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 });
}

/** Installs a Jupyter kernel of that name, with its own environment. */
async function installKernel(name: string, version: string): Promise<void> {
  const python = path.join(jupyter, 'environment', 'bin', 'python');
  const files = {
    ...environment('environment', version),
    [`kernels/${name}/kernel.json`]: JSON.stringify({ argv: [python, '-m', 'ipykernel_launcher'] }),
  };
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(jupyter, file)), { recursive: true });
    await writeFile(path.join(jupyter, file), text);
  }
}

describe('which Python is read', () => {
  let editor: Editor;
  const torch = (version: string): Locator =>
    editor.page.locator('[id="gpu-doctor.gpu-doctor.gpuDoctor.stack"]').filter({ hasText: `torch ${version}` });

  before(async () => {
    const files = {
      'main.py': 'import torch\n',
      'explore.ipynb': notebook('python3'),
      'saved.ipynb': notebook('vision'),
      ...environment('.venv', '2.0.0+cpu'),
      ...environment('first', '2.1.0+cpu'),
      ...environment('second', '2.2.0+cpu'),
      ...environment('kernel', '2.3.0+cpu'),
      ...environment('chosen', '2.4.0+cpu'),
    };
    await installKernel('vision', '2.5.0+cpu');
    editor = await openEditor(files, { extensions: ['python', 'jupyter'] });
  });
  after(async () => {
    await editor?.close();
    await rm(jupyter, { recursive: true, force: true });
  });
  afterEach(({ name }) => editor?.finish(name));

  test('the selection of the Python extension, and its changes', async () => {
    await editor.open('main.py');
    await torch('2.1.0+cpu').waitFor();
    const entry = editor.page.locator('.quick-input-list').getByText('Select Python Interpreter');
    await editor.insist(async () => {
      await torch('2.1.0+cpu').click();
      await entry.click();
      await entry.waitFor({ state: 'hidden' });
    });
    await torch('2.2.0+cpu').waitFor();
  });

  test('in a notebook, the Python of its kernel', async () => {
    await editor.openTab('explore.ipynb');
    await torch('2.3.0+cpu').waitFor();
    await editor.page.locator('.activitybar').getByRole('tab', { name: 'GPU Doctor' }).click();
    const row = editor.page.locator('.pane-body .monaco-list-row', { hasText: 'Python 3.12.1' });
    await row.filter({ hasText: 'kernel of the notebook' }).waitFor();
    await editor.page.screenshot({ path: path.join(screenshots, 'the-stack-of-a-notebook.png') });
    await editor.page.locator('.activitybar').getByRole('tab', { name: 'Explorer' }).click();
    await editor.open('main.py');
    await torch('2.2.0+cpu').waitFor();
  });

  test('in a notebook without a selected kernel, the Python of the saved kernel', async () => {
    await editor.openTab('saved.ipynb');
    await torch('2.5.0+cpu').waitFor();
  });

  test('the setting takes precedence over all others', async () => {
    await editor.write('.vscode/settings.json', '{ "gpuDoctor.interpreter": "chosen" }', () =>
      torch('2.4.0+cpu').waitFor(),
    );
  });
});

describe('which Python is read, among several folders', () => {
  let editor: Editor;
  before(async () => {
    const files = {
      'both.code-workspace': '{ "folders": [{ "path": "first" }, { "path": "second" }] }',
      'first/train.py': 'import torch\n',
      ...environment('first/.venv', '2.0.0+cpu'),
      'second/infer.py': 'import torch\n',
      ...environment('second/.venv', '2.1.0+cpu'),
    };
    editor = await openEditor(files, { workspace: 'both.code-workspace' });
  });
  after(() => editor?.close());
  afterEach(({ name }) => editor?.finish(name));

  test("the Python of the active file's folder", async () => {
    for (const [file, version] of [
      ['infer.py', '2.1.0+cpu'],
      ['train.py', '2.0.0+cpu'],
    ] as const) {
      await editor.openByName(file);
      await editor.page
        .locator('.statusbar-item')
        .filter({ hasText: `torch ${version}` })
        .waitFor();
    }
  });

  test('a record is of this folder and written into it, even if another editor becomes active', async () => {
    const { page } = editor;
    await editor.openByName('train.py');
    await editor.run('GPU Doctor: Show GPU Stack');
    await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Open Full Report' }).click();
    // The tab becomes active when it is ready, which may be after a record that is requested immediately.
    await editor.tabInFront('GPU Stack').waitFor();
    await editor.run('GPU Doctor: Record This Stack');
    await editor.tabInFront('gpu-stack.yaml').waitFor();
    const record = await readFile(path.join(editor.folder, 'first', 'gpu-stack.yaml'), 'utf8');
    assert.match(record, /version: 2\.0\.0\+cpu/);
    await editor.openByName('infer.py');
    await editor.run('GPU Doctor: Record This Stack');
    await page.locator('.view-line').filter({ hasText: '2.1.0+cpu' }).waitFor();
    const other = await readFile(path.join(editor.folder, 'second', 'gpu-stack.yaml'), 'utf8');
    assert.match(other, /version: 2\.1\.0\+cpu/);
  });
});
