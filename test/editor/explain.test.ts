import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { type Editor, openEditor, screenshots } from './editor.ts';

const ERROR = 'RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False.';
const PROGRAM = `print("epoch 1")\nraise RuntimeError("""${ERROR.slice('RuntimeError: '.length)}""")\n`;

/** A failed build, as reported by a makefile around nvcc. */
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

/** A program that needs a GPU, with a torch of its own in a folder of packages. */
const UNREPAIRED = `import sys

sys.path.insert(0, "site-packages")

import torch

x = torch.ones(3)
x = x.cuda()
print("trained")
`;
const TORCH = `class Tensor:
    def cuda(self):
        raise AssertionError("Torch not compiled with CUDA enabled")
    def to(self, device):
        return self
def ones(size):
    return Tensor()
class cuda:
    is_available = staticmethod(lambda: False)
def device(name):
    return name
`;

const THEMES = { light: 'Default Light Modern', dark: 'Default Dark Modern', 'high-contrast': 'Default High Contrast' };

describe('explaining an error in VS Code', () => {
  let editor: Editor;
  before(async () => {
    editor = await openEditor({
      'train.py': PROGRAM,
      'error.txt': `${ERROR}\n`,
      'main.py': 'import torch\n',
      'load.py': LOAD,
      'move.py': 'import torch\n\nmodel = torch.nn.Linear(2, 2)\nmodel = model.cuda()\n',
      'unrepaired.py': UNREPAIRED,
      'site-packages/torch/__init__.py': TORCH,
      'model.safetensors': 'ab',
      'kernel.cu': '#include <cuda.h>\n\n__global__ void add() {}\n',
      '.vscode/tasks.json': JSON.stringify(TASKS),
    });
    await editor.open('main.py');
  });
  after(() => editor?.close());
  afterEach(({ name }) => editor?.finish(name));

  const explained = () => editor.tabInFront('Explanation: ').waitFor();

  /** Explains the text on the clipboard and waits for the page's content. */
  const explainCopied = async (text: string, content: Locator) => {
    await editor.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await editor.run('View: Close All Editors');
    const source = editor.page.locator('.quick-input-list').getByText('Explain the clipboard');
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

  test('the command explains the selection', async () => {
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

  test('the list of the command accepts pasted text', async () => {
    const { page } = editor;
    await page.evaluate(`navigator.clipboard.writeText('something else')`);
    await editor.run('View: Close All Editors');
    const typed = page.locator('.quick-input-list').getByText('Explain this text');
    const explain = async () => {
      await editor.insist(async () => {
        await editor.run('GPU Doctor: Explain Error');
        await page.locator('.quick-input-list').getByText('Explain the clipboard').waitFor();
        await page.keyboard.insertText(ERROR);
        await typed.click();
        await typed.waitFor({ state: 'hidden' });
      });
      await explained();
    };
    await editor.openPage(explain, shown().getByRole('heading', { name: 'What to do' }));
  });

  test('a link in the terminal explains an error', async () => {
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
        // Links are not searched again while the pointer stays.
        await page.mouse.move(0, 0);
        // Another element over the rows receives the click.
        await line.hover({ force: true, position: { x: 200, y: 8 } });
        await page.getByText('Explain: The checkpoint was saved').first().waitFor();
        await line.click({ force: true, modifiers: ['Control'], position: { x: 200, y: 8 } });
        await explained();
      });
    // The command is known, and so is the failed line.
    await editor.openPage(follow, shown().getByText('It failed in'));
  });

  for (const [kind, theme] of Object.entries(THEMES))
    test(`the page in a ${kind} theme`, async () => {
      await editor.write('.vscode/settings.json', JSON.stringify({ 'workbench.colorTheme': theme }), () =>
        shown().locator(`body[data-vscode-theme-kind="vscode-${kind}"]`).waitFor(),
      );
    });

  test('buttons copy a command, insert it in a terminal, and open the failed line', async () => {
    const remedy = shown()
      .getByRole('listitem')
      .filter({ has: shown().getByRole('button', { name: 'Insert in Terminal' }) });
    // Its remedy is a command on every machine.
    const traceback = `Traceback (most recent call last):\n  File "train.py", line 2, in <module>\n    x.numpy()\nRuntimeError: Numpy is not available`;
    await explainCopied(traceback, remedy.first());
    const command = (await remedy.first().locator('pre').innerText()).trim();
    await remedy.first().getByRole('button', { name: 'Copy' }).click();
    await editor.eventually(async () => assert.equal(await editor.clipboard(), command));
    await remedy.first().getByRole('button', { name: 'Insert in Terminal' }).click();
    await editor.terminalWith(command).waitFor();
    await shown().getByRole('link', { name: 'train.py' }).click();
    await editor.tabInFront('train.py').waitFor();
  });

  test('whose error shows in the list and in the tab, not the last line of the text', async () => {
    const { page } = editor;
    const advice = 'CUDA kernel errors might be asynchronously reported at some other API call.';
    const error = 'RuntimeError: CUDA error: device-side assert triggered';
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(`${error}\n${advice}\n`)})`);
    await editor.insist(async () => {
      await editor.run('GPU Doctor: Explain Error');
      const source = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Explain the clipboard' });
      await source.filter({ hasText: error }).waitFor();
      await page.screenshot({ path: path.join(screenshots, 'explain-clipboard.png') });
      await source.click();
      await editor.tabInFront('Explanation: An index or a label is out of range').waitFor();
    });
  });

  test('by the machine where that has no GPU, with the edit of the own line first', async () => {
    const error = 'AssertionError: Torch not compiled with CUDA enabled';
    const traceback = `Traceback (most recent call last):\n  File "move.py", line 4, in <module>\n    model = model.cuda()\n${error}\n`;
    const why = shown().getByText('and this machine has none that programs can use');
    await explainCopied(traceback, why);
    const first = shown()
      .getByRole('listitem')
      .filter({ has: shown().getByRole('button') })
      .first();
    await first.getByText('model = model.to(device)').waitFor();
    assert.equal(await shown().getByText('/whl/cu').count(), 0);
    await editor.page.screenshot({ path: path.join(screenshots, 'explain-without-gpu.png') });
    await first.getByRole('button', { name: 'Apply Edit' }).click();
    await editor.open('move.py');
    assert.match(await editor.save('move.py'), /^model = model\.to\(device\)$/m);
  });

  test('buttons answer which possible cause applies', async () => {
    const question = shown().getByRole('heading', { name: 'Possible causes' });
    await explainCopied('RuntimeError: CUDA error: an illegal memory access was encountered\n', question);
    await editor.page.screenshot({ path: path.join(screenshots, 'explain-question.png') });
    await shown().getByRole('button', { name: 'This Is the Cause' }).first().click();
    await shown().getByRole('heading', { name: 'Why it happened here' }).waitFor();
    assert.equal(await shown().getByRole('button', { name: 'Rule Out' }).count(), 0);
  });

  test('a repair is tried in a copy, in a terminal, and changes nothing', async () => {
    const { page } = editor;
    const error = 'AssertionError: Torch not compiled with CUDA enabled';
    const traceback = `Traceback (most recent call last):\n  File "unrepaired.py", line 8, in <module>\n    x = x.cuda()\n${error}\n`;
    const repair = shown().getByRole('button', { name: 'Repair in a Copy' });
    await explainCopied(traceback, repair);
    await page.screenshot({ path: path.join(screenshots, 'explain-repair-button.png') });
    await repair.click();
    const input = page.locator('.quick-input-box input');
    await input.waitFor();
    assert.equal(await input.inputValue(), 'python unrepaired.py');
    await input.fill('/usr/bin/python3 unrepaired.py');
    await page.keyboard.press('Enter');
    const terminal = page.locator('.terminal-wrapper.active .xterm-rows');
    await terminal.filter({ hasText: 'Works in a copy' }).waitFor();
    await page.screenshot({ path: path.join(screenshots, 'repair.png') });
    assert.equal(await readFile(path.join(editor.folder, 'unrepaired.py'), 'utf8'), UNREPAIRED);
  });

  test('a button applies the edit of the failed line', async () => {
    const traceback = `Traceback (most recent call last):\n  File "load.py", line 3, in <module>\n    model = torch.load("model.pt")\n${ERROR}`;
    const apply = shown().getByRole('button', { name: 'Apply Edit' });
    await explainCopied(traceback, apply);
    await apply.click();
    await apply.waitFor({ state: 'detached' });
    await editor.open('load.py');
    assert.match(await editor.save('load.py'), /torch\.load\("model\.pt", map_location="cpu"\)/);
  });

  test('an unknown error is explained by problems on this machine', async () => {
    const error = `Traceback (most recent call last):\n  File "load.py", line 3, in <module>\n    model = read("model.safetensors")\nValueError: 7`;
    await explainCopied(error, shown().getByRole('heading', { name: 'No explanation for this error' }));
    await shown().getByText('Download or save the file again').waitFor();
  });

  test('the light bulb explains a problem from a build', async () => {
    const { page } = editor;
    await editor.run('View: Close All Editors');
    await editor.open('kernel.cu');
    const squiggle = page.locator('.squiggly-error');
    await editor.insist(async () => {
      await editor.run('Tasks: Run Build Task');
      // No task runs until the tasks file is read.
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
