/** The real VS Code, with the packaged extension in it, as a person in front of a browser has it. */
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { chromium, type Locator, type Page } from 'playwright-core';
import { root } from '../../scripts/root.ts';
import { CHROMIUM, findCommand } from '../../scripts/systemPackages.ts';
import { startWorkbench } from '../../scripts/workbench.ts';

export const screenshots = path.join(import.meta.dirname, 'screenshots');

/** Nothing of these is tested; they would only move or cover what is. */
const QUIET: Readonly<Record<string, unknown>> = {
  'chat.disableAIFeatures': true,
  'editor.minimap.enabled': false,
  'files.autoSave': 'off',
  'security.workspace.trust.enabled': false,
  // Drawn as text, which a test can read.
  'terminal.integrated.gpuAcceleration': 'off',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/** Without a word: a new folder is not trusted. */
const UNTRUSTED: Readonly<Record<string, unknown>> = {
  'security.workspace.trust.enabled': true,
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
};

/** How long the editor may take for one step on a machine that is busy with other things, in milliseconds. */
const PATIENCE = 60_000;

/** The same, where the step may have to be done again. */
const STEP = 10_000;

export interface Editor {
  readonly page: Page;
  /** The path of the folder that is open. */
  readonly folder: string;
  /**
   * Does a thing that takes several steps again when one of them fails, from the first. The last is to wait for what
   * comes of it: what a menu lists may come late, it closes when something else takes the focus, and does not heed a
   * click right after it has opened.
   */
  insist<T>(act: () => Promise<T>): Promise<T>;
  /** Opens a file of the folder from the explorer and waits for its tab. */
  open(file: string): Promise<void>;
  /** Runs a command by its title, from the command palette. */
  run(command: string): Promise<void>;
  /** Points at something until what it shows then is as `act` waits for it. */
  pointAt(target: Locator, act: () => Promise<void>): Promise<void>;
  /** What is on the clipboard. */
  clipboard(): Promise<string>;
  /** Puts the cursor at a squiggle and opens the light bulb's menu. */
  openLightBulb(squiggle: Locator): Promise<void>;
  /** Takes the first entry of the light bulb's menu at a squiggle whose title has this in it. */
  fix(squiggle: Locator, title: string): Promise<void>;
  /** Saves the active editor once something in it has changed, and returns what is on disk then. */
  save(file: string): Promise<string>;
  /** Writes a file of the folder behind the editor's back. */
  write(file: string, content: string | Uint8Array): Promise<void>;
  /** Takes a file from the folder behind the editor's back. */
  remove(file: string): Promise<void>;
  /** Saves a picture of the window in `screenshots/`, which git ignores, and closes what a test may have left open. */
  finish(test: string): Promise<void>;
  close(): Promise<void>;
}

export interface EditorOptions {
  /** Folders of extensions to install as well, those in `extensions/` by name: stand-ins for what cannot be had here. */
  readonly extensions?: readonly string[];
  /** Whether the folder is opened without trust in its authors. */
  readonly untrusted?: boolean;
  /** Which of the files is the workspace to open instead of the folder. */
  readonly workspace?: string;
  /** Which of the files are programs. */
  readonly executables?: readonly string[];
}

/** Opens a new folder with these files in a new VS Code. */
export async function openEditor(
  files: Readonly<Record<string, string | Uint8Array>>,
  env?: Readonly<Record<string, string>>,
  { extensions = [], untrusted = false, workspace, executables = [] }: EditorOptions = {},
): Promise<Editor> {
  const home = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-editor-'));
  const folder = path.join(home, 'project');
  const write = async (file: string, content: string | Uint8Array) => {
    const target = path.join(folder, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, content);
  };
  for (const [file, content] of Object.entries(files)) await write(file, content);
  for (const file of executables) await chmod(path.join(folder, file), 0o755);
  const settings = path.join(home, 'user-data', 'User', 'settings.json');
  await mkdir(path.dirname(settings), { recursive: true });
  await writeFile(settings, JSON.stringify({ ...QUIET, ...(untrusted && UNTRUSTED) }));

  // What the workbench has started may write on for a moment after it has ended.
  const clean = () => rm(home, { recursive: true, force: true, maxRetries: 10 });
  const start = async () => {
    const others = await Promise.all(extensions.map((name) => packPretended(name, home)));
    return startWorkbench({ home, vsix: path.join(root, 'gpu-doctor.vsix'), others, asksForTrust: untrusted, env });
  };
  const workbench = await start().catch(async (error) => {
    await clean();
    throw error;
  });
  const close = async () => {
    await browser?.close();
    await workbench.stop();
    await clean();
  };
  let browser: Awaited<ReturnType<typeof chromium.launch>> | undefined;
  try {
    browser = await chromium.launch({
      executablePath: findCommand(...CHROMIUM.commands),
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
    });
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    const opened = workspace === undefined ? ['folder', folder] : ['workspace', path.join(folder, workspace)];
    await page.goto(`${workbench.address}?${opened.map(encodeURIComponent).join('=')}`);
    // Only from then on does VS Code know what editor a notebook has.
    await page.waitForFunction(() => performance.getEntriesByName('code/didHandleExtensionPoints').length > 0);
    const remove = (file: string) => rm(path.join(folder, file));
    return { page, folder, ...actions(page, folder), write, remove, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function packPretended(name: string, folder: string): Promise<string> {
  const vsix = path.join(folder, `${path.basename(name)}.vsix`);
  const vsce = path.join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const args = ['package', '--no-dependencies', '--skip-license', '--out', vsix];
  await execa(process.execPath, [vsce, ...args], { cwd: path.resolve(import.meta.dirname, 'extensions', name) });
  return vsix;
}

/** Puts another window of the browser in front, or takes it away again. */
export async function lookAway({ page }: Editor, away: boolean): Promise<void> {
  const [, other] = page.context().pages();
  if (!away) return other?.close();
  // Without it, every window believes to be in front.
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setFocusEmulationEnabled', { enabled: false });
  await (await page.context().newPage()).bringToFront();
}

function actions(page: Page, folder: string): Omit<Editor, 'page' | 'folder' | 'write' | 'remove' | 'close'> {
  const tab = page.locator('.editor-group-container.active .tab.active');
  const dirty = tab.and(page.locator('.dirty'));
  const fixes = page.locator('.action-widget .monaco-list-row.action');
  const insist: Editor['insist'] = async (act) => {
    const end = performance.now() + PATIENCE;
    page.setDefaultTimeout(STEP);
    try {
      for (;;) {
        try {
          return await act();
        } catch (error) {
          if (performance.now() > end) throw error;
        }
        await page.keyboard.press('Escape');
      }
    } finally {
      page.setDefaultTimeout(PATIENCE);
    }
  };
  const showFixes = async (squiggle: Locator) => {
    // The squiggle is drawn behind the text, which takes the click.
    await squiggle.click({ force: true });
    await page.locator('.lightBulbWidget:visible, [class*=codicon-gutter-lightbulb]:visible').first().click();
    await fixes.first().waitFor();
  };
  return {
    insist,
    open: (file) =>
      insist(async () => {
        await page.locator('.explorer-folders-view').getByRole('treeitem', { name: file, exact: true }).dblclick();
        await tab.and(page.getByRole('tab', { name: file })).waitFor();
      }),
    run: (command) =>
      insist(async () => {
        await page.keyboard.press('F1');
        await page.locator('.quick-input-widget input[type=text]').fill(`>${command}`);
        await page.locator('.quick-input-list').getByRole('option', { name: command }).first().click();
        await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
      }),
    pointAt: (target, act) =>
      insist(async () => {
        await page.mouse.move(0, 0);
        // What is drawn over it, such as the text over a squiggle, may take it.
        await target.hover({ force: true });
        await act();
      }),
    clipboard: () => page.evaluate<string>('navigator.clipboard.readText()'),
    openLightBulb: (squiggle) => insist(() => showFixes(squiggle)),
    fix: (squiggle, title) =>
      insist(async () => {
        if (!(await dirty.isVisible())) {
          await showFixes(squiggle);
          await fixes.filter({ hasText: title }).first().click();
        }
        await dirty.waitFor();
      }),
    async save(file) {
      await dirty.waitFor();
      await page.keyboard.press('Control+S');
      await dirty.waitFor({ state: 'detached' });
      return readFile(path.join(folder, file), 'utf8');
    },
    async finish(test) {
      await page.screenshot({ path: path.join(screenshots, `${test.replaceAll(/[^\w]+/g, '-')}.png`) });
      await page.keyboard.press('Escape');
    },
  };
}
