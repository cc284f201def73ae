import assert from 'node:assert/strict';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { type Editor, openEditor, screenshots } from './editor.ts';

const ONE = `import torch

weights = torch.load("weights.pt")
`;
const TWO = `import torch

encoder = torch.load("encoder.pt")
decoder = torch.load("decoder.pt")
`;

describe('Python files and their configuration in VS Code', () => {
  let editor: Editor;
  before(async () => {
    editor = await openEditor({
      '.gpu-doctor.yaml': 'ignroe: [GPU101]\n',
      'all.py': TWO,
      'bulb.py': ONE,
      'loud.py': ONE,
      'shown.py': ONE,
    });
  });
  after(() => editor?.close());
  afterEach(({ name }) => editor?.finish(name));

  test('a finding has a squiggle, and a hover explains its rule', async () => {
    const { page } = editor;
    await editor.open('shown.py');
    const hover = page.locator('.monaco-hover:visible');
    await editor.pointAt(page.locator('.squiggly-warning').first(), async () => {
      await hover.getByText('GPU101').first().waitFor();
      await hover.getByText('map_location').first().waitFor();
    });
  });

  test('the light bulb offers the fix', async () => {
    await editor.open('bulb.py');
    await editor.fix(editor.page.locator('.squiggly-warning').first(), 'map_location="cpu"');
    assert.equal(await editor.save('bulb.py'), ONE.replace('.pt")', '.pt", map_location="cpu")'));
    await editor.page.locator('.squiggly-warning').waitFor({ state: 'detached' });
  });

  test('"fix all" fixes every finding of the file', async () => {
    await editor.open('all.py');
    await editor.page.locator('.squiggly-warning').nth(1).waitFor();
    await editor.run('Fix All');
    assert.equal(await editor.save('all.py'), TWO.replaceAll('.pt")', '.pt", map_location="cpu")'));
    await editor.page.locator('.squiggly-warning').waitFor({ state: 'detached' });
  });

  test('a changed severity takes effect immediately', async () => {
    const warning = editor.page.locator('.squiggly-warning').first();
    const error = editor.page.locator('.squiggly-error').first();
    await editor.open('loud.py');
    await warning.waitFor();
    const settings = '.vscode/settings.json';
    await editor.write(settings, '{ "gpuDoctor.severity": { "GPU101": "error" } }', () => error.waitFor());
    await editor.write(settings, '{ "gpuDoctor.severity": { "GPU101": "off" } }', () =>
      error.waitFor({ state: 'detached' }),
    );
    await editor.write(settings, '{}', () => warning.waitFor());
  });

  test('unknown rules in the settings are named in one message, with a button that opens the settings', async () => {
    const { page } = editor;
    const settings = '.vscode/settings.json';
    const toast = page.locator('.notification-toast').filter({ hasText: "there is no rule 'GPU109'" });
    await editor.open('loud.py');
    await editor.write(settings, '{ "gpuDoctor.ignore": ["GPU109", "GPU299"] }', () => toast.first().waitFor());
    await toast
      .filter({ hasText: "Did you mean 'GPU101'?" })
      .filter({ hasText: "there is no rule 'GPU299'" })
      .waitFor();
    assert.equal(await page.locator('.notification-toast').count(), 1);
    await page.screenshot({ path: path.join(screenshots, 'unknown-rules-in-settings.png') });
    await toast.getByRole('button', { name: 'Open Settings' }).click();
    const opened = page.locator('.settings-editor').getByText('Check Workspace').first();
    await opened.waitFor();
    await page.keyboard.press('Escape');
    await opened.waitFor({ state: 'hidden' });
    await editor.write(settings, '{}', async () => {});
    await editor.open('loud.py');
    await page.locator('.squiggly-warning').first().waitFor();
  });

  test('a configuration file shows a mistake at the key, and takes effect before it is saved', async () => {
    const { page } = editor;
    await editor.open('loud.py');
    await page.locator('.squiggly-warning').first().waitFor();
    await editor.open('.gpu-doctor.yaml');
    const squiggle = page.locator('.squiggly-error');
    await squiggle.first().waitFor();
    assert.equal(await squiggle.count(), 1);

    await editor.fix(squiggle.first(), 'Replace with');
    await squiggle.first().waitFor({ state: 'detached' });
    await editor.open('loud.py');
    await page.locator('.squiggly-warning').first().waitFor({ state: 'detached' });
  });

  test('settings are completed and explained', async () => {
    const { page } = editor;
    await editor.open('.gpu-doctor.yaml');
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('sev');
    const suggestions = page.locator('.suggest-widget.visible');
    await editor.insist(async () => {
      await page.keyboard.press('Control+Space');
      await suggestions.getByText('severity').first().waitFor();
    });
    await page.screenshot({ path: path.join(screenshots, 'settings-completion.png') });
    await page.keyboard.press('Enter');
    await editor.pointAt(page.locator('.view-line').getByText('severity').first(), async () => {
      await page.locator('.monaco-hover:visible').getByText('Overrides the severity of rules').first().waitFor();
    });
  });
});
