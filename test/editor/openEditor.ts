/** The real VS Code with the packaged extension, as in front of a person at a browser. */
import { globSync } from 'node:fs';
import { chmod, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { type Actions, actionsOn, PATIENCE, START, STEP, writeInto } from './actions.ts';
import { newFolder, openPage } from './workbenchInUse.ts';

/** Size of a window in pixels; a test may change it. */
const SIZE = { width: 1280, height: 800 };

export interface Editor extends Actions {
  readonly page: Page;
  /** Path of the open folder. */
  readonly folder: string;
  /** Deletes a file of the folder outside the editor. */
  remove(file: string): Promise<void>;
  /** Returns the extension's log in this window, once it names the window's folder. */
  log(): Promise<string>;
  close(): Promise<void>;
}

export interface EditorOptions {
  /**
   * Additional extensions to install, folders or names in `extensions/`: replacements for extensions that are not
   * available here.
   */
  readonly extensions?: readonly string[];
  /** True to open the folder without trusting its authors. */
  readonly untrusted?: boolean;
  /** The workspace file to open instead of the folder. */
  readonly workspace?: string;
  /** The files that are executable. */
  readonly executables?: readonly string[];
}

/** Opens a new folder with these files in a new VS Code window. */
export async function openEditor(
  files: Readonly<Record<string, string | Uint8Array>>,
  { extensions = [], untrusted = false, workspace, executables = [] }: EditorOptions = {},
): Promise<Editor> {
  const folder = path.join(await newFolder(), 'project');
  for (const [file, content] of Object.entries(files)) await writeInto(folder, file, content);
  for (const file of executables) await chmod(path.join(folder, file), 0o755);

  const { page, workbench, home } = await openPage({ extensions, untrusted });
  // A window is closed like by a person: processes that it started end with it.
  const close = async () => {
    page.removeAllListeners();
    page.on('dialog', (dialog) => dialog.accept());
    await page.goto('about:blank');
  };
  try {
    page.setDefaultTimeout(START);
    await page.setViewportSize(SIZE);
    const opened = workspace === undefined ? ['folder', folder] : ['workspace', path.join(folder, workspace)];
    const open = async () => {
      await page.goto(`${workbench.address}?${opened.map(encodeURIComponent).join('=')}`);
      // VS Code knows the editor of notebooks only from then on.
      await page.waitForFunction(() => performance.getEntriesByName('code/didHandleExtensionPoints').length > 0);
    };
    await open();
    page.setDefaultTimeout(PATIENCE);
    // If VS Code reads a workspace file too early, the workspace has no folders until it is opened again.
    const first = page.locator('.explorer-folders-view .monaco-list-row').first();
    const isListed = () =>
      first.waitFor({ timeout: STEP }).then(
        () => true,
        () => false,
      );
    for (let tries = 0; workspace !== undefined && tries < 3 && !(await isListed()); tries++) await open();
    const remove = (file: string) => rm(path.join(folder, file));
    const log = async () => {
      const files = globSync('user-data/logs/**/GPU Doctor.log', { cwd: home });
      const logs = await Promise.all(files.map((file) => readFile(path.join(home, file), 'utf8')));
      return logs.filter((text) => text.includes(folder)).join('');
    };
    return { page, folder, ...actionsOn(page, folder), remove, log, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Activates another window of the browser, or this one again. */
export async function lookAway({ page }: Editor, away: boolean): Promise<void> {
  // The browser started with a blank window.
  const [other] = page.context().pages();
  if (!away) return page.bringToFront();
  // Without this, every window behaves as if it were active.
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setFocusEmulationEnabled', { enabled: false });
  await other?.bringToFront();
}
