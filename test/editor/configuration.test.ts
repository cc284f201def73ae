import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { type Editor, openEditor } from './editor.ts';

const PROGRAM = `import torch

weights = torch.load("weights.pt")
`;

describe('a configuration file in VS Code', () => {
  let editor: Editor;
  before(async () => {
    editor = await openEditor({ '.gpu-doctor.yaml': 'ignroe: [GPU101]\n', 'train.py': PROGRAM });
  });
  after(() => editor?.close());
  afterEach((context) => editor.finish(context.name));

  test('shows its mistake at the key, and takes effect before it is saved', async () => {
    const { page } = editor;
    await editor.open('train.py');
    await page.locator('.squiggly-warning').first().waitFor();
    await editor.open('.gpu-doctor.yaml');
    const squiggle = page.locator('.squiggly-error');
    await squiggle.first().waitFor();
    assert.equal(await squiggle.count(), 1);

    await page.keyboard.press('Control+Home');
    for (let index = 0; index < 'ignroe'.length; index++) await page.keyboard.press('Delete');
    await page.keyboard.type('ignore');
    await squiggle.first().waitFor({ state: 'detached' });
    await editor.open('train.py');
    await page.locator('.squiggly-warning').first().waitFor({ state: 'detached' });
  });
});
