/**
 * Takes the README's screenshots on a laptop without a GPU: the notebook in `examples/`, a quick fix in the menu, and a
 * checkpoint that was saved on a GPU.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { openEditor } from '../test/editor/openEditor.ts';
import { pretendMachine } from '../test/editor/pretendMachine.ts';
import { endWorkbench } from '../test/editor/workbenchInUse.ts';
import { packageExtension } from './package.ts';
import { root } from './root.ts';
import { run } from './run.ts';

await run(async () => {
  await packageExtension();
  const machine = await pretendMachine('laptop-without-gpu');
  const examples = path.join(root, 'examples');
  const names = (await readdir(examples)).filter((name) => /\.(py|ipynb|txt)$/.test(name));
  const files = await Promise.all(names.map(async (name) => [name, await readFile(path.join(examples, name), 'utf8')]));
  const checkpoint = await readFile(path.join(root, 'test', 'checkpoint', 'fixtures', 'torch', 'training.ckpt'));
  const all = { ...Object.fromEntries(files), 'digits.pt': checkpoint, ...machine.files };
  const editor = await openEditor(all);
  try {
    const { page } = editor;
    await page.setViewportSize({ width: 1120, height: 760 });
    const shown = page.frameLocator('iframe.webview.ready >> visible=true').frameLocator('#active-frame');
    await editor.openPage(() => editor.openTab('digits.pt'), shown.locator('h1', { hasText: 'digits.pt' }));
    await shown.getByText('torch.load(path) fails').waitFor();
    await page.screenshot({ path: path.join(root, 'images', 'checkpoint.png') });

    await editor.run('View: Close All Editors');
    await editor.openNotebook('explore_digits.ipynb');
    await page.locator('.statusbar-item').filter({ hasText: 'No GPU · torch 2.9.0+cpu' }).waitFor();
    await editor.openLightBulb(page.locator('.notebookOverlay .squiggly-warning').first());
    await page.screenshot({ path: path.join(root, 'images', 'screenshot.png') });
  } finally {
    await endWorkbench();
    await machine.forget();
  }
});
