import { after, afterEach, before, describe, test } from 'node:test';
import { ensureDebugger } from '../../scripts/python.ts';
import { type Editor, openEditor } from './editor.ts';

const MESSAGE =
  'Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If you are running on a CPU-only machine, please use torch.load with map_location=torch.device("cpu") to map your storages to the CPU.';

const NAME = 'Python with debugpy';

/** The launch configuration for <kbd>F5</kbd>; this Python has the debugger. */
const launch = (python: string) => ({
  version: '0.2.0',
  configurations: [
    {
      name: NAME,
      type: 'debugpy',
      request: 'launch',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code fills it in.
      program: '${file}',
      console: 'internalConsole',
      python,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code fills it in.
      env: { PYTHONPATH: '${workspaceFolder}/site-packages' },
    },
  ],
});

describe('an exception at which the debugger stops, in VS Code', () => {
  let editor: Editor;
  before(async () => {
    const files = {
      // Replaces PyTorch, which is not installed here; the messages are PyTorch's.
      'site-packages/torch.py': `def load(path):\n    raise RuntimeError('${MESSAGE}')\n`,
      'train.py':
        'import torch\n\n\ndef restore(path):\n    return torch.load(path)\n\n\nmodel = restore("model.pt")\n',
      'own.py': 'print("begun")\n{}["epochs"]\n',
      '.vscode/launch.json': JSON.stringify(launch(await ensureDebugger())),
      '.vscode/settings.json': '{ "debug.showInStatusBar": "always" }',
    };
    editor = await openEditor(files, { extensions: ['debugpy'] });
  });
  after(() => editor?.close());
  afterEach(({ name }) => editor?.finish(name));

  const item = () => editor.page.locator('[id="gpu-doctor.gpu-doctor.gpuDoctor.exception"]').filter({ visible: true });
  const start = async () => {
    // Nothing starts until the launch configurations are read.
    await editor.page.locator('[id="status.debug"]').filter({ hasText: NAME }).waitFor();
    await editor.page.locator('.view-line').first().click();
    await editor.page.keyboard.press('F5');
    await editor.page.locator('.exception-widget').getByText('Exception has occurred').waitFor();
  };
  const end = async () => {
    await editor.page.keyboard.press('Shift+F5');
    await editor.page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
    await editor.page.locator('.exception-widget').waitFor({ state: 'detached' });
  };

  test("is explained at the line of the user's code and on a page, until the program continues", async () => {
    const { page } = editor;
    await editor.open('train.py');
    await start();
    await item().waitFor();
    await editor.finish('an exception at which the debugger stops');
    await item().click();
    await editor.tabInFront('Explanation: ').waitFor();
    await editor.run('View: Close Editor');
    await editor.open('train.py');
    await page.locator('.squiggly-error').waitFor();
    await end();
    await item().waitFor({ state: 'hidden' });
    await page.locator('.squiggly-error').waitFor({ state: 'hidden' });
  });

  test("of the user's own code is not explained", async () => {
    const { page } = editor;
    await editor.open('own.py');
    await start();
    await page.locator('.exception-widget').getByText('KeyError').first().waitFor();
    if ((await item().count()) > 0) throw new Error('There is something to explain.');
    await end();
  });
});
