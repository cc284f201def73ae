import assert from 'node:assert/strict';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { screenshots } from './actions.ts';
import { type Editor, openEditor } from './editor.ts';

const LOAD = `import torch

weights = torch.load("weights.pt")
`;
const PYPROJECT = '[project]\nname = "old"  # ours\n';
const MANY = `import torch\n\n${Array.from({ length: 6 }, (_, index) => `w${index} = torch.load("w${index}.pt")\n`).join('')}`;

describe('the ways into an old project', () => {
  let editor: Editor;
  before(async () => {
    editor = await openEditor({
      'train.py': LOAD,
      'many.py': MANY,
      'pyproject.toml': PYPROJECT,
    });
  });
  after(() => editor?.close());
  afterEach(({ name }) => editor?.finish(name));

  const squiggle = () => editor.page.locator('.squiggly-warning').first();
  const entry = (title: string) =>
    editor.page.locator('.action-widget .monaco-list-row.action').filter({ hasText: title }).first();

  test('the light bulb offers the fix and two ways to ignore the finding', async () => {
    const { page } = editor;
    await editor.open('train.py');
    await editor.openLightBulb(squiggle());
    await entry('Ignore GPU101 in this project').waitFor();
    await page.screenshot({ path: path.join(screenshots, 'actions-at-a-finding.png') });
    const titles = await page.locator('.action-widget .monaco-list-row.action').allInnerTexts();
    const own = titles.filter((title) => /GPU|map_location|cpu/.test(title));
    assert.ok(own.length <= 4, own.join('\n'));
    await page.keyboard.press('Escape');
    await editor.run('View: Close All Editors');
  });

  test('all fixes of a file are applied at once, and one key undoes them', async () => {
    await editor.open('many.py');
    await squiggle().waitFor();
    await editor.run('Fix All');
    await squiggle().waitFor({ state: 'detached' });
    await editor.run('Undo');
    await squiggle().waitFor();
    await editor.run('Fix All');
    await squiggle().waitFor({ state: 'detached' });
    assert.equal(await editor.save('many.py'), MANY.replaceAll('.pt")', '.pt", map_location="cpu")'));
  });

  test('a rule is ignored in the project, whose edited settings are shown and can be undone', async () => {
    const { page } = editor;
    await editor.open('train.py');
    await squiggle().waitFor();
    await editor.insist(async () => {
      if (await squiggle().isVisible()) {
        await editor.openLightBulb(squiggle());
        await entry('Ignore GPU101 in this project (pyproject.toml)').click();
      }
      await editor.tabInFront('pyproject.toml').waitFor();
    });
    const table = page.locator('.view-line').filter({ hasText: '[tool.gpu-doctor]' });
    await table.waitFor();
    await page.screenshot({ path: path.join(screenshots, 'ignored-in-project.png') });
    await editor.run('Undo');
    await table.waitFor({ state: 'detached' });
    await editor.run('Redo');
    await table.waitFor();
    await editor.open('train.py');
    await squiggle().waitFor({ state: 'detached' });
    await editor.open('pyproject.toml');
    assert.equal(await editor.save('pyproject.toml'), `${PYPROJECT}\n[tool.gpu-doctor]\nignore = ["GPU101"]\n`);
  });
});

describe('a new project', () => {
  let editor: Editor;
  before(async () => {
    editor = await openEditor({ 'train.py': LOAD });
  });
  after(() => editor?.close());
  afterEach(({ name }) => editor?.finish(name));

  test('gets a configuration file with comments that explain it', async () => {
    const { page } = editor;
    await editor.run('GPU Doctor: Create Configuration File');
    await editor.tabInFront('.gpu-doctor.yaml').waitFor();
    await page.locator('.view-line').filter({ hasText: '# ignore: [GPU301]' }).waitFor();
    assert.match(await editor.save('.gpu-doctor.yaml'), /^# severity:$/m);
  });
});
