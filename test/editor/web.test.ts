import assert from 'node:assert/strict';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { screenshots } from './editor.ts';
import { openWebEditor, type WebEditor } from './webEditor.ts';

const ONE = `import torch

weights = torch.load("weights.pt")
`;

describe('VS Code in a browser without a machine', () => {
  let editor: WebEditor;
  before(async () => {
    editor = await openWebEditor({
      'bulb.py': ONE,
      'requirements.txt': 'torch==2.1.0\ntorchvision==0.15.2\n',
    });
  });
  after(() => editor?.close());
  afterEach(({ name }) => editor?.finish(`web ${name}`));

  test('a finding has a squiggle and a fix', async () => {
    await editor.open('bulb.py');
    await editor.fix(editor.page.locator('.squiggly-warning').first(), 'map_location="cpu"');
    assert.equal(await editor.save('bulb.py'), ONE.replace('.pt")', '.pt", map_location="cpu")'));
    await editor.page.locator('.squiggly-warning').waitFor({ state: 'detached' });
    await editor.page.screenshot({ path: path.join(screenshots, 'web-fixed.png') });
  });
});
