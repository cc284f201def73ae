import { after, afterEach, before, describe, test } from 'node:test';
import { type Editor, openEditor } from './editor.ts';

const ERROR = 'RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False.';
const PROGRAM = `print("epoch 1")\nraise RuntimeError("""${ERROR.slice('RuntimeError: '.length)}""")\n`;

describe('explaining an error in VS Code', () => {
  let editor: Editor;
  before(async () => {
    editor = await openEditor({ 'train.py': PROGRAM, 'error.txt': `${ERROR}\n`, 'main.py': 'import torch\n' });
    await editor.open('main.py');
  });
  after(() => editor?.close());
  afterEach(({ name }) => editor?.finish(name));

  const explained = () =>
    editor.page
      .locator('.tab.active')
      .and(editor.page.getByRole('tab', { name: 'Why It Failed.md' }))
      .waitFor();

  test('by the command, of what is selected', async () => {
    await editor.open('error.txt');
    await editor.insist(async () => {
      await editor.page.locator('.view-line').first().click();
      await editor.page.keyboard.press('Control+A');
      await editor.page.locator('.statusbar').getByText('selected').waitFor();
    });
    await editor.run('GPU Doctor: Explain an Error');
    await explained();
    const shown = editor.page.frameLocator('iframe.webview').frameLocator('iframe');
    await shown.getByRole('heading', { name: 'What to do' }).waitFor();
  });

  test('by a link in the terminal', async () => {
    const { page } = editor;
    await editor.run('View: Close All Editors');
    await editor.open('main.py');
    await editor.run('Terminal: Create New Terminal');
    await page.locator('.terminal-wrapper.active .xterm-rows').filter({ hasText: /[$#]/ }).waitFor();
    await page.keyboard.type('python3 train.py');
    await page.keyboard.press('Enter');
    const line = page.locator('.xterm-rows > div').filter({ hasText: 'RuntimeError' }).last();
    await editor.insist(async () => {
      // What takes the click lies over the rows.
      await line.hover({ force: true, position: { x: 200, y: 8 } });
      await page.getByText('Explain: The checkpoint was saved').first().waitFor();
      await line.click({ force: true, modifiers: ['Control'], position: { x: 200, y: 8 } });
      await explained();
    });
  });
});
