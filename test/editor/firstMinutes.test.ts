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
  ['Check every change in CI', 'A workflow of two steps'],
] as const;

describe('the first minutes with the extension', () => {
  let editor: Editor;
  const statusBarItem = () => editor.page.locator('[id="gpu-doctor.gpu-doctor.gpuDoctor.stack"]');
  const step = (title: string) => editor.page.locator('.getting-started-step').filter({ hasText: title });

  before(async () => {
    editor = await openEditor({
      'notes.txt': 'Nothing to see here.\n',
      'requirements.txt': 'torch==2.6.0\n',
      Dockerfile: 'FROM python:3.12\n',
      'backup.sh': '#!/bin/sh\ntar czf backup.tar.gz src\n',
      'train.sh': '#!/bin/sh\nCUDA_VISIBLE_DEVICES=1 python train.py\n',
      'weights.safetensors': 'ab',
    });
  });
  after(() => editor?.close());
  afterEach(({ name }) => editor?.finish(name));

  for (const file of ['requirements.txt', 'Dockerfile', 'weights.safetensors', 'train.sh'])
    test(`the status bar shows the stack if only ${file} is open`, async () => {
      await editor.run('View: Close All Editors');
      await editor.open('notes.txt');
      await statusBarItem().waitFor({ state: 'hidden' });
      await editor.openTab(file);
      await statusBarItem().waitFor();
    });

  test('the status bar does not show the stack for a shell script that installs nothing and uses no GPU', async () => {
    await editor.run('View: Close All Editors');
    await editor.open('backup.sh');
    await statusBarItem().waitFor({ state: 'hidden' });
    await editor.openTab('train.sh');
    await statusBarItem().waitFor();
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
  });
});
