import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { writeInto } from './actions.ts';
import { type Editor, openEditor } from './editor.ts';
import { type PretendedMachine, pretendMachine } from './pretendMachine.ts';

const PROJECT = { 'main.py': 'import torch\n', 'requirements.txt': 'torch==2.6.0\ntorchvision\n' };

/** Runs the command and takes one of what it offers. */
function choose(editor: Editor, label: string, detail: string): Promise<void> {
  return editor.insist(async () => {
    await editor.run('GPU Doctor: Plan a Working Environment');
    // Only those in sight are drawn.
    await editor.page.locator('.quick-input-widget').getByPlaceholder(/^For /).fill(label);
    const offers = editor.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: label });
    // What was found is highlighted: until then the rows turn into others.
    const found = offers.filter({ has: editor.page.locator('.highlight') });
    const offer = found.filter({ hasText: detail }).first();
    await offer.click();
    await offer.waitFor({ state: 'hidden' });
  });
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

  test('comes as a new file, each line with its reason', async () => {
    const { page } = editor;
    await editor.open('main.py');
    await choose(editor, 'Dockerfile', 'A new file');
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

  test('comes into a terminal and is not run', async () => {
    await choose(editor, 'pip', 'Into a terminal');
    await editor.terminalWith('-m venv .venv', 'torch==2.6.0 "torchvision==0.21.*"').waitFor();
  });
});

describe('a plan for a terminal whose shell starts slowly', () => {
  let editor: Editor;
  let machine: PretendedMachine;

  /** It starts once one of two files is there; by the second it is one that tells VS Code nothing. */
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
    editor.page.locator('.notification-toast').filter({ hasText: 'does not say when it is ready' }).first();
  const isShownOnce = async () => {
    await editor.terminalWith('-m venv .venv', 'torch==2.6.0 "torchvision==0.21.*"').waitFor();
    const shown = (await rows().innerText()).replaceAll(/\s/g, '');
    assert.equal(shown.split('torchvision==0.21').length, 2, shown);
  };

  test('is put there once the shell is ready, and shown once', async () => {
    await editor.open('main.py');
    await choose(editor, 'pip', 'Into a terminal');
    await question().waitFor();
    assert.equal((await rows().innerText()).trim(), '');
    await writeInto(editor.folder, 'tells', '');
    await isShownOnce();
    await question().locator('.codicon-notifications-clear').click();
    await question().waitFor({ state: 'hidden' });
  });

  test('is put there when asked for, where the shell never tells', async () => {
    await editor.remove('tells');
    await editor.run('Terminal: Kill All Terminals');
    await rows().waitFor({ state: 'detached' });
    await choose(editor, 'pip', 'Into a terminal');
    await question().waitFor();
    await writeInto(editor.folder, 'silent', '');
    await rows().filter({ hasText: /[$#]/ }).waitFor();
    await question().getByRole('button', { name: 'Put It There Now' }).click();
    await isShownOnce();
  });
});
