import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { root } from '../../scripts/root.ts';
import { type Editor, openEditor, screenshots } from './editor.ts';
import { type PretendedMachine, pretendMachine } from './pretendMachine.ts';

const fixture = (name: string): Uint8Array => readFileSync(path.join(root, 'test', 'checkpoint', 'fixtures', name));

const LOADS = `import torch

FOLDER = "runs"
best = torch.load(f"{FOLDER}/best.pth")
tensors = torch.load("tensors.pt", map_location="cpu")
`;

describe('the code that loads a checkpoint', () => {
  let editor: Editor;
  let machine: PretendedMachine;
  before(async () => {
    machine = await pretendMachine('rtx3090-cu124');
    const files = {
      ...machine.files,
      'load.py': LOADS,
      'runs/best.pth': fixture('torch/cuda3.pth'),
      'tensors.pt': fixture('others/kinds.safetensors'),
    };
    editor = await openEditor(files);
  });
  after(async () => {
    await editor?.close();
    await machine?.forget();
  });
  afterEach(({ name }) => editor?.finish(name));

  test('is an error if the machine lacks a device or the loader is wrong', async () => {
    await editor.open('load.py');
    await editor.page.locator('.squiggly-error').nth(1).waitFor();
    await editor.run('View: Focus Problems (Errors, Warnings, Infos)');
    await editor.page.getByText('`runs/best.pth` needs').first().waitFor();
    await editor.page.getByText('cannot read `tensors.pt`').first().waitFor();
  });

  /** Points at the path until `act` finds the hover. */
  const hoverOverPath = async (act: (hover: Locator) => Promise<void>) => {
    await editor.open('load.py');
    const path = editor.page.locator('.view-line').getByText('/best.pth').first();
    await editor.pointAt(path, () => act(editor.page.locator('.monaco-hover:visible')));
  };

  test('a hover over the path shows the contents of the file', () =>
    hoverOverPath(async (hover) => {
      await hover.getByText('PyTorch checkpoint').first().waitFor();
      await hover.getByText('this machine has 1 GPU').first().waitFor();
    }));

  test('a hint after the path shows the contents of the file, unless a setting disables it', async () => {
    const { page } = editor;
    await editor.open('load.py');
    const hint = page.locator('.view-line').filter({ hasText: /cuda:3.*parameters.*fails.here/ });
    await hint.first().waitFor();
    await page.screenshot({ path: path.join(screenshots, 'checkpoint-hints.png') });
    await editor.write('.vscode/settings.json', '{ "gpuDoctor.checkpointHints": false }', () =>
      hint.first().waitFor({ state: 'detached' }),
    );
    await editor.write('.vscode/settings.json', '{}', () => hint.first().waitFor());
  });

  test('the hover opens the file', async () => {
    const shown = editor.page.frameLocator('iframe.webview.ready >> visible=true').frameLocator('#active-frame');
    const open = () => hoverOverPath((hover) => hover.getByText('Open in Checkpoint Inspector').click());
    await editor.openPage(open, shown.locator('h1', { hasText: 'best.pth' }));
  });

  test('is judged again when the file changes', async () => {
    await editor.open('load.py');
    const errors = editor.page.locator('.squiggly-error');
    await errors.nth(1).waitFor();
    const loadable = fixture('torch/cpu.pt');
    await editor.write('runs/best.pth', loadable, () => errors.nth(1).waitFor({ state: 'detached' }));
    await editor.write('tensors.pt', loadable, () => errors.first().waitFor({ state: 'detached' }));
  });
});
