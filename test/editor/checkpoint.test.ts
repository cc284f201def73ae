import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { root } from '../../scripts/root.ts';
import { legacy, pickle } from '../checkpoint/pickleWriter.ts';
import { safetensorsOf as safetensors } from '../checkpoint/safetensorsWriter.ts';
import { type Editor, openEditor } from './editor.ts';
import { type PretendedMachine, pretendMachine } from './pretendMachine.ts';

const fixture = (name: string): Uint8Array => readFileSync(path.join(root, 'test', 'checkpoint', 'fixtures', name));

const LFS_POINTER = `version https://git-lfs.github.com/spec/v1
oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
size 345678901
`;

/** A pickle that would print if it were unpickled. */
const DANGEROUS = pickle([0x80, 2], 'cposix\nsystem\n', 'X', [6, 0, 0, 0], 'echo 1', [0x85], 'R.');

/** A checkpoint of one weight that imports a hundred of its own classes. */
function manyImports(): Uint8Array {
  const imports = Array.from({ length: 100 }, (_, index) => `cownlib.layers${index}\nLayer\n0`);
  const storage = pickle('(U', 7, 'storagectorch\nFloatStorage\nU', 1, '0U', 3, 'cpuK', 1, 'NtQ');
  const call = pickle('ctorch._utils\n_rebuild_tensor_v2\n(', storage, 'K', 0, '(K', 1, 't(K', 1, 't', 0x89);
  const tensor = pickle(call, 'ccollections\nOrderedDict\n)RtR');
  const object = pickle([0x80, 2], ...imports, '}U', 6, 'weight', tensor, 's.');
  const keys = pickle([0x80, 2], ']U', 1, '0a.');
  return pickle(legacy({ object, keys }), [1, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0]);
}

/** Names with markup and control characters. */
const HOSTILE = {
  '<img src=x onerror=alert(1)>': [1],
  'model\u202e.thgiew': [2],
  'line\nbreak\u0000\u001b[2J': [3],
  'طبقة.وزن': [4],
  'z\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308\u0309\u030a\u030b\u030c.weight': [5],
  ['long.'.repeat(5000)]: [6],
  '__proto__.constructor': [7],
  '': [8],
};

const BLOCKS = 6250;
const PARTS = ['attn.q', 'attn.k', 'attn.v', 'attn.out', 'mlp.up', 'mlp.down', 'norm1', 'norm2'];

/** 100,000 tensors, as in a very deep language model. */
function manyTensors(): Record<string, readonly number[]> {
  const tensors: Record<string, readonly number[]> = {};
  for (let block = 0; block < BLOCKS; block++)
    for (const [index, part] of PARTS.entries()) {
      tensors[`model.blocks.${block}.${part}.weight`] = [index + 1, 2];
      tensors[`model.blocks.${block}.${part}.bias`] = [index + 1];
    }
  return tensors;
}

/** Returns the files of a fixture folder under another folder name. */
function folderOf(name: string, as: string): Record<string, Uint8Array> {
  const folder = path.join(root, 'test', 'checkpoint', 'fixtures', 'modelFolders', name);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return [`${as}/${path.relative(folder, file).replaceAll(path.sep, '/')}`, readFileSync(file)];
    }),
  );
}

const FILES: Record<string, string | Uint8Array> = {
  ...folderOf('pipeline', 'diffusion'),
  'diffusion/unet/diffusion_pytorch_model.fp16.safetensors': safetensors({ a: [1] }),
  ...folderOf('adapterOfLlama', 'adapter'),
  ...folderOf('llamaWide', 'llama'),
  // Present from the start, so that no row of the explorer moves when a test writes it.
  '.vscode/settings.json': '{}',
  'cuda3.pth': fixture('torch/cuda3.pth'),
  'dangerous.pt': DANGEROUS,
  'first.safetensors': safetensors({ 'a.weight': [3, 4], 'a.bias': [3], 'b.weight': [2, 3] }),
  'hostile.safetensors': safetensors(HOSTILE),
  'imports.pt': manyImports(),
  'kinds.safetensors': fixture('others/kinds.safetensors'),
  'many.safetensors': safetensors(manyTensors()),
  'page.gguf': '<!doctype html><title>Sign in</title>',
  'plain.pkl': fixture('torch/plain_cuda.pkl'),
  'second.safetensors': safetensors({ 'module.a.weight': [3, 4], 'module.a.bias': [5], 'module.c.weight': [1] }),
  'subgraphs.onnx': fixture('programs/subgraphs.onnx'),
  'pointer.safetensors': LFS_POINTER,
  'training.ckpt': fixture('torch/training.ckpt'),
};

const THEMES = { light: 'Default Light Modern', dark: 'Default Dark Modern', 'high-contrast': 'Default High Contrast' };

describe('the checkpoint editor', () => {
  let editor: Editor;
  let machine: PretendedMachine;
  /** The visible page of the editor. */
  let shown: FrameLocator;
  /** Errors in the browser: those of the page, and violations of its security policy. */
  const complaints: string[] = [];
  before(async () => {
    machine = await pretendMachine('rtx3090-cu124');
    editor = await openEditor({ ...FILES, ...machine.files });
    const { page } = editor;
    shown = page.frameLocator('iframe.webview.ready >> visible=true').frameLocator('#active-frame');
    page.on('pageerror', (error) => /gpu-doctor/.test(error.stack ?? '') && complaints.push(String(error)));
    page.on('console', (message) => {
      // The workbench itself logs errors about an unreachable marketplace.
      const isOwn = message.type() === 'error' && /gpu-doctor|webview/.test(message.location().url);
      if (isOwn || /security policy/i.test(message.text())) complaints.push(message.text());
    });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  after(async () => {
    await editor?.close();
    await machine?.forget();
  });
  afterEach(async ({ name }) => {
    await editor.finish(name);
    assert.deepEqual(complaints, []);
  });

  const open = (file: string) => editor.openPage(() => editor.openTab(file), shown.locator('h1', { hasText: file }));
  const line = (name: string) => shown.getByRole('row').filter({ hasText: name });
  const isActive = (name: string) => shown.locator('.line.active', { hasText: name }).waitFor();
  // As text, since a browser's types are not available here.
  const clipboardHas = (text: string) =>
    editor.page.waitForFunction(`navigator.clipboard.readText().then((copied) => copied === ${JSON.stringify(text)})`);
  const count = (text: string) => shown.locator('.count', { hasText: text }).waitFor();

  for (const [kind, theme] of Object.entries(THEMES))
    test(`shows the contents of a checkpoint, in a ${kind} theme`, async () => {
      const settings = JSON.stringify({ 'workbench.colorTheme': theme });
      await editor.write('.vscode/settings.json', settings, async () => {
        await open('cuda3.pth');
        await shown.locator(`body[data-vscode-theme-kind="vscode-${kind}"]`).waitFor();
      });
      await shown.getByText('torch.load(path) fails').waitFor();
      await shown.getByText('saved on cuda:3, and this machine has 1 GPU').waitFor();
      await shown.getByText('Runs no code with weights_only=True').waitFor();
      await shown.getByRole('treegrid').focus();
    });

  test('a dangerous file is named as such, with its imports', async () => {
    await open('dangerous.pt');
    await shown.getByText('pickle.load(file) runs code').waitFor();
    await shown.locator('.verdict.bad', { hasText: 'Dangerous' }).waitFor();
    await shown.getByText('What loading it imports').click();
    await shown.locator('details[open] li', { hasText: 'posix.system' }).waitFor();
  });

  test('a file that is no checkpoint is named for what it is', async () => {
    await open('page.gguf');
    await shown.locator('.problem', { hasText: 'It is an HTML page' }).waitFor();
    await open('pointer.safetensors');
    await shown.locator('.problem', { hasText: 'a file of 330 MiB: run git lfs pull' }).waitFor();
    assert.equal(await shown.locator('.judgement').count(), 0);
  });

  test('keys navigate the tree and copy a name', async () => {
    const { page } = editor;
    await open('training.ckpt');
    await shown.getByRole('searchbox').press('ArrowDown');
    await isActive('model');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowLeft');
    await shown.getByRole('row', { name: 'features', expanded: false }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await isActive('weight');
    await page.keyboard.press('Control+C');
    await clipboardHas('model.features.0.weight');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await shown.getByRole('row', { name: '0 float32 2 tensors', expanded: false }).waitFor();
    await page.keyboard.press('End');
    await isActive('optimizer.state');
    // The optimizer's state is collapsed to one line.
    await shown.getByRole('row', { name: 'optimizer.state', expanded: false }).waitFor();
    await page.keyboard.press('ArrowRight');
    await shown.getByRole('row', { name: 'optimizer.state', expanded: true }).waitFor();
    await page.keyboard.press('Home');
    await isActive('model');
  });

  test('the filter, order and position are kept while another editor is visible', async () => {
    await open('training.ckpt');
    await shown.getByRole('searchbox').fill('weight float32');
    await shown.locator('mark').first().waitFor();
    await shown.getByRole('button', { name: 'Elements' }).click();
    await shown.getByRole('columnheader', { name: 'Elements' }).and(shown.locator('[aria-sort=ascending]')).waitFor();
    const found = await shown.locator('.count').innerText();
    await open('dangerous.pt');
    await open('training.ckpt');
    await count(found);
    await shown.locator('[aria-sort=ascending]').waitFor();
    await shown.getByRole('searchbox').press('Escape');
    await count('27 tensors');
  });

  test('of 100,000 tensors only the visible ones are drawn, and any can be found', async () => {
    const { page } = editor;
    await open('many.safetensors');
    await count('100,000 tensors');
    await shown.getByRole('button', { name: 'Expand all' }).click();
    await shown.getByRole('treegrid').press('End');
    await isActive('bias');
    assert.ok((await shown.getByRole('row').count()) < 100);
    await shown.getByRole('searchbox').fill('blocks.6249 mlp bfloat16');
    await count('4 of 100,000 tensors');
    await shown.getByRole('button', { name: 'Size' }).click();
    await shown.getByRole('button', { name: 'Size' }).click();
    await shown.locator('[aria-sort=descending]').waitFor();
    const first = shown.locator('.body .line').first();
    await first.filter({ hasText: 'blocks.6249.mlp.down.weight' }).waitFor();
    await page.setViewportSize({ width: 760, height: 700 });
    await line('mlp.up.bias').waitFor();
  });

  test('a changed file is read again', async () => {
    await editor.page.setViewportSize({ width: 1280, height: 800 });
    await open('cuda3.pth');
    await shown.getByRole('searchbox').fill('head');
    await count('2 of 9 tensors');
    await editor.write('cuda3.pth', fixture('torch/cpu.pt'), () =>
      shown.getByText('torch.load(path) loads it').waitFor(),
    );
    await editor.page.keyboard.type('.bias');
    await count('1 of 9 tensors');
    await editor.write('cuda3.pth', '', () => shown.locator('.problem', { hasText: 'The file is empty.' }).waitFor());
  });

  test('all names are shown as text and copied as shown', async () => {
    const { page } = editor;
    await open('hostile.safetensors');
    await line('<img src=x onerror=alert(1)>').waitFor();
    assert.equal(await shown.locator('img').count(), 0);
    await line('(no name)').waitFor();
    await editor.insist(async () => {
      await line('line\\u000abreak\\u0000\\u001b[2J').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Copy Name' }).click();
      await clipboardHas('line\\u000abreak\\u0000\\u001b[2J');
    });
  });

  test('Ctrl+F goes to the filter from any focus, and the filter knows types and shapes', async () => {
    const { page } = editor;
    await open('kinds.safetensors');
    await page
      .locator('.explorer-folders-view')
      .getByRole('treeitem', { name: 'kinds.safetensors', exact: true })
      .focus();
    await editor.insist(async () => {
      await page.keyboard.press('Control+F');
      await shown.locator('.filter:focus').waitFor();
    });
    await page.keyboard.type('shape:2x*');
    await count('12 of 12 tensors');
    const all = await shown.locator('.count').innerText();
    await shown.getByRole('combobox', { name: 'Filter by type' }).selectOption('float16');
    await shown.locator('.body .line').first().filter({ hasText: 'float16' }).waitFor();
    assert.notEqual(await shown.locator('.count').innerText(), all);
    assert.equal(await shown.getByRole('searchbox').inputValue(), 'shape:2x* dtype:float16');
    await shown.getByRole('button', { name: 'Copy as table' }).click();
    await clipboardHas('Name\tType\tShape\tSaved on\tParameters\tBytes\nfloat16\tfloat16\t2 × 3\t\t6\t12\n');
    await shown.getByRole('searchbox').press('Escape');
  });

  test('a long list of imports leaves the table visible', async () => {
    await open('imports.pt');
    await shown.getByText('What loading it imports').click();
    await shown.locator('details[open] li', { hasText: 'ownlib.layers0.Layer' }).waitFor();
    const bar = await shown.getByRole('searchbox').boundingBox();
    assert.ok(bar && bar.y < 700, `the table begins at ${bar?.y}`);
    await shown.getByRole('region', { name: 'Imports' }).focus();
    await editor.page.keyboard.press('End');
    await shown.locator('li', { hasText: 'ownlib.layers99.Layer' }).waitFor();
  });

  test('a model, its optimizer and its prefix are shown separately, with metadata', async () => {
    await open('training.ckpt');
    await shown.locator('.facts div', { hasText: 'Parameters' }).filter({ hasText: '51 (+ 5 in buffers)' }).waitFor();
    await shown.locator('.facts div', { hasText: 'Optimizer' }).filter({ hasText: '18 tensors' }).waitFor();
    await shown.getByText(/^Metadata /).click();
    await shown.locator('.metadata dt').first().waitFor();
    await open('second.safetensors');
    await shown.locator('.facts div', { hasText: 'Prefix' }).filter({ hasText: 'module. before all names' }).waitFor();
  });

  test('an ONNX model shows its inputs, its outputs and weights in constants', async () => {
    const { page } = editor;
    const file = page.locator('.explorer-folders-view').getByRole('treeitem', { name: 'subgraphs.onnx', exact: true });
    await editor.insist(async () => {
      await file.click({ button: 'right' });
      await page.locator('.context-view').getByRole('menuitem', { name: 'Inspect Checkpoint' }).click({ delay: 200 });
      await shown.locator('h1', { hasText: 'subgraphs.onnx' }).waitFor();
    });
    await shown
      .locator('.facts div', { hasText: 'Inputs' })
      .filter({ hasText: 'x float32 batch × 3, flag bool scalar' })
      .waitFor();
    await line('then_shift').waitFor();
  });

  const inExplorer = (name: string) =>
    editor.page.locator('.explorer-folders-view').getByRole('treeitem', { name, exact: true });

  test('a pipeline shows its components, and what is missing', async () => {
    const { page } = editor;
    await editor.insist(async () => {
      if ((await inExplorer('model_index.json').count()) === 0) await inExplorer('diffusion').click();
      await inExplorer('model_index.json').click({ button: 'right' });
      await page.locator('.context-view').getByRole('menuitem', { name: 'Inspect Checkpoint' }).click({ delay: 200 });
      await shown.locator('h1', { hasText: 'model_index.json' }).waitFor();
    });
    const component = (name: string) => shown.locator('.components tr').filter({ hasText: name });
    await component('UNet2DConditionModel').filter({ hasText: 'diffusion_pytorch_model.fp16.safetensors' }).waitFor();
    await component('CLIPTokenizer').waitFor();
    await line('unet').waitFor();
    assert.equal(await shown.locator('.problem').count(), 0);
    await editor.remove('diffusion/vae/diffusion_pytorch_model.safetensors');
    await editor.write('diffusion/model_index.json', FILES['diffusion/model_index.json'] ?? '', () =>
      shown.locator('.problem', { hasText: 'vae: its weights' }).waitFor(),
    );
    await inExplorer('diffusion').click();
  });

  test('an adapter is compared with its base model', async () => {
    await editor.insist(async () => {
      if ((await inExplorer('adapter_model.safetensors').count()) === 0) await inExplorer('adapter').click();
      await editor.openTab('adapter_model.safetensors');
    });
    await shown.locator('.problem', { hasText: 'shapes differ in 4 of 4 modules' }).waitFor();
    await shown.getByText('PeftModel.from_pretrained(base, folder) fails').waitFor();
    await inExplorer('adapter').click();
  });

  test('two checkpoints are compared from the explorer', async () => {
    const { page } = editor;
    const row = (name: string) => page.locator('.explorer-folders-view').getByRole('treeitem', { name, exact: true });
    await editor.insist(async () => {
      await row('first.safetensors').click();
      await row('second.safetensors').click({ modifiers: ['ControlOrMeta'] });
      await row('second.safetensors').click({ button: 'right' });
      await page.locator('.context-view').getByRole('menuitem', { name: 'Compare Checkpoints' }).click({ delay: 200 });
      await editor.tabInFront('first.safetensors ↔ second.safetensors').waitFor();
    });
    const text = page.locator('.monaco-diff-editor .view-lines').last();
    await text.getByText('Tensors: 1 missing, 1 unexpected, 1 with a different shape, 1 the same.').waitFor();
    await text.getByText('compared without the prefix `module.` of second.safetensors').waitFor();
    await text.getByText('c.weight  bfloat16  1').waitFor();
    await page.locator('.monaco-diff-editor .line-delete').first().waitFor();
  });

  test('a file with an ambiguous suffix is opened by command', async () => {
    const { page } = editor;
    const file = page.locator('.explorer-folders-view').getByRole('treeitem', { name: 'plain.pkl', exact: true });
    const item = page.locator('.context-view').getByRole('menuitem', { name: 'Inspect Checkpoint' });
    // The menu closes when the explorer redraws its rows, as after a test that wrote files. A button released in the
    // first tenth of a second counts as part of the click that opened the menu.
    await editor.insist(async () => {
      await file.click({ button: 'right' });
      await item.click({ delay: 200 });
      await shown.locator('h1', { hasText: 'plain.pkl' }).waitFor();
    });
  });

  test('a deleted file is reported, and read when it returns', async () => {
    await open('pointer.safetensors');
    await editor.remove('pointer.safetensors');
    await shown.getByRole('alert').filter({ hasText: 'The file does not exist.' }).waitFor();
    await shown.getByRole('button', { name: 'Retry' }).click();
    await shown.getByRole('alert').filter({ hasText: 'The file does not exist.' }).waitFor();
    await editor.write('pointer.safetensors', safetensors({ weight: [3] }), () =>
      shown.getByText('Its loader runs no code').waitFor(),
    );
  });
});
