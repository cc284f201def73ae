import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { run } from '../cli/run.ts';
import { type Editor, openEditor } from './editor.ts';
import { code, markdown, notebook } from './notebookFile.ts';

const FILE = 'long.ipynb';

/** Sixty cells in turn: a heading, a unique load, and something else. The last one makes torch another module. */
const CELLS = Array.from({ length: 60 }, (_, index) => {
  if (index === 1) return code('import torch');
  if (index === 59) return code('import json as torch');
  if (index % 3 === 0) return markdown(`## Step ${index}\n\nIt would be \`torch.load("model.pt")\`.`);
  if (index % 3 === 2) return code(`epochs_${index} = ${index}\nprint(epochs_${index})`);
  const comments = '# of another run\n'.repeat(index % 4);
  return code(`${comments}${'m'.repeat(index)} = torch.load("${index}.pt")`);
});

/** A finding as named by both the Problems view and the command line, without the cell, which Problems omits. */
type Problem = `${string} ${number}:${number}`;

describe('a long notebook in VS Code', () => {
  let editor: Editor;
  let folder: string;
  before(async () => {
    editor = await openEditor({ [FILE]: notebook(...CELLS) });
    folder = editor.folder;
    // Makes room for all rows of the list next to the notebook.
    await editor.page.setViewportSize({ width: 1600, height: 1200 });
    await editor.openNotebook(FILE);
    await editor.run('View: Focus Problems (Errors, Warnings, Infos)');
    await editor.run('View: Move Panel Right');
  });
  after(() => editor?.close());
  afterEach(({ name }) => editor?.finish(name));

  const shown = async (): Promise<Problem[]> => {
    const rows = await editor.page.locator('.markers-panel .monaco-list-row').allInnerTexts();
    return rows
      .flatMap((row): Problem[] => {
        const [, code = '', line, column] = /(\w+)\s+\[Ln (\d+), Col (\d+)\]/.exec(row) ?? [];
        return line === undefined ? [] : [`${code} ${Number(line)}:${Number(column)}`];
      })
      .sort();
  };
  const checked = async (): Promise<Problem[]> => {
    const { stdout } = await run(['check', '--output-format', 'json', FILE], { cwd: folder });
    const found: { code: string; location: { row: number; column: number } }[] = JSON.parse(stdout);
    return found.map(({ code, location }): Problem => `${code} ${location.row}:${location.column}`).sort();
  };
  /** Waits until the list shows as many findings as the command line prints for the file on disk, and the same ones. */
  const agrees = async (count: number) => {
    const expected = await checked();
    assert.equal(expected.length, count);
    await editor.eventually(async () => assert.deepEqual(await shown(), expected));
  };
  const line = (text: string) => editor.page.locator('.notebookOverlay .view-line').filter({ hasText: text });
  /** The cell with the cursor. */
  const typing = () => editor.page.locator('.notebookOverlay .monaco-editor.focused');
  /** Selects a whole cell by one of its lines. */
  const select = async (text: string) => {
    await line(text).click();
    await editor.page.keyboard.press('Escape');
    await editor.page.locator('.cell-list-container .monaco-list-row.focused').filter({ hasText: text }).waitFor();
    await typing().waitFor({ state: 'detached' });
  };

  test('all findings are listed when it is opened, including those in cells out of view', () => agrees(19));

  test('they stay when other cells are scrolled into view', async () => {
    const { page } = editor;
    await line('import torch').hover();
    for (const step of [1000, 3000, -10_000]) {
      await page.mouse.wheel(0, step);
      await agrees(19);
    }
    await editor.insist(async () => {
      await select('import torch');
      await page.keyboard.press('Control+End');
      await line('import json as torch').waitFor();
    });
    await agrees(19);
  });

  test('moving a cell also moves its effect on others', async () => {
    const { page } = editor;
    await editor.insist(() => select('import json as torch'));
    await page.keyboard.press('Alt+ArrowUp');
    await editor.save(FILE);
    await agrees(18);
    await page.keyboard.press('Alt+ArrowDown');
    await editor.save(FILE);
    await agrees(19);
  });

  test('a cell is edited, turned into Markdown and deleted', async () => {
    const { page } = editor;
    await editor.insist(async () => {
      await line('58.pt').click();
      await typing().filter({ hasText: '58.pt' }).waitFor();
    });
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('first = torch.load("first.pt")');
    await page.keyboard.press('Enter');
    await line('first.pt').waitFor();
    await editor.save(FILE);
    await agrees(20);
    await editor.insist(() => select('first.pt'));
    await page.keyboard.press('m');
    await editor.save(FILE);
    await agrees(18);
    await editor.insist(() => select('55.pt'));
    await page.keyboard.press('Delete');
    await editor.save(FILE);
    await agrees(17);
  });

  test('closing it removes its findings, and opening it again restores them', async () => {
    const { page } = editor;
    await editor.run('View: Close Editor');
    await page.locator('.markers-panel').getByText('No problems have been detected').first().waitFor();
    await editor.openNotebook(FILE);
    await agrees(17);
    await editor.run('GPU Doctor: Restart Server');
    await page.locator('.statusbar').getByText('GPU Doctor was restarted').waitFor();
    await agrees(17);
  });
});
