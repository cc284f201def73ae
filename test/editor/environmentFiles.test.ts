import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { type Editor, openEditor } from './editor.ts';

/** The other kinds of files, each with a line that installs torch 2.1.0 and the text to point at. */
const OTHERS: readonly (readonly [file: string, text: string, line: string])[] = [
  ['requirements.in', 'torch==2.1.0\n', 'torch==2.1.0'],
  ['pyproject.toml', '[project]\nname = "x"\ndependencies = [\n  "torch==2.1.0",\n]\n', 'torch==2.1.0'],
  ['setup.cfg', '[options]\ninstall_requires =\n    torch==2.1.0\n', 'torch==2.1.0'],
  ['environment.yml', 'dependencies:\n  - pip:\n      - torch==2.1.0\n', 'torch==2.1.0'],
  ['pixi.toml', '[pypi-dependencies]\ntorch = "==2.1.0"\n', 'torch'],
  ['compose.yaml', 'services:\n  a:\n    image: pytorch/pytorch:2.1.0-cuda12.1-cudnn8-runtime\n', 'pytorch/pytorch'],
  [
    '.devcontainer.json',
    '{ "image": "python:3.11", "postCreateCommand": "pip install torch==2.1.0 numpy==1.26.4" }\n',
    'pip install',
  ],
];

describe('environment files in VS Code', () => {
  let editor: Editor;
  before(async () => {
    editor = await openEditor({
      'requirements.txt': 'torch==2.1.0\ntorchvision==0.15.2  # for the transforms\n',
      ...Object.fromEntries(OTHERS.map(([file, text]) => [file, text])),
      '.gpu-doctor.yaml': 'include: [/cluster.txt]\n',
      'cluster.txt': 'torch==2.1.0\ntorchvision==0.15.2\n',
      'notes.txt': 'torch==2.1.0\ntorchvision==0.15.2\n',
      Dockerfile: 'FROM nvcr.io/nvidia/pytorch:23.10-py3\nRUN pip install torch==2.1.0\n',
    });
  });
  after(() => editor?.close());
  afterEach((context) => editor.finish(context.name));

  test('a Dockerfile is checked', async () => {
    await editor.open('Dockerfile');
    const squiggle = editor.page.locator('.squiggly-warning').first();
    await squiggle.waitFor();
    const hover = editor.page.locator('.monaco-hover:visible');
    await editor.pointAt(squiggle, () => hover.getByText('the torch that NVIDIA built').first().waitFor());
  });

  test('a hover over a requirement shows what it installs', async () => {
    const { page } = editor;
    await editor.open('requirements.txt');
    const squiggle = page.locator('.squiggly-warning').first();
    await squiggle.waitFor();
    const hover = page.locator('.monaco-hover:visible');
    await editor.pointAt(page.getByText('torch==2.1.0').first(), () =>
      hover.getByText('Lowest driver').first().waitFor(),
    );
  });

  test('a hover works in every kind of file', async () => {
    for (const [file, , line] of OTHERS) {
      await editor.open(file);
      const hover = editor.page.locator('.monaco-hover:visible');
      await editor.pointAt(editor.page.locator('.view-line').getByText(line).last(), () =>
        hover.getByText('Lowest driver').first().waitFor(),
      );
      await editor.page.keyboard.press('Escape');
    }
  });

  test('a list with another name is checked if the settings include it', async () => {
    const squiggles = editor.page.locator('.squiggly-warning');
    await editor.open('notes.txt');
    await editor.open('cluster.txt');
    await squiggles.first().waitFor();
    await editor.open('notes.txt');
    await squiggles.first().waitFor({ state: 'detached' });
    assert.equal(await squiggles.count(), 0);
  });

  test('requirements are fixed', async () => {
    await editor.open('requirements.txt');
    const squiggle = editor.page.locator('.squiggly-warning').first();
    await editor.fix(squiggle, 'Change to torchvision 0.16.0');
    await squiggle.waitFor({ state: 'detached' });
    assert.equal(await editor.save('requirements.txt'), 'torch==2.1.0\ntorchvision==0.16.0  # for the transforms\n');
  });
});
