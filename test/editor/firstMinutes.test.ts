import assert from 'node:assert/strict';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { type Editor, openEditor, screenshots } from './editor.ts';

const THEMES = {
  light: { title: 'Default Light Modern', style: 'vs' },
  dark: { title: 'Default Dark Modern', style: 'vs-dark' },
  'high-contrast': { title: 'Default High Contrast', style: 'hc-black' },
};

/** The steps of the walkthrough, each with the label of its image. */
const STEPS = [
  ['See a finding', 'A call of torch.load is underlined'],
  ['Fix it', 'The light bulb offers'],
  ['Read the GPU stack', 'The status bar shows'],
  ['Inspect a checkpoint', 'The checkpoint inspector'],
  ['Explain an error', 'An error in a terminal'],
] as const;

describe('the first minutes with the extension', () => {
  let editor: Editor;
  const statusBarItem = () => editor.page.locator('[id="gpu-doctor.gpu-doctor.gpuDoctor.stack"]');
  const step = (title: string) => editor.page.locator('.getting-started-step').filter({ hasText: title });

  before(async () => {
    editor = await openEditor({
      'app.py': 'from flask import Flask\n\napp = Flask(__name__)\n',
      'requirements.txt': 'flask==3.1.0\n',
      Dockerfile: 'FROM python:3.12\nRUN pip install flask\n',
    });
  });
  after(() => editor?.close());
  afterEach(({ name }) => editor?.finish(name));

  const view = () => editor.page.locator('.activitybar').getByRole('tab', { name: 'GPU Doctor' });

  test('a project without GPUs shows neither the status bar item nor the view', async () => {
    for (const file of ['app.py', 'requirements.txt', 'Dockerfile']) await editor.open(file);
    // By then, the server has answered.
    await editor.run('GPU Doctor: Refresh GPU Stack');
    await editor.page.screenshot({ path: path.join(screenshots, 'project-without-gpus.png') });
    assert.equal(await statusBarItem().isVisible(), false);
    assert.equal(await view().count(), 0);
  });

  test('both appear when a GPU framework is required', async () => {
    await editor.write('requirements.txt', 'flask==3.1.0\ntorch==2.6.0\n', () => statusBarItem().waitFor());
    await view().waitFor();
  });

  test('a walkthrough shows each feature in every theme, and opens an example with findings', async () => {
    const { page } = editor;
    await editor.run('View: Close All Editors');
    // The image is next to the steps if there is room for both.
    await page.setViewportSize({ width: 1700, height: 900 });
    await editor.insist(async () => {
      await page.keyboard.press('F1');
      await page.locator('.quick-input-widget input[type=text]').fill('>Welcome: Open Walkthrough...');
      await page.keyboard.press('Enter');
      await page.locator('.quick-input-list').getByText('Get Started with GPU Doctor').click();
      await step('See a finding').waitFor();
    });
    const frame = page.frameLocator('.getting-started-media iframe').frameLocator('#active-frame');
    for (const [name, theme] of Object.entries(THEMES)) {
      await editor.write('.vscode/settings.json', JSON.stringify({ 'workbench.colorTheme': theme.title }), () =>
        page.locator(`.monaco-workbench.${theme.style}`).waitFor(),
      );
      for (const [title, label] of STEPS) {
        await step(title).click();
        await frame.locator(`svg[aria-label^="${label}"]`).waitFor();
        await page.screenshot({
          path: path.join(screenshots, `walkthrough-${name}-${title.replaceAll(' ', '-')}.png`),
        });
      }
    }
    await step('See a finding').click();
    await page.getByRole('button', { name: 'Open an Example' }).click();
    await page.locator('.squiggly-warning').first().waitFor();
    const welcome = page
      .locator('.tabs-container .tab')
      .filter({ hasText: /Walkthrough|Welcome|Get Started/ })
      .first();
    const press = async (title: string, button: string) => {
      await welcome.click();
      await step(title).click();
      await page.getByRole('button', { name: button }).click();
    };
    await press('Fix it', 'Show Fixes');
    await page.locator('.action-widget').getByText('map_location="cpu"').first().waitFor();
    await page.keyboard.press('Escape');
    const shown = page.frameLocator('iframe.webview.ready >> visible=true').frameLocator('#active-frame');
    await press('Inspect a checkpoint', 'Inspect an Example');
    await shown.locator('h1', { hasText: 'digits.pt' }).waitFor();
    await press('Explain an error', 'Explain an Example');
    await shown.getByText('map_location').first().waitFor();
  });
});
