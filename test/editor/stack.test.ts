import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { execa } from 'execa';
import type { Locator } from 'playwright-core';
import { root } from '../../scripts/root.ts';
import { ended, isRunning, writtenPids } from '../stack/processes.ts';
import { type Editor, lookAway, openEditor, screenshots } from './editor.ts';
import { type PretendedMachine, pretendMachine, programs } from './pretendMachine.ts';

const statusBarItem = ({ page }: Editor): Locator => page.locator('[id="gpu-doctor.gpu-doctor.gpuDoctor.stack"]');

/** The rendered Markdown of the active editor. */
const preview = ({ page }: Editor): Locator =>
  page.frameLocator('iframe.webview.ready').frameLocator('#active-frame').locator('.markdown-body');

function showStack(editor: Editor): Promise<void> {
  const show = async () => {
    await editor.run('GPU Doctor: Show GPU Stack');
    await menuRows(editor).filter({ hasText: 'Open Full Report' }).click();
    await editor.tabInFront('GPU Stack').waitFor();
    assert.doesNotMatch((await editor.tabInFront('GPU Stack').innerText()).trim(), /\.md/);
  };
  return editor.openPage(show, preview(editor).getByText('Operating system').first());
}

/** Points at the status bar item until its hover contains this text. */
async function tooltipHas(editor: Editor, text: string | RegExp): Promise<void> {
  const hover = editor.page.locator('.workbench-hover-container .monaco-hover').filter({ hasText: 'Details' });
  await editor.pointAt(statusBarItem(editor), () => hover.getByText(text).first().waitFor());
}

/** Matches the end of the item's text while readings are live. */
const LOAD = /RTX 3090 · CUDA 12\.4 · cuDNN 9\.1 · .\d+ % · .\d\.0\/24\.0 GiB/;

const menuRows = ({ page }: Editor): Locator => page.locator('.quick-input-list .monaco-list-row');

const CPU_ONLY = 'is built for the CPU only';

/** Opens the item's menu, selects the entry of a finding, and then an entry of its menu. */
async function takeRemedy(editor: Editor, finding: string, entry: string): Promise<void> {
  await editor.insist(async () => {
    await statusBarItem(editor).click();
    await menuRows(editor).filter({ hasText: finding }).click();
    await menuRows(editor).filter({ hasText: entry }).waitFor();
    await editor.page.screenshot({ path: path.join(screenshots, 'remedies.png') });
    await menuRows(editor).filter({ hasText: entry }).click();
    await menuRows(editor).filter({ hasText: entry }).waitFor({ state: 'hidden' });
  });
}

describe('the GPU stack in VS Code', () => {
  let editor: Editor;
  before(async () => {
    editor = await openEditor({ 'main.py': 'import torch\n' });
  });
  after(() => editor?.close());
  afterEach(({ name }) => editor?.finish(name));

  test('the status bar agrees with the command line', async () => {
    const cli = path.join(root, 'dist', 'cli.js');
    const { stdout } = await execa(process.execPath, [cli, 'stack'], { cwd: tmpdir() });
    const [summary = ''] = stdout.split('\n');
    await editor.open('main.py');
    await statusBarItem(editor).filter({ hasText: summary }).waitFor();
  });

  test('a command opens the read-out as a document', async () => {
    await editor.open('main.py');
    await showStack(editor);
  });
});

describe('a machine whose GPU works', () => {
  let editor: Editor;
  let machine: PretendedMachine;
  const item = () => statusBarItem(editor);
  const become = async (nvidiaSmi: string) => {
    await machine.replaceNvidiaSmi(nvidiaSmi);
    await editor.run('GPU Doctor: Refresh GPU Stack');
  };
  /** Returns every nvidia-smi that was started to keep running. */
  const followers = () => (existsSync(path.join(programs, 'pids')) ? writtenPids(programs) : []);

  before(async () => {
    machine = await pretendMachine('rtx3090-cu124');
    const settings = '{ "gpuDoctor.liveReadings": true }';
    editor = await openEditor({ 'main.py': 'import torch\n', '.vscode/settings.json': settings, ...machine.files });
    await editor.open('main.py');
  });
  after(async () => {
    await editor?.close();
    await machine?.forget();
  });
  afterEach(({ name }) => editor?.finish(name));

  test('the load is live on request, while the window is in front', async () => {
    await item().filter({ hasText: LOAD }).waitFor();
    const first = await item().innerText();
    await item().filter({ hasText: LOAD, hasNotText: first }).waitFor();
    const label = await item().getByRole('button').getAttribute('aria-label');
    assert.equal(label, 'GPU stack: RTX 3090, CUDA 12.4, cuDNN 9.1, nothing clashes');
    await tooltipHas(editor, /\d\.0 of 24\.0 GiB/);
    assert.equal(followers().filter(isRunning).length, 1);
  });

  test('nothing runs while another window is in front', async () => {
    await lookAway(editor, true);
    await item().filter({ hasText: 'cuDNN 9.1', hasNotText: 'GiB' }).waitFor();
    await Promise.all(followers().map(ended));
    await lookAway(editor, false);
    await item().filter({ hasText: LOAD }).waitFor();
    assert.equal(followers().filter(isRunning).length, 1);
  });

  test('nothing runs if live readings are off', async () => {
    await editor.write('.vscode/settings.json', '{ "gpuDoctor.liveReadings": false }', () =>
      item().filter({ hasText: 'cuDNN 9.1', hasNotText: 'GiB' }).waitFor(),
    );
    await Promise.all(followers().map(ended));
  });

  test('a report is copied without the names of folders', async () => {
    await showStack(editor);
    await editor.page.getByRole('button', { name: 'Copy GPU Report' }).click();
    await editor.page.locator('.statusbar-item').filter({ hasText: 'GPU report copied' }).waitFor();
    const report = await editor.clipboard();
    assert.match(report, /^# GPU stack\n\n\*\*RTX 3090 · CUDA 12\.4 · cuDNN 9\.1\*\*\n/);
    assert.ok(!report.includes(homedir()));
  });

  test('a driver that does not match its libraries is an error', async () => {
    await become('echo "Failed to initialize NVML: Driver/library version mismatch"; exit 18');
    await item().filter({ hasText: 'GPU driver mismatch' }).waitFor();
    await editor.page.locator('.statusbar-item.error-kind').and(item()).waitFor();
    await tooltipHas(editor, 'restart');
  });

  test('a shipped page explains it and links to others', async () => {
    const explain = async () => {
      await takeRemedy(editor, 'NVIDIA driver', 'Explain this finding');
      await editor.tabInFront('driver-library-mismatch.md').waitFor();
    };
    await editor.openPage(explain, preview(editor).getByText('How it is detected'));
    const other = preview(editor).getByRole('heading', { name: 'driver-too-old' });
    await editor.insist(async () => {
      if (!(await other.isVisible())) await preview(editor).getByRole('link', { name: 'driver-too-old' }).click();
      await other.waitFor();
    });
  });

  test('a driver without a GPU is not a problem', async () => {
    await become('echo "No devices were found"; exit 6');
    await item().filter({ hasText: 'No GPU · torch 2.5.1+cu124' }).waitFor();
    await tooltipHas(editor, 'Details');
  });

  test('a driver that hangs does not block the editor', async () => {
    const reading = item().filter({ hasText: 'GPU …' }).locator('.codicon-loading');
    await Promise.all([
      reading.waitFor().then(() => editor.page.screenshot({ path: path.join(screenshots, 'probing.png') })),
      become('sleep 1000'),
    ]);
    await item().filter({ hasText: 'GPU unknown' }).waitFor();
    await tooltipHas(editor, 'nvidia-smi hangs');
  });
});

describe('a GPU that the installed torch cannot use', () => {
  let editor: Editor;
  let machine: PretendedMachine;
  before(async () => {
    machine = await pretendMachine('rtx3090-cpu-torch');
    editor = await openEditor({ 'main.py': 'import torch\n', ...machine.files });
  });
  after(async () => {
    await editor?.close();
    await machine?.forget();
  });
  afterEach(({ name }) => editor?.finish(name));

  test('the status bar warns of a real mismatch', async () => {
    await editor.open('main.py');
    await statusBarItem(editor).filter({ hasText: 'RTX 3090 · torch 2.9.0+cpu' }).waitFor();
    await editor.page.locator('.statusbar-item.warning-kind').and(statusBarItem(editor)).waitFor();
    await tooltipHas(editor, 'is built for the CPU only');
  });

  test('a click offers actions', async () => {
    await editor.insist(async () => {
      await statusBarItem(editor).click();
      await menuRows(editor).filter({ hasText: 'is built for the CPU only' }).waitFor();
    });
    for (const label of ['Open Full Report', 'Refresh GPU Stack', 'Select Python Interpreter'])
      await menuRows(editor).filter({ hasText: label }).waitFor();
    await menuRows(editor).filter({ hasText: 'is built for the CPU only' }).click();
    await menuRows(editor).filter({ hasText: 'Repair in a copy' }).waitFor();
    await editor.page.keyboard.press('Escape');
  });

  test('a remedy is inserted in a terminal for the user to run', async () => {
    await takeRemedy(editor, CPU_ONLY, 'Insert in terminal: Install torch 2.9.0 for CUDA 12.8 with pip');
    // The command did not run: no output follows, not even an error from this Python.
    await editor.terminalWith('-m pip install', '-index-url', 'cu128').waitFor();
  });

  test('a remedy is copied', async () => {
    const copied = editor.page.locator('.statusbar-item').filter({ hasText: 'Command copied' });
    await takeRemedy(editor, CPU_ONLY, 'Copy command: Install torch 2.9.0 for CUDA 12.8 with uv');
    await copied.waitFor();
    assert.match(await editor.clipboard(), /^uv pip install .*cu128$/);
  });
});
