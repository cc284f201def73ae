import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { type Editor, openEditor } from './editor.ts';

describe('environment files in VS Code', () => {
  let editor: Editor;
  before(async () => {
    editor = await openEditor({
      'requirements.txt': 'torch==2.1.0\ntorchvision==0.15.2  # for the transforms\n',
      Dockerfile: 'FROM nvcr.io/nvidia/pytorch:23.10-py3\nRUN pip install torch==2.1.0\n',
    });
  });
  after(() => editor?.close());
  afterEach((context) => editor.finish(context.name));

  test('a Dockerfile is judged', async () => {
    await editor.open('Dockerfile');
    const squiggle = editor.page.locator('.squiggly-warning').first();
    await squiggle.waitFor();
    const hover = editor.page.locator('.monaco-hover:visible');
    await editor.pointAt(squiggle, () => hover.getByText("NVIDIA's own torch").first().waitFor());
  });

  test('pointing at a requirement shows what it brings', async () => {
    const { page } = editor;
    await editor.open('requirements.txt');
    const squiggle = page.locator('.squiggly-warning').first();
    await squiggle.waitFor();
    const hover = page.locator('.monaco-hover:visible');
    await editor.pointAt(page.getByText('torch==2.1.0').first(), () =>
      hover.getByText('Lowest driver').first().waitFor(),
    );
  });

  test('requirements are mended', async () => {
    await editor.open('requirements.txt');
    const squiggle = editor.page.locator('.squiggly-warning').first();
    await editor.fix(squiggle, 'Write torchvision 0.16.0');
    await squiggle.waitFor({ state: 'detached' });
    assert.equal(await editor.save('requirements.txt'), 'torch==2.1.0\ntorchvision==0.16.0  # for the transforms\n');
  });
});
