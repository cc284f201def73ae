import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { type Editor, openEditor } from './editor.ts';

const ERROR = 'RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False.';
const PROGRAM = `print("epoch 1")\nraise RuntimeError("""${ERROR.slice('RuntimeError: '.length)}""")\n`;

/** A build that fails, as a makefile around nvcc tells it. */
const TASKS = {
  version: '2.0.0',
  tasks: [
    {
      label: 'build',
      type: 'process',
      command: 'echo',
      args: ["kernel.cu:3: error: nvcc fatal   : Unsupported gpu architecture 'compute_120'"],
      group: { kind: 'build', isDefault: true },
      problemMatcher: {
        owner: 'nvcc',
        source: 'nvcc',
        pattern: { regexp: '^(.*):(\\d+): (error): (.*)$', file: 1, line: 2, severity: 3, message: 4 },
      },
    },
  ],
};

const LOAD = 'import torch\n\nmodel = torch.load("model.pt")\n';

const THEMES = { light: 'Default Light Modern', dark: 'Default Dark Modern', 'high-contrast': 'Default High Contrast' };

describe('explaining an error in VS Code', () => {
  let editor: Editor;
  before(async () => {
    editor = await openEditor({
      'train.py': PROGRAM,
      'error.txt': `${ERROR}\n`,
      'main.py': 'import torch\n',
      'load.py': LOAD,
      'model.safetensors': 'ab',
      'kernel.cu': '#include <cuda.h>\n\n__global__ void add() {}\n',
      '.vscode/tasks.json': JSON.stringify(TASKS),
    });
    await editor.open('main.py');
  });
  after(() => editor?.close());
  afterEach(({ name }) => editor?.finish(name));

  const explained = () => editor.tabInFront('Explanation').waitFor();

  /** Has the text on the clipboard explained, up to what is then on the page. */
  const explainCopied = async (text: string, content: Locator) => {
    await editor.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await editor.run('View: Close All Editors');
    const source = editor.page.locator('.quick-input-list').getByText('What is on the clipboard');
    const explain = async () => {
      await editor.insist(async () => {
        await editor.run('GPU Doctor: Explain Error');
        await source.click();
        await source.waitFor({ state: 'hidden' });
      });
      await explained();
    };
    await editor.openPage(explain, content);
  };

  const shown = () => editor.page.frameLocator('iframe.webview.ready >> visible=true').frameLocator('#active-frame');

  test('by the command, of what is selected', async () => {
    const explain = async () => {
      await editor.open('error.txt');
      await editor.insist(async () => {
        await editor.page.locator('.view-line').first().click();
        await editor.page.keyboard.press('Control+A');
        await editor.page.locator('.statusbar').getByText('selected').waitFor();
      });
      await editor.run('GPU Doctor: Explain Error');
      await explained();
    };
    await editor.openPage(explain, shown().getByRole('heading', { name: 'What to do' }));
  });

  test('by a link in the terminal', async () => {
    const { page } = editor;
    await editor.run('View: Close All Editors');
    await editor.open('main.py');
    await editor.run('Terminal: Create New Terminal');
    await page.locator('.terminal-wrapper.active .xterm-rows').filter({ hasText: /[$#]/ }).waitFor();
    await page.locator('.terminal-wrapper.active .xterm.focus').waitFor();
    await page.keyboard.type('python3 train.py');
    await page.keyboard.press('Enter');
    const line = page.locator('.xterm-rows > div').filter({ hasText: 'RuntimeError' }).last();
    const follow = () =>
      editor.insist(async () => {
        // Nothing is looked for again where the pointer already is.
        await page.mouse.move(0, 0);
        // What takes the click lies over the rows.
        await line.hover({ force: true, position: { x: 200, y: 8 } });
        await page.getByText('Explain: The checkpoint was saved').first().waitFor();
        await line.click({ force: true, modifiers: ['Control'], position: { x: 200, y: 8 } });
        await explained();
      });
    // The command that was run is known, and so the line that failed.
    await editor.openPage(follow, shown().getByText('It failed in'));
  });

  for (const [kind, theme] of Object.entries(THEMES))
    test(`on a page in a ${kind} theme`, async () => {
      await editor.write('.vscode/settings.json', JSON.stringify({ 'workbench.colorTheme': theme }), () =>
        shown().locator(`body[data-vscode-theme-kind="vscode-${kind}"]`).waitFor(),
      );
    });

  test('whose buttons copy a command, put it into a terminal, and open the line that failed', async () => {
    const remedy = shown()
      .getByRole('listitem')
      .filter({ has: shown().getByRole('button', { name: 'Put into Terminal' }) });
    // Its remedy is a command whatever GPU this machine has.
    const traceback = `Traceback (most recent call last):\n  File "train.py", line 2, in <module>\n    x.numpy()\nRuntimeError: Numpy is not available`;
    await explainCopied(traceback, remedy.first());
    const command = (await remedy.first().locator('pre').innerText()).trim();
    await remedy.first().getByRole('button', { name: 'Copy' }).click();
    await editor.eventually(async () => assert.equal(await editor.clipboard(), command));
    await remedy.first().getByRole('button', { name: 'Put into Terminal' }).click();
    await editor.terminalWith(command).waitFor();
    await shown().getByRole('link', { name: 'train.py' }).click();
    await editor.tabInFront('train.py').waitFor();
  });

  test('whose button makes the edit of the failing line', async () => {
    const traceback = `Traceback (most recent call last):\n  File "load.py", line 3, in <module>\n    model = torch.load("model.pt")\n${ERROR}`;
    const apply = shown().getByRole('button', { name: 'Apply Edit' });
    await explainCopied(traceback, apply);
    await apply.click();
    await apply.waitFor({ state: 'detached' });
    await editor.open('load.py');
    assert.match(await editor.save('load.py'), /torch\.load\("model\.pt", map_location="cpu"\)/);
  });

  test('of which nothing is known, by what is wrong here', async () => {
    const error = `Traceback (most recent call last):\n  File "load.py", line 3, in <module>\n    model = read("model.safetensors")\nValueError: 7`;
    await explainCopied(error, shown().getByRole('heading', { name: 'Nothing is known of this error' }));
    await shown().getByText('Download or save the file again').waitFor();
  });

  test('by the light bulb of a problem that a build has reported', async () => {
    const { page } = editor;
    await editor.run('View: Close All Editors');
    await editor.open('kernel.cu');
    const squiggle = page.locator('.squiggly-error');
    await editor.insist(async () => {
      await editor.run('Tasks: Run Build Task');
      // Where the file of tasks was not read yet, nothing was run.
      await squiggle.waitFor();
    });
    const explain = async () => {
      await editor.open('kernel.cu');
      await editor.openLightBulb(squiggle);
      await page.locator('.action-widget').getByText('Explain this error').click();
      await explained();
    };
    await editor.openPage(explain, shown().getByRole('heading', { name: 'What to do' }));
  });
});
