import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { type Editor, openEditor, screenshots } from './editor.ts';

describe('a folder whose authors are not trusted', () => {
  let editor: Editor;
  let traces: string;
  const item = (text: string | RegExp): Locator =>
    editor.page.locator('[id="gpu-doctor.gpu-doctor.gpuDoctor.stack"]').filter({ hasText: text });

  before(async () => {
    traces = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-traces-'));
    const environment = (name: string, version: string) => ({
      // It leaves a trace if it is started.
      [`${name}/bin/python`]: `#!/bin/sh\necho $$ >> '${path.join(traces, name)}'\nexit 1\n`,
      [`${name}/pyvenv.cfg`]: 'home = /usr/bin\nversion = 3.12.1\n',
      [`${name}/lib/python3.12/site-packages/torch/version.py`]: `__version__ = '${version}'\ncuda = None\nhip = None\n`,
      [`${name}/lib/python3.12/site-packages/torch-${version}.dist-info/METADATA`]: `Name: torch\nVersion: ${version}\n`,
    });
    const files = {
      'train.py': 'import torch\n\nweights = torch.load("weights.pt")\n',
      '.vscode/settings.json': '{ "gpuDoctor.interpreter": "chosen/bin/python" }',
      ...environment('chosen', '2.0.0+cpu'),
      ...environment('.venv', '1.9.0+cpu'),
    };
    const executables = ['chosen/bin/python', '.venv/bin/python'];
    editor = await openEditor(files, { untrusted: true, executables });
  });
  after(async () => {
    await editor?.close();
    await rm(traces, { recursive: true, force: true });
  });
  afterEach(({ name }) => editor?.finish(name));

  test('is checked without reading or starting any of its programs', async () => {
    await editor.open('train.py');
    await editor.page.locator('.squiggly-warning').first().waitFor();
    // Regardless of other Pythons on this machine.
    const known = item(/not read \(Restricted Mode\)/);
    await known.waitFor();
    assert.doesNotMatch(await known.innerText(), /torch|framework|Python/);
    await editor.pointAt(known, async () => {
      const hover = editor.page.locator('.monaco-hover');
      await hover.getByText('not read (Restricted Mode)').first().waitFor();
      await hover.getByText('GPU Doctor does not inspect Python in Restricted Mode').waitFor();
      await editor.page.screenshot({ path: path.join(screenshots, 'trust-tooltip.png') });
      await hover.getByRole('link', { name: 'Manage Workspace Trust' }).click();
      await editor.page.locator('.workspace-trust-editor').waitFor();
    });
    await editor.open('train.py');
    assert.equal(existsSync(path.join(traces, 'chosen')), false);
    assert.equal(existsSync(path.join(traces, '.venv')), false);
  });

  test('has no Python to select', async () => {
    await editor.run('GPU Doctor: Select Python Interpreter');
    await editor.page.getByText('To select an interpreter, trust the workspace').first().waitFor();
    await editor.page.getByText('Manage Workspace Trust').first().waitFor();
  });

  test("has the same actions in the status bar's menu as in the palette, and nothing is written into it", async () => {
    const { page } = editor;
    await editor.open('train.py');
    const entries = page.locator('.quick-input-list .monaco-list-row');
    await editor.insist(async () => {
      await item(/not read \(Restricted Mode\)/).click();
      await entries.filter({ hasText: 'Open Full Report' }).waitFor();
    });
    assert.equal(await entries.filter({ hasText: 'Record This Stack' }).count(), 0);
    assert.equal(await entries.filter({ hasText: /Run GPU Smoke Test|Repair in a copy/ }).count(), 0);
    await page.keyboard.press('Escape');
    assert.equal(existsSync(path.join(editor.folder, 'gpu-stack.yaml')), false);
  });

  test('has its errors explained, and no program is run for a repair', async () => {
    const { page } = editor;
    const error = 'AssertionError: Torch not compiled with CUDA enabled';
    const traceback = `Traceback (most recent call last):\n  File "train.py", line 3, in <module>\n    x = x.cuda()\n${error}\n`;
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(traceback)})`);
    const shown = page.frameLocator('iframe.webview.ready >> visible=true').frameLocator('#active-frame');
    const explain = () =>
      editor.insist(async () => {
        await editor.run('GPU Doctor: Explain Error');
        await page.locator('.quick-input-list').getByText('Explain the clipboard').click();
        await editor.tabInFront('Explanation: ').waitFor();
      });
    await editor.openPage(explain, shown.getByRole('heading', { name: 'What to do' }));
    assert.equal(await shown.getByRole('button', { name: 'Repair in a Copy' }).count(), 0);
    await page.screenshot({ path: path.join(screenshots, 'trust-explanation.png') });
  });

  test('is read once they are trusted', async () => {
    await editor.run('Workspaces: Manage Workspace Trust');
    await editor.page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
    await item('torch 2.0.0+cpu').waitFor();
    await editor.eventually(async () => assert.ok(existsSync(path.join(traces, 'chosen'))));
    assert.equal(existsSync(path.join(traces, '.venv')), false);
  });
});
