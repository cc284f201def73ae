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
      '.vscode/settings.json': '{ "notebook.codeActionsOnSave": { "notebook.source.fixAll.gpuDoctor": "explicit" } }',
      'load.ipynb': notebook('import torch', 'a = torch.load("a.pt")', 'b = torch.load("b.pt")'),
    });
  });
  after(() => editor?.close());
  afterEach(({ name }) => editor?.finish(name));

  test('a cell has a squiggle, and the light bulb its fix', async () => {
    await editor.open('load.ipynb');
    const squiggles = editor.page.locator('.notebookOverlay .squiggly-warning');
    await squiggles.nth(1).waitFor();
    await editor.fix(squiggles.first(), 'map_location="cpu"');
    const mended = editor.page.locator('.notebookOverlay .view-line').filter({ hasText: 'map_location="cpu"' });
    await mended.waitFor();
    await squiggles.nth(1).waitFor({ state: 'detached' });
  });

  test('saving mends all cells where the user wants that', async () => {
    assert.deepEqual(sourcesOf(await editor.save('load.ipynb')), [
      'import torch',
      'a = torch.load("a.pt", map_location="cpu")',
      'b = torch.load("b.pt", map_location="cpu")',
    ]);
  });
});
