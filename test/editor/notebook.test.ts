import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { type Editor, openEditor } from './editor.ts';

/** A notebook on disk, as Jupyter writes it. */
function notebook(...cells: readonly string[]): string {
  const document = {
    cells: cells.map((source, index) => ({
      cell_type: 'code',
      execution_count: null,
      id: `cell-${index}`,
      metadata: {},
      outputs: [],
      source: source.split(/(?<=\n)/),
    })),
    metadata: {
      kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' },
      language_info: { name: 'python' },
    },
    nbformat: 4,
    nbformat_minor: 5,
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}

const sourcesOf = (text: string): string[] =>
  JSON.parse(text).cells.map(({ source }: { source: string | string[] }) => [source].flat().join(''));

describe('a notebook in VS Code', () => {
  let editor: Editor;
  before(async () => {
    editor = await openEditor({
      'all.ipynb': notebook('import torch', 'a = torch.load("a.pt")', 'b = torch.load("b.pt")'),
      '.vscode/settings.json': '{ "notebook.codeActionsOnSave": { "notebook.source.fixAll.gpuDoctor": "explicit" } }',
      'bulb.ipynb': notebook('import torch', 'weights = torch.load("weights.pt")'),
    });
  });
  after(() => editor?.close());
  afterEach(({ name }) => editor?.finish(name));

  test('a cell has a squiggle, and the light bulb its fix', async () => {
    await editor.open('bulb.ipynb');
    await editor.fix(editor.page.locator('.notebookOverlay .squiggly-warning').first(), 'map_location="cpu"');
    assert.deepEqual(sourcesOf(await editor.save('bulb.ipynb')), [
      'import torch',
      'weights = torch.load("weights.pt", map_location="cpu")',
    ]);
  });

  test('saving fixes all cells where the user wants that', async () => {
    await editor.open('all.ipynb');
    await editor.page.locator('.notebookOverlay .squiggly-warning').nth(1).waitFor();
    await editor.page.locator('.notebookOverlay .view-line').first().click({ force: true });
    await editor.page.keyboard.press('End');
    await editor.page.keyboard.type('  # the library');
    assert.deepEqual(sourcesOf(await editor.save('all.ipynb')), [
      'import torch  # the library',
      'a = torch.load("a.pt", map_location="cpu")',
      'b = torch.load("b.pt", map_location="cpu")',
    ]);
  });
});
