import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { execa } from 'execa';
import { type Editor, openEditor } from './editor.ts';
import { code, notebook } from './notebookFile.ts';

const LOAD = `import torch

weights = torch.load("weights.pt")
`;

/** Returns a file or a finding in the Problems view. */
const problem = ({ page }: Editor, text: string | RegExp) =>
  page.locator('.markers-panel .monaco-list-row').filter({ hasText: text });

describe('the problems of open files in VS Code', () => {
  let editor: Editor;
  before(async () => {
    editor = await openEditor({ 'main.py': LOAD, 'other.py': LOAD, 'third.py': LOAD });
  });
  after(() => editor?.close());
  afterEach(({ name }) => editor?.finish(name));

  test('disappear when their editor is closed, and stay after a check that a restart repeats', async () => {
    await editor.run('View: Focus Problems (Errors, Warnings, Infos)');
    for (const name of ['main.py', 'other.py']) {
      await editor.open(name);
      await problem(editor, name).first().waitFor();
    }
    await editor.run('View: Close Editor');
    await problem(editor, 'other.py').first().waitFor({ state: 'detached' });
    assert.equal(await problem(editor, 'main.py').count(), 1);
    await editor.run('View: Close All Editors');
    await problem(editor, 'main.py').first().waitFor({ state: 'detached' });
    await editor.run('GPU Doctor: Check Workspace');
    await editor.page.locator('.notification-toast').filter({ hasText: 'Checked 3 files: 3 problems.' }).waitFor();
    await editor.run('GPU Doctor: Restart Server');
    await editor.page.locator('.statusbar').getByText('GPU Doctor was restarted').waitFor();
    for (const name of ['main.py', 'other.py', 'third.py']) await problem(editor, name).first().waitFor();
  });
});

describe('the problems of a whole workspace in VS Code', () => {
  let editor: Editor;
  before(async () => {
    editor = await openEditor({
      'main.py': LOAD,
      'lib/train.py': LOAD,
      'lib/quiet.py': 'import torch\n',
      'explore.ipynb': notebook(code(LOAD)),
      'deploy/requirements.txt': 'torch==2.8.0\ntorchvision==0.20.0\n',
      'vendor/site-packages/torch/hub.py': LOAD,
    });
  });
  after(() => editor?.close());
  afterEach(({ name }) => editor?.finish(name));

  test('a command finds the problems of closed files, each once', async () => {
    await editor.run('GPU Doctor: Check Workspace');
    for (const name of ['main.py', 'train.py', 'explore.ipynb', 'requirements.txt'])
      await problem(editor, name).first().waitFor();
    assert.equal(await problem(editor, 'hub.py').count(), 0);
    assert.equal(await problem(editor, 'quiet.py').count(), 0);
    await problem(editor, 'Cell 1, line 3').waitFor();
    assert.equal(await problem(editor, 'without `map_location`').count(), 3);
  });

  test('opened files are not reported twice, and closed files stay', async () => {
    const { page } = editor;
    await editor.openByName('train.py');
    await page.locator('.squiggly-warning').first().waitFor();
    assert.equal(await problem(editor, 'without `map_location`').count(), 3);
    await editor.openNotebook('explore.ipynb');
    await page.locator('.squiggly-warning').first().waitFor();
    // The findings are now those of its cells.
    await problem(editor, 'Cell 1, line 3').waitFor({ state: 'detached' });
    await editor.eventually(async () => assert.equal(await problem(editor, 'without `map_location`').count(), 3));
    await editor.run('View: Close All Editors');
    await problem(editor, 'Cell 1, line 3').waitFor();
    await editor.eventually(async () => assert.equal(await problem(editor, 'without `map_location`').count(), 3));
  });

  test('files that are written, renamed and deleted outside the editor are followed', async () => {
    const fresh = problem(editor, 'fresh.py').first();
    await editor.write('fresh.py', LOAD, () => fresh.waitFor());
    await editor.write('fresh.py', 'import torch\n', () => fresh.waitFor({ state: 'detached' }));
    // For a deleted folder, VS Code names no files.
    await rm(path.join(editor.folder, 'lib'), { recursive: true });
    await problem(editor, 'train.py').first().waitFor({ state: 'detached' });
    await problem(editor, 'main.py').first().waitFor();
  });

  test('another branch that is checked out is followed', async () => {
    const git = (...args: string[]) =>
      execa('git', ['-c', 'user.name=x', '-c', 'user.email=x@y.z', ...args], { cwd: editor.folder });
    const branch = problem(editor, 'branch.py').first();
    await git('init', '--quiet');
    await git('add', 'main.py');
    await git('commit', '--quiet', '-m', 'first');
    await git('checkout', '--quiet', '-b', 'other');
    await editor.write('branch.py', LOAD, () => branch.waitFor());
    await git('add', 'branch.py');
    await git('commit', '--quiet', '-m', 'second');
    await git('checkout', '--quiet', '-');
    await branch.waitFor({ state: 'detached' });
    await git('checkout', '--quiet', 'other');
    await branch.waitFor();
    await git('checkout', '--quiet', '-');
    await branch.waitFor({ state: 'detached' });
  });

  test('installed packages are not the user’s code, even if they are open', async () => {
    await editor.openByName('hub.py');
    await editor.open('main.py');
    await editor.page.locator('.squiggly-warning').first().waitFor();
    await editor.openByName('hub.py');
    await editor.eventually(async () => assert.equal(await problem(editor, 'hub.py').count(), 0));
    assert.equal(await editor.page.locator('.squiggly-warning').count(), 0);
  });

  test('a task lists them in a terminal', async () => {
    await editor.run('Tasks: Run Task');
    const entry = (name: string) =>
      editor.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).first();
    await entry('gpu-doctor').click();
    await entry('gpu-doctor: check').click();
    await editor
      .terminalWith('main.py:3:11: GPU101 (warning)', 'Checked', '3 problems.', 'press any key to close it.')
      .waitFor();
  });
});

describe('a workspace that is always checked', () => {
  let editor: Editor;
  before(async () => {
    editor = await openEditor({
      '.vscode/settings.json': '{ "gpuDoctor.checkWorkspace": "onSave" }',
      'main.py': LOAD,
      'notes.md': '# Notes\n',
    });
  });
  after(() => editor?.close());
  afterEach(({ name }) => editor?.finish(name));

  test('its problems appear before any file is open, and disappear when checking is off', async () => {
    await editor.run('View: Focus Problems (Errors, Warnings, Infos)');
    const main = problem(editor, 'main.py').first();
    await main.waitFor();
    await editor.write('.vscode/settings.json', '{}', () => main.waitFor({ state: 'detached' }));
  });
});
