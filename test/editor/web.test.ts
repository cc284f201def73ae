import assert from 'node:assert/strict';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { screenshots } from './editor.ts';
import { code, notebook } from './notebookFile.ts';
import { openWebEditor, type WebEditor } from './webEditor.ts';

const LOAD = `import torch

weights = torch.load("weights.pt")
`;

/** The caller of one function checks for a GPU first, in another file; that of the other function does not. */
const TENSORS = `import torch

def guarded():
    return torch.zeros(3).cuda()

def unguarded():
    return torch.ones(3).cuda()
`;
const TRAIN = `import torch

from tensors import guarded, unguarded

if torch.cuda.is_available():
    guarded()
unguarded()
`;

describe('VS Code in a browser without a machine', () => {
  let editor: WebEditor;
  before(async () => {
    editor = await openWebEditor({
      '.gpu-doctor.yaml': 'severity: { GPU202: error }\n',
      'bulb.py': LOAD,
      'tensors.py': TENSORS,
      'train.py': TRAIN,
      'requirements.txt': 'torch==2.1.0\ntorchvision==0.15.2\n',
      'cells.ipynb': notebook(code('import torch\n'), code('model = torch.load("model.pt")\n')),
      'best.pt': new Uint8Array(100),
    });
  });
  after(() => editor?.close());
  afterEach(({ name }) => editor?.finish(`web ${name}`));

  test('a finding is explained on hover and has a fix', async () => {
    const { page } = editor;
    await editor.open('bulb.py');
    const squiggle = page.locator('.squiggly-warning').first();
    await squiggle.waitFor();
    const hover = page.locator('.monaco-hover:visible');
    await editor.pointAt(squiggle, () => hover.getByText('map_location').first().waitFor());
    await page.screenshot({ path: path.join(screenshots, 'web-hover.png') });
    await editor.fix(squiggle, 'map_location="cpu"');
    assert.equal(await editor.save('bulb.py'), LOAD.replace('.pt")', '.pt", map_location="cpu")'));
    await squiggle.waitFor({ state: 'detached' });
  });

  test('the settings of the project and the guards of other files hold', async () => {
    await editor.open('tensors.py');
    await editor.eventually(async () => assert.equal(await editor.page.locator('.squiggly-error').count(), 1));
    assert.equal(await editor.page.locator('.squiggly-warning').count(), 0);
  });

  test('a changed file counts after it is closed', async () => {
    const { page } = editor;
    await editor.open('train.py');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('from tensors import guarded\n\nguarded()\n');
    const line = (text: string) => page.locator('.view-line').filter({ hasText: text });
    await editor.save('train.py');
    await editor.run('View: Close Editor');
    await editor.open('tensors.py');
    // The first place of the program carries the finding.
    await editor.eventually(async () => {
      const [squiggle, first] = await Promise.all(
        [page.locator('.squiggly-error'), line('torch.zeros(3)')].map((each) => each.first().boundingBox()),
      );
      assert.ok(squiggle && first && Math.abs(squiggle.y - first.y) < first.height);
    });
  });

  test('a fix edits another file of the project', async () => {
    const { page } = editor;
    await editor.open('tensors.py');
    const squiggle = page.locator('.squiggly-error').first();
    await editor.insist(async () => {
      await editor.openLightBulb(squiggle);
      await page.locator('.action-widget .monaco-list-row.action', { hasText: 'in this project' }).click();
      await squiggle.waitFor({ state: 'detached' });
    });
    await editor.open('.gpu-doctor.yaml');
    await page.locator('.view-line').getByText('ignore').first().waitFor();
    await editor.run('File: Revert File');
    await page.locator('.view-line').getByText('ignore').first().waitFor({ state: 'detached' });
  });

  test('requirements are checked, fixed and explained', async () => {
    const { page } = editor;
    await editor.open('requirements.txt');
    await editor.fix(page.locator('.squiggly-warning').first(), '0.16.0');
    assert.equal(await editor.save('requirements.txt'), 'torch==2.1.0\ntorchvision==0.16.0\n');
    const hover = page.locator('.monaco-hover:visible');
    await editor.pointAt(page.locator('.view-line').getByText('torch==2.1.0').first(), () =>
      hover.getByText('Lowest driver').first().waitFor(),
    );
    await page.keyboard.press('Escape');
  });

  test('a notebook has findings in its cells, and fixes', async () => {
    await editor.openTab('cells.ipynb');
    // Where a browser is signed in, VS Code asks before it shows what a notebook has put out.
    await editor.page.locator('.dialog-buttons').getByText('Open Notebook').click();
    const squiggle = editor.page.locator('.notebookOverlay .squiggly-warning').first();
    await squiggle.waitFor();
    await editor.page.screenshot({ path: path.join(screenshots, 'web-notebook.png') });
    await editor.fix(squiggle, 'map_location="cpu"');
    assert.match(await editor.save('cells.ipynb'), /torch\.load\(\\"model\.pt\\", map_location=\\"cpu\\"\)/);
    await squiggle.waitFor({ state: 'detached' });
    await editor.run('View: Close All Editors');
  });

  test('the workspace is checked', async () => {
    await editor.run('GPU Doctor: Check Workspace');
    const problems = editor.page.locator('.markers-panel');
    await problems.getByText('tensors.py').first().waitFor();
  });

  test('a checkpoint says what it needs', async () => {
    const { page } = editor;
    const sentence = page
      .frameLocator('iframe.webview.ready >> visible=true')
      .frameLocator('#active-frame')
      .getByText('Only VS Code on a computer can inspect checkpoints.');
    await editor.openPage(() => editor.openTab('best.pt'), sentence);
  });

  test('the palette has only commands that work', async () => {
    const { page } = editor;
    await page.keyboard.press('F1');
    await page.locator('.quick-input-widget input[type=text]').fill('>GPU Doctor');
    const entries = page.locator('.quick-input-list .monaco-list-row .label-name');
    await entries.getByText('Check Workspace').waitFor();
    const names = await entries.allTextContents();
    // VS Code adds a command for each view.
    const own = names.filter((name) => /^GPU Doctor: (?!Focus on)/.test(name)).sort();
    assert.deepEqual(own, [
      'GPU Doctor: Check Workspace',
      'GPU Doctor: Create Configuration File',
      'GPU Doctor: Restart Server',
      'GPU Doctor: Show Logs',
    ]);
  });

  test('device strings are highlighted', () => {
    assert.ok(editor.served.has('/gpuDoctor/syntaxes/device-strings.json'));
  });

  test('nothing was thrown', () => {
    assert.deepEqual(editor.errors, []);
  });
});
