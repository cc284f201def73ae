/** The real VS Code, with the packaged extension in it, as a person in front of a browser has it. */
import { globSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { newFolder, openPage } from './workbenchInUse.ts';

export const screenshots = path.join(import.meta.dirname, 'screenshots');

/** Of a window, in pixels; a test may change it. */
const SIZE = { width: 1280, height: 800 };

/** How long the editor may take for one step on a machine that is busy with other things, in milliseconds. */
const PATIENCE = 60_000;

/** The same, where the step may have to be done again. */
const STEP = 10_000;

/** The same for a webview to draw anything, which loads through several processes. */
const PAGE = 30_000;

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
  /**
   * Opens a page in a webview up to what is in it. VS Code now and then leaves one empty that it opens while much else
   * goes on: then all is closed, and it is opened again.
   */
  openPage(open: () => Promise<void>, content: Locator): Promise<void>;
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
  /** What the extension has logged in this window, once it has named its folder. */
  log(): Promise<string>;
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

/** Opens a new folder with these files in a new window of VS Code. */
export async function openEditor(
  files: Readonly<Record<string, string | Uint8Array>>,
  { extensions = [], untrusted = false, workspace, executables = [] }: EditorOptions = {},
): Promise<Editor> {
  const folder = path.join(await newFolder(), 'project');
  const write = async (file: string, content: string | Uint8Array) => {
    const target = path.join(folder, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, content);
  };
  for (const [file, content] of Object.entries(files)) await write(file, content);
  for (const file of executables) await chmod(path.join(folder, file), 0o755);

  const { page, workbench, home } = await openPage({ extensions, untrusted });
  // A window is left as by a person who closes it: what it has started ends with it.
  const close = async () => {
    page.removeAllListeners();
    page.on('dialog', (dialog) => dialog.accept());
    await page.goto('about:blank');
  };
  try {
    page.setDefaultTimeout(PATIENCE);
    await page.setViewportSize(SIZE);
    const opened = workspace === undefined ? ['folder', folder] : ['workspace', path.join(folder, workspace)];
    await page.goto(`${workbench.address}?${opened.map(encodeURIComponent).join('=')}`);
    // Only from then on does VS Code know what editor a notebook has.
    await page.waitForFunction(() => performance.getEntriesByName('code/didHandleExtensionPoints').length > 0);
    const remove = (file: string) => rm(path.join(folder, file));
    const log = async () => {
      const files = globSync('user-data/logs/**/GPU Doctor.log', { cwd: home });
      const logs = await Promise.all(files.map((file) => readFile(path.join(home, file), 'utf8')));
      return logs.filter((text) => text.includes(folder)).join('');
    };
    return { page, folder, ...actions(page, folder), write, remove, log, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Puts another window of the browser in front, or this one again. */
export async function lookAway({ page }: Editor, away: boolean): Promise<void> {
  // The browser has begun with a blank one.
  const [other] = page.context().pages();
  if (!away) return page.bringToFront();
  // Without it, every window believes to be in front.
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setFocusEmulationEnabled', { enabled: false });
  await other?.bringToFront();
}

function actions(page: Page, folder: string): Omit<Editor, 'page' | 'folder' | 'write' | 'remove' | 'log' | 'close'> {
  const tab = page.locator('.editor-group-container.active .tab.active');
  const dirty = tab.and(page.locator('.dirty'));
  const webview = page.frameLocator('iframe.webview.ready >> visible=true').frameLocator('#active-frame');
  const drawn = webview.locator('body :not(script)').first();
  const fixes = page.locator('.action-widget .monaco-list-row.action');
  let insisting = 0;
  const insist: Editor['insist'] = async (act) => {
    const end = performance.now() + PATIENCE;
    insisting++;
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
      // One may insist on a step of what another insists on.
      insisting--;
      if (insisting === 0) page.setDefaultTimeout(PATIENCE);
    }
  };
  const showFixes = async (squiggle: Locator) => {
    // The squiggle is drawn behind the text, which takes the click.
    await squiggle.click({ force: true });
    await page.locator('.lightBulbWidget:visible, [class*=codicon-gutter-lightbulb]:visible').first().click();
    await fixes.first().waitFor();
  };
  const run: Editor['run'] = (command) =>
    insist(async () => {
      await page.keyboard.press('F1');
      await page.locator('.quick-input-widget input[type=text]').fill(`>${command}`);
      const entry = page.locator('.quick-input-list').getByRole('option', { name: command }).first();
      await entry.click();
      // The list may stay, with what the command asks for in it.
      await entry.waitFor({ state: 'hidden' });
    });
  return {
    insist,
    run,
    open: (file) =>
      insist(async () => {
        await page.locator('.explorer-folders-view').getByRole('treeitem', { name: file, exact: true }).dblclick();
        await tab.and(page.getByRole('tab', { name: file })).waitFor();
      }),
    async openPage(open, content) {
      await insist(async () => {
        await open();
        const isThere = await content.waitFor({ timeout: PAGE }).then(
          () => true,
          () => false,
        );
        // What has begun to draw is only slow.
        if (isThere || (await drawn.isVisible())) return;
        await run('View: Close All Editors');
        throw new Error('The webview stays empty.');
      });
      await content.waitFor();
    },
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
