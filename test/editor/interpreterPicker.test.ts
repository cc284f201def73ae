import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { type Editor, openEditor, screenshots } from './editor.ts';
import { environment } from './environment.ts';

/** An environment of that Python with nothing installed. */
function empty(name: string, version: string): Record<string, string> {
  return {
    [`${name}/pyvenv.cfg`]: `home = /usr/bin\nversion = ${version}\n`,
    [`${name}/bin/python`]: '#!/bin/sh\nexit 1\n',
  };
}

describe('selecting a Python without the Python extension', () => {
  let editor: Editor;
  const torch = (version: string): Locator =>
    editor.page.locator('[id="gpu-doctor.gpu-doctor.gpuDoctor.stack"]').filter({ hasText: `torch ${version}` });
  const choose = async (entry: string) => {
    const { page } = editor;
    const row = page.locator('.quick-input-list').getByRole('option', { name: entry }).first();
    await editor.insist(async () => {
      await editor.run('GPU Doctor: Select Python Interpreter');
      await row.waitFor();
      await page.screenshot({ path: path.join(screenshots, 'interpreter-picker.png') });
      await row.click();
      await row.waitFor({ state: 'hidden' });
    });
  };

  before(async () => {
    const files = {
      'main.py': 'import torch\n',
      ...environment('.venv', '2.0.0+cpu'),
      ...environment('other', '2.1.0+cpu'),
      ...empty('aged-old', '2.7.18'),
      ...empty('aged-plain', '3.11.2'),
    };
    const executables = ['.venv', 'other', 'aged-old', 'aged-plain'].map((each) => `${each}/bin/python`);
    editor = await openEditor(files, { executables });
    await editor.open('main.py');
  });
  after(() => editor?.close());
  afterEach(({ name }) => editor?.finish(name));

  test('lists those with a framework first, and Python 2 last', async () => {
    const { page } = editor;
    await torch('2.0.0+cpu').waitFor();
    const rows = page.locator('.quick-input-list .monaco-list-row');
    await editor.insist(async () => {
      await editor.run('GPU Doctor: Select Python Interpreter');
      await rows.filter({ hasText: 'torch 2.0.0+cpu' }).waitFor();
    });
    await page.screenshot({ path: path.join(screenshots, 'interpreter-order.png') });
    const texts = await rows.allInnerTexts();
    const placeOf = (words: string) => texts.findIndex((each) => each.replaceAll(/\s+/g, ' ').includes(words));
    const [first, second] = [placeOf('torch 2.0.0+cpu'), placeOf('torch 2.1.0+cpu')];
    assert.ok(first >= 0 && second >= 0, texts.join('\n'));
    const plain = placeOf('Python 3.11.2 (aged-plain)');
    assert.ok(first < plain && second < plain, texts.join('\n'));
    assert.equal(placeOf('Python 2.7'), -1);
    // Only those in sight are drawn; up from the first is the last.
    await page.keyboard.press('ArrowUp');
    await rows
      .filter({ hasText: 'Python 2.7.18 (aged-old)' })
      .filter({ hasText: /Python 2$/ })
      .waitFor();
    await rows.and(page.locator('.focused')).filter({ hasText: 'Python 2.7' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('lists the Pythons, and writes nothing into the folder', async () => {
    await torch('2.0.0+cpu').waitFor();
    await choose('torch 2.1.0+cpu');
    await torch('2.1.0+cpu').waitFor();
    assert.equal(existsSync(path.join(editor.folder, '.vscode')), false);
  });

  test('the log names the selected Python with the reason, and the started programs', async () => {
    await editor.run('GPU Doctor: Show Logs');
    // Short enough for one line with any folder path.
    await editor.page.locator('.part.panel .view-line').filter({ hasText: 'The stack was read' }).first().waitFor();
    for (const line of [
      /Python for .*project: .*other\/bin\/python, 3\.12\.1, chosen by: selected by you\.\n/,
      /Started .*\.venv\/bin\/python .*: exit status 1 after \d+ ms\.\n/,
      /The stack was read in \d+ ms\.\n/,
    ])
      await editor.eventually(async () => assert.match(await editor.log(), line));
  });

  test('forgets the selection', async () => {
    await choose('Choose Automatically');
    await torch('2.0.0+cpu').waitFor();
  });

  test('a restart is confirmed', async () => {
    await editor.run('GPU Doctor: Restart Server');
    await editor.page.locator('.statusbar').getByText('GPU Doctor was restarted').waitFor();
    await torch('2.0.0+cpu').waitFor();
  });
});
