import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
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
      'keras_load.py': 'import keras\n\nmodel = keras.models.load_model("model.keras")\n',
      'many.py': MANY,
      'pyproject.toml': PYPROJECT,
    });
  });
  after(() => editor?.close());
  afterEach(({ name }) => editor?.finish(name));

  const squiggle = () => editor.page.locator('.squiggly-warning').first();
  const entry = (title: string) =>
    editor.page.locator('.action-widget .monaco-list-row.action').filter({ hasText: title }).first();

  test('an action shows the documentation of a rule', async () => {
    const { page } = editor;
    await editor.open('train.py');
    await editor.openLightBulb(squiggle());
    await page.screenshot({ path: path.join(screenshots, 'actions-at-a-finding.png') });
    await editor.insist(async () => {
      if (!(await entry('Show documentation for GPU101').isVisible())) await editor.openLightBulb(squiggle());
      await entry('Show documentation for GPU101').click();
      await editor.tabInFront('GPU101').waitFor();
    });
    await editor.run('View: Close All Editors');
  });

  test('fixes in more than five places are previewed', async () => {
    const { page } = editor;
    await editor.open('many.py');
    await squiggle().waitFor();
    await editor.run('Fix All');
    const preview = page.locator('.refactor-preview-container, [id="refactorPreview"]').first();
    await preview.waitFor();
    await page.screenshot({ path: path.join(screenshots, 'preview-of-fix-all.png') });
    assert.equal(await readFile(path.join(editor.folder, 'many.py'), 'utf8'), MANY);
    // Changes that need a confirmation are not checked; the file's checkbox covers all of its places.
    const box = page.locator('.edit-checkbox').first();
    await editor.insist(async () => {
      if ((await box.getAttribute('aria-checked')) !== 'true') await box.click();
      await page.locator('.edit-checkbox[aria-checked=true]').nth(6).waitFor();
      await page.getByRole('button', { name: 'Apply' }).first().click();
      await box.waitFor({ state: 'hidden' });
    });
    assert.equal(await editor.save('many.py'), MANY.replaceAll('.pt")', '.pt", map_location="cpu")'));
  });

  test('a rule is ignored in the workspace', async () => {
    await editor.open('keras_load.py');
    const info = editor.page.locator('.squiggly-info').first();
    await info.waitFor();
    await editor.insist(async () => {
      if (await info.isVisible()) {
        await editor.openLightBulb(info);
        await entry('Ignore GPU301 in this workspace').click();
      }
      await info.waitFor({ state: 'detached' });
    });
    const settings = await readFile(path.join(editor.folder, '.vscode/settings.json'), 'utf8');
    assert.deepEqual(JSON.parse(settings), { 'gpuDoctor.ignore': ['GPU301'] });
  });

  test('a rule is ignored in the project, whose other settings stay', async () => {
    const { page } = editor;
    await editor.open('train.py');
    await squiggle().waitFor();
    await editor.insist(async () => {
      if (await squiggle().isVisible()) {
        await editor.openLightBulb(squiggle());
        await entry('Ignore GPU101 in this project (pyproject.toml)').click();
      }
      await squiggle().waitFor({ state: 'detached' });
    });
    await editor.open('pyproject.toml');
    await page.locator('.view-line').filter({ hasText: '[tool.gpu-doctor]' }).waitFor();
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
