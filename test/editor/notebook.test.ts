import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { type Editor, openEditor } from './editor.ts';
import { code, markdown, notebook } from './notebookFile.ts';

const sourcesOf = (text: string): string[] =>
  JSON.parse(text).cells.map(({ source }: { source: string | string[] }) => [source].flat().join(''));

describe('a notebook in VS Code', () => {
  let editor: Editor;
  before(async () => {
    editor = await openEditor({
      '.vscode/settings.json': '{ "notebook.codeActionsOnSave": { "notebook.source.fixAll.gpuDoctor": "explicit" } }',
      'load.ipynb': notebook(
        markdown('# What `torch.load("a.pt")` gives'),
        code('import torch'),
        code('a = torch.load("a.pt")'),
        markdown('## And another'),
        code('b = torch.load("b.pt")\nprint(b)'),
      ),
    });
  });
  after(() => editor?.close());
  afterEach(({ name }) => editor?.finish(name));

  test('a cell has a squiggle with a fix in the light bulb', async () => {
    await editor.openNotebook('load.ipynb');
    const squiggles = editor.page.locator('.notebookOverlay .squiggly-warning');
    await squiggles.nth(1).waitFor();
    await editor.fix(squiggles.first(), 'map_location="cpu"');
    const mended = editor.page.locator('.notebookOverlay .view-line').filter({ hasText: 'map_location="cpu"' });
    await mended.waitFor();
    await squiggles.nth(1).waitFor({ state: 'detached' });
  });

  test('nothing is offered without findings', async () => {
    const { page } = editor;
    await editor.insist(async () => {
      await page.locator('.notebookOverlay .view-line').filter({ hasText: 'print(b)' }).click();
      await page.keyboard.press('Control+.');
      await page.getByText('No code actions available').waitFor();
    });
    await editor.insist(async () => {
      await page.locator('.notebookOverlay .view-line').filter({ hasText: 'print(b)' }).click();
      await editor.run('Source Action...');
      await page.locator('.action-widget').getByText('Fix all GPU Doctor findings in this notebook').waitFor();
    });
    await page.keyboard.press('Escape');
  });

  test('saving fixes all cells if configured, even if the first is Markdown', async () => {
    assert.deepEqual(sourcesOf(await editor.save('load.ipynb')), [
      '# What `torch.load("a.pt")` gives',
      'import torch',
      'a = torch.load("a.pt", map_location="cpu")',
      '## And another',
      'b = torch.load("b.pt", map_location="cpu")\nprint(b)',
    ]);
  });
});
