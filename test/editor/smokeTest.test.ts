import { after, afterEach, before, describe, test } from 'node:test';
import { ensurePython } from '../../scripts/python.ts';
import { type Editor, openEditor } from './editor.ts';

describe('the smoke test in VS Code', () => {
  let editor: Editor;
  before(async () => {
    const { torch } = await ensurePython();
    const settings = JSON.stringify({ 'gpuDoctor.interpreter': torch });
    editor = await openEditor({ 'main.py': 'import torch\n', '.vscode/settings.json': settings });
  });
  after(() => editor?.close());
  afterEach(({ name }) => editor?.finish(name));

  test('a command tests a real torch, and its result opens as a document', async () => {
    await editor.open('main.py');
    const document = editor.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    const show = async () => {
      await editor.run('GPU Doctor: Run GPU Smoke Test');
      await editor.tabInFront('GPU Smoke Test.md').waitFor();
    };
    await editor.openPage(show, document.getByText('GPU smoke test').first());
    await document.getByRole('heading', { name: /^PyTorch \d/ }).waitFor();
    await document.getByRole('row', { name: /convolution/ }).waitFor();
  });
});
