import assert from 'node:assert/strict';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { writeInto } from './actions.ts';
import { type Editor, openEditor, screenshots } from './editor.ts';
import { type PretendedMachine, pretendMachine } from './pretendMachine.ts';

const PROJECT = { 'main.py': 'import torch\n', 'requirements.txt': 'torch==2.6.0\ntorchvision\n' };

/** Runs the command and selects one of its entries. */
function choose(editor: Editor, label: string, detail: string): Promise<void> {
  return editor.insist(async () => {
    await editor.run('GPU Doctor: Plan Environment');
    await take(editor, /^For /, label, detail);
  });
}

/** Selects the row with this label and detail in the open list. */
async function take(editor: Editor, placeholder: RegExp, label: string, detail: string): Promise<void> {
  // Only visible rows are drawn.
  await editor.page.locator('.quick-input-widget').getByPlaceholder(placeholder).fill(label);
  const offers = editor.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: label });
  // Matches are highlighted; until then rows change.
  const found = offers.filter({ has: editor.page.locator('.highlight') });
  const offer = found.filter({ hasText: detail }).first();
  await offer.click();
  await offer.waitFor({ state: 'hidden' });
}

describe('a plan in VS Code', () => {
  let editor: Editor;
  let machine: PretendedMachine;

  before(async () => {
    machine = await pretendMachine('rtx3090-cu124');
    editor = await openEditor({ ...PROJECT, ...machine.files });
  });
  after(async () => {
    await editor?.close();
    await machine?.forget();
  });
  afterEach(({ name }) => editor?.finish(name));

  test('shows what fits this machine, then the forms', async () => {
    const { page } = editor;
    await editor.open('main.py');
    await editor.insist(async () => {
      await editor.run('GPU Doctor: Plan Environment');
      await page
        .locator('.quick-input-widget')
        .getByPlaceholder(/^For torch==2\.6\.0, torchvision/)
        .waitFor();
    });
    const rows = page.locator('.quick-input-list .monaco-list-row');
    const first = rows.first();
    await first.filter({ hasText: /Python 3\.\d+, torch 2\.6\.0 for CUDA 12\.4/ }).waitFor();
    await first.filter({ hasText: /Fits Linux on x64 with RTX 3090, driver 550/ }).waitFor();
    await rows.nth(1).filter({ hasText: 'Use it as' }).waitFor();
    assert.equal(await rows.filter({ hasText: /^\W*pip/ }).count(), 1);
    await page.screenshot({ path: path.join(screenshots, 'plan-fits.png') });
    await first.click();
    await page
      .locator('.view-line')
      .filter({ hasText: /has\s+code\s+for\s+RTX\s+3090/ })
      .first()
      .waitFor();
    await editor.run('View: Revert and Close Editor');
  });

  test('opens as a new file with a reason for each line', async () => {
    const { page } = editor;
    await choose(editor, 'Dockerfile', 'Open as a new file');
    await page
      .locator('.view-line')
      .filter({ hasText: /FROM\s+python:3\.\d+-slim/ })
      .waitFor();
    await page
      .locator('.view-line')
      .filter({ hasText: /torch==2\.6\.0/ })
      .first()
      .waitFor();
    await page
      .locator('.view-line')
      .filter({ hasText: /has\s+code\s+for\s+RTX\s+3090/ })
      .first()
      .waitFor();
  });

  test('is inserted in a terminal without running', async () => {
    await choose(editor, 'pip', 'Insert in a terminal');
    await editor.terminalWith('-m venv .venv', 'torch==2.6.0 "torchvision==0.21.*"').waitFor();
  });
});

describe('a plan for pins that conflict', () => {
  let editor: Editor;
  let machine: PretendedMachine;

  before(async () => {
    machine = await pretendMachine('rtx3090-cu124');
    const requirements = 'torch==2.6.0\ntorchvision==0.15.0\n';
    editor = await openEditor({ ...PROJECT, 'requirements.txt': requirements, ...machine.files });
  });
  after(async () => {
    await editor?.close();
    await machine?.forget();
  });
  afterEach(({ name }) => editor?.finish(name));

  test('offers the smallest change and its plan, without opening a file first', async () => {
    const { page } = editor;
    await editor.open('main.py');
    const placeholder = /^Choose a change/;
    await editor.insist(async () => {
      await editor.run('GPU Doctor: Plan Environment');
      await page.locator('.quick-input-widget').getByPlaceholder(placeholder).waitFor();
    });
    const rows = page.locator('.quick-input-list .monaco-list-row');
    const change = 'Change torchvision==0.15.0 to torchvision==0.21.*';
    await rows
      .first()
      .filter({ hasText: change })
      .filter({ hasText: 'requirements.txt · gives Python 3.12, torch 2.6.0 for CUDA 12.4' })
      .waitFor();
    await rows.nth(1).filter({ hasText: 'Change torch==2.6.0 to torch==2.0.1' }).waitFor();
    await rows.nth(2).filter({ hasText: 'Nothing fits' }).filter({ hasText: 'all of these together' }).waitFor();
    assert.equal(await page.locator('.tabs-container .tab').filter({ hasText: 'Untitled' }).count(), 0);
    await page.screenshot({ path: path.join(screenshots, 'plan-conflict.png') });
    await rows.first().click();
    await take(editor, /^For /, 'torch 2.6.0', 'Show the plan');
    await page
      .locator('.view-line')
      .filter({ hasText: /torchvision==0\.21\.\*\s+\(instead\s+of\s+torchvision==0\.15\.0,\s+requirements\.txt\)/ })
      .first()
      .waitFor();
  });

  test('explains why if no change of a pin helps', async () => {
    const { page } = editor;
    const said = page.locator('.notification-toast').filter({ hasText: 'detectron2 has no wheels on PyPI' }).first();
    await editor.write('requirements.txt', 'torch\ndetectron2\n', async () => {
      await editor.run('GPU Doctor: Plan Environment');
      await said.waitFor();
    });
    assert.equal(await page.locator('.quick-input-widget:visible').count(), 0);
  });
});

describe('a plan for a terminal whose shell starts slowly', () => {
  let editor: Editor;
  let machine: PretendedMachine;

  /** It starts when one of two files exists; with the second one it reports nothing to VS Code. */
  const SHELL = `until [ -e tells ] || [ -e silent ]; do sleep 0.1; done
if [ -e silent ]; then exec bash --norc; fi
`;

  before(async () => {
    machine = await pretendMachine('rtx3090-cu124');
    const settings = {
      'terminal.integrated.defaultProfile.linux': 'bash',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code fills it in.
      'terminal.integrated.env.linux': { HOME: '${workspaceFolder}' },
    };
    const files = { '.bashrc': SHELL, '.vscode/settings.json': JSON.stringify(settings) };
    editor = await openEditor({ ...PROJECT, ...machine.files, ...files });
  });
  after(async () => {
    await editor?.close();
    await machine?.forget();
  });
  afterEach(({ name }) => editor?.finish(name));

  const rows = () => editor.page.locator('.terminal-wrapper.active .xterm-rows');
  const question = () =>
    editor.page.locator('.notification-toast').filter({ hasText: 'has not reported that it is ready' }).first();
  const isShownOnce = async () => {
    await editor.terminalWith('-m venv .venv', 'torch==2.6.0 "torchvision==0.21.*"').waitFor();
    const shown = (await rows().innerText()).replaceAll(/\s/g, '');
    assert.equal(shown.split('torchvision==0.21').length, 2, shown);
  };

  test('is inserted when the shell is ready, and shown once', async () => {
    await editor.open('main.py');
    await choose(editor, 'pip', 'Insert in a terminal');
    await question().waitFor();
    assert.equal((await rows().innerText()).trim(), '');
    await writeInto(editor.folder, 'tells', '');
    await isShownOnce();
    await question().locator('.codicon-notifications-clear').click();
    await question().waitFor({ state: 'hidden' });
  });

  test('is inserted on request if the shell never reports that it is ready', async () => {
    await editor.remove('tells');
    await editor.run('Terminal: Kill All Terminals');
    await rows().waitFor({ state: 'detached' });
    await choose(editor, 'pip', 'Insert in a terminal');
    await question().waitFor();
    await writeInto(editor.folder, 'silent', '');
    await rows().filter({ hasText: /[$#]/ }).waitFor();
    await question().getByRole('button', { name: 'Insert Now' }).click();
    await isShownOnce();
  });
});
