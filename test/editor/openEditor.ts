/** The real VS Code, with the packaged extension in it, as a person in front of a browser has it. */
import { globSync } from 'node:fs';
import { chmod, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { type Actions, actionsOn, PATIENCE, START, STEP, writeInto } from './actions.ts';
import { newFolder, openPage } from './workbenchInUse.ts';

/** Of a window, in pixels; a test may change it. */
const SIZE = { width: 1280, height: 800 };

export interface Editor extends Actions {
  readonly page: Page;
  /** The path of the folder that is open. */
  readonly folder: string;
  /** Takes a file from the folder behind the editor's back. */
  remove(file: string): Promise<void>;
  /** What the extension has logged in this window, once it has named its folder. */
  log(): Promise<string>;
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
  for (const [file, content] of Object.entries(files)) await writeInto(folder, file, content);
  for (const file of executables) await chmod(path.join(folder, file), 0o755);

  const { page, workbench, home } = await openPage({ extensions, untrusted });
  // A window is left as by a person who closes it: what it has started ends with it.
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
      // Only from then on does VS Code know what editor a notebook has.
      await page.waitForFunction(() => performance.getEntriesByName('code/didHandleExtensionPoints').length > 0);
    };
    await open();
    page.setDefaultTimeout(PATIENCE);
    // A workspace whose file VS Code has read too early is without its folders, and stays so until it is opened again.
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
