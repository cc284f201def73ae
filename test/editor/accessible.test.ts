import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import axe, { type AxeResults } from 'axe-core';
import type { FrameLocator } from 'playwright-core';
import { root } from '../../scripts/root.ts';
import { type Editor, openEditor } from './editor.ts';

const THEMES = {
  light: 'Default Light Modern',
  dark: 'Default Dark Modern',
  'high-contrast': 'Default High Contrast',
};

const fixture = (name: string): Uint8Array => readFileSync(path.join(root, 'test', 'checkpoint', 'fixtures', name));

const ERROR = 'RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False.';

/** Returns axe-core's findings on a webview's page, as readable lines. */
async function violations(shown: FrameLocator): Promise<string[]> {
  const body = shown.locator('body');
  await body.evaluate(`(() => { ${axe.source} })()`);
  const results = (await body.evaluate(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })`,
  )) as AxeResults;
  assert.ok(results.passes.length > 5, 'so many rules have something to look at');
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n  ${html}\n  ${failureSummary ?? ''}`),
  );
}

describe('the views in VS Code are accessible', () => {
  let editor: Editor;
  const shown = () => editor.page.frameLocator('iframe.webview.ready >> visible=true').frameLocator('#active-frame');

  before(async () => {
    editor = await openEditor({
      'main.py': 'import torch\n',
      'training.ckpt': fixture('torch/training.ckpt'),
      'broken.pt': 'no checkpoint',
      'error.txt': `${ERROR}\n`,
    });
    await editor.open('main.py');
  });
  after(() => editor?.close());
  afterEach(({ name }) => editor?.finish(name));

  const views: Readonly<Record<string, () => Promise<void>>> = {
    'a checkpoint': () =>
      editor.openPage(
        () => editor.openTab('training.ckpt'),
        shown().getByRole('treegrid').or(shown().getByRole('grid')).first(),
      ),
    'what is no checkpoint': () =>
      editor.openPage(() => editor.openTab('broken.pt'), shown().locator('main, h1, p').first()),
    'an explanation': () =>
      editor.openPage(
        async () => {
          await editor.open('error.txt');
          await editor.insist(async () => {
            await editor.page.locator('.view-line').first().click();
            await editor.page.keyboard.press('Control+A');
            await editor.page.locator('.statusbar').getByText('selected').waitFor();
          });
          await editor.run('GPU Doctor: Explain Error');
        },
        shown().getByRole('heading', { name: 'What to do' }),
      ),
  };

  for (const [view, open] of Object.entries(views))
    test(`${view}, in every theme`, async () => {
      await editor.run('View: Close All Editors');
      await open();
      for (const [kind, theme] of Object.entries(THEMES)) {
        await editor.write('.vscode/settings.json', JSON.stringify({ 'workbench.colorTheme': theme }), () =>
          shown().locator(`body[data-vscode-theme-kind="vscode-${kind}"]`).waitFor(),
        );
        assert.deepEqual(await violations(shown()), [], kind);
      }
    });
});
