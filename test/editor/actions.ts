/** What a person does in the editor, done again where it came too early, and waited for by what shows. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';

export const screenshots = path.join(import.meta.dirname, 'screenshots');

/** How long the editor may take for one step on a machine that is busy with other things, in milliseconds. */
export const PATIENCE = 60_000;

/** The same, where the step may have to be done again: at first, and twice as long each time after that. */
export const STEP = 10_000;

/** The same for a webview to draw anything, which loads through several processes. */
const PAGE = 30_000;

/** The same for a window or a notebook to open, of which the first compiles all of its code, and for a long page to be drawn. */
export const START = 240_000;

export interface Actions {
  /**
   * Does a thing that takes several steps again when one of them fails, from the first. The last is to wait for what
   * comes of it: what a menu lists may come late, it closes when something else takes the focus, and does not heed a
   * click right after it has opened.
   */
  insist<T>(act: () => Promise<T>): Promise<T>;
  /** Checks a thing until it holds, without disturbing anything. */
  eventually(check: () => Promise<void>): Promise<void>;
  /** Opens a file of the folder from the explorer and waits for its text, which then has the cursor. */
  open(file: string): Promise<void>;
  /** The same for what is not shown as text, up to its tab. */
  openTab(file: string): Promise<void>;
  /** The same for a notebook, up to the text of its cells, which it draws when its webview is there. */
  openNotebook(file: string): Promise<void>;
  /** Opens a file by its name, wherever the explorer has it, and waits for its text, which then has the cursor. */
  openByName(file: string): Promise<void>;
  /**
   * Opens a page in a webview up to what is in it. VS Code now and then leaves one empty that it opens while much else
   * goes on: then all is closed, and it is opened again.
   */
  openPage(open: () => Promise<void>, content: Locator): Promise<void>;
  /** Runs a command by its whole title, from the command palette. It may still be at work then, and yet to show something. */
  run(command: string): Promise<void>;
  /** The tab of that name once it is in front. */
  tabInFront(name: string): Locator;
  /** The terminal in front, once the last that is in it is a line with these parts of it in order. */
  terminalWith(...parts: readonly string[]): Locator;
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
  /**
   * Writes a file of the folder behind the editor's back and waits for what comes of it. It is written again where nothing
   * does: VS Code begins to watch a folder some time after it has opened it.
   */
  write(file: string, content: string | Uint8Array, shown: () => Promise<void>): Promise<void>;
  /** Saves a picture of the window in `screenshots/`, which git ignores, and closes what a test may have left open. */
  finish(test: string): Promise<void>;
}

/** What is done on the page that an editor with that folder is open in. */
export function actionsOn(page: Page, folder: string): Actions {
  const tab = page.locator('.editor-group-container.active .tab.active');
  const dirty = tab.and(page.locator('.dirty'));
  const webview = page.frameLocator('iframe.webview.ready >> visible=true').frameLocator('#active-frame');
  const drawn = webview.locator('body :not(script)').first();
  const fixes = page.locator('.action-widget .monaco-list-row.action');
  let patience = PATIENCE;
  /** When no step is begun again any more, set by the outermost of the steps that are done again within each other. */
  let lastTry: number | undefined;
  const beSoPatient = (most: number) => {
    patience = most;
    page.setDefaultTimeout(most);
  };
  /** Does a thing until it succeeds, and something else in between; at last it may take as long as any other. */
  const again = async <T>(act: () => Promise<T>, between?: () => Promise<unknown>): Promise<T> => {
    // One may do a step again of what another does again.
    const outer = patience;
    const outermost = lastTry;
    const end = performance.now() + PATIENCE;
    // Without it, each of the tries of the outer one would try for as long as the inner one may.
    lastTry ??= performance.now() + 2 * PATIENCE;
    try {
      for (let step = STEP; ; step = Math.min(2 * step, PATIENCE)) {
        beSoPatient(step);
        try {
          return await act();
        } catch (error) {
          const now = performance.now();
          if ((step === PATIENCE && now > end) || now > lastTry) throw error;
        }
        await between?.();
      }
    } finally {
      beSoPatient(outer);
      lastTry = outermost;
    }
  };
  const insist: Actions['insist'] = (act) => again(act, () => page.keyboard.press('Escape'));
  const showFixes = async (squiggle: Locator) => {
    // A click where the cursor is already changes nothing, so that no light bulb would come either.
    const focused = page.locator('.monaco-editor.focused').first();
    if (await focused.isVisible()) await page.keyboard.press('Control+Home');
    // The squiggle is drawn behind the text, which takes the click.
    await squiggle.click({ force: true });
    await page.locator('.lightBulbWidget:visible, [class*=codicon-gutter-lightbulb]:visible').first().click();
    await fixes.first().waitFor();
  };
  /** Asks for an entry by its whole name and takes it; the list may stay, with what the entry asks for in it. */
  const pick = async (key: string, prefix: string, name: string) => {
    await page.keyboard.press(key);
    await page.locator('.quick-input-widget input[type=text]').fill(`${prefix}${name}`);
    const whole = new RegExp(`^${literally(name)}$`);
    // While a list is being filled its rows turn into others under the pointer: what was found is highlighted.
    const entry = page
      .locator('.quick-input-list .monaco-list-row')
      .filter({ has: page.locator('.label-name', { hasText: whole }) })
      .filter({ has: page.locator('.highlight', { hasText: whole }) })
      .first();
    await entry.click();
    await entry.waitFor({ state: 'hidden' });
  };
  const run: Actions['run'] = (command) => insist(() => pick('F1', '>', command));
  const openTab = async (file: string) => {
    await page.locator('.explorer-folders-view').getByRole('treeitem', { name: file, exact: true }).dblclick();
    await tabInFront(file).waitFor();
  };
  const tabInFront = (name: string) => tab.and(page.getByRole('tab', { name }));
  // A tab is in front before its text is: until then the text of the one before is in sight.
  const text = (file: string) => page.locator(`.monaco-editor.focused[data-uri$="/${file}"]`);
  return {
    insist,
    eventually: (check) => again(check, () => page.evaluate('new Promise(requestAnimationFrame)')),
    run,
    tabInFront,
    openTab: (file) => insist(() => openTab(file)),
    open: (file) =>
      insist(async () => {
        await openTab(file);
        await text(file).waitFor();
      }),
    async openNotebook(file) {
      await insist(() => openTab(file));
      await page.locator('.notebookOverlay .view-line').first().waitFor({ timeout: START });
    },
    openByName: (file) =>
      insist(async () => {
        await pick('Control+P', '', file);
        await tabInFront(file).waitFor();
        await text(file).waitFor();
      }),
    terminalWith: (...parts) =>
      page.locator('.terminal-wrapper.active .xterm-rows').filter({ hasText: endingWith(parts) }),
    write: (file, content, shown) =>
      again(async () => {
        await writeInto(folder, file, content);
        await shown();
      }),
    async openPage(open, content) {
      await insist(async () => {
        await open();
        const isThere = await content.waitFor({ timeout: Math.max(PAGE, patience) }).then(
          () => true,
          () => false,
        );
        // What has begun to draw is only slow.
        if (isThere || (await drawn.isVisible())) return;
        await run('View: Close All Editors');
        throw new Error('The webview stays empty.');
      });
      await content.waitFor({ timeout: START });
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

/** A text that ends with these parts in order; a terminal breaks its lines anywhere. */
function endingWith(parts: readonly string[]): RegExp {
  const anywhere = (part: string) => Array.from(part.replaceAll(/\s/g, ''), literally).join('\\s*');
  return new RegExp(`${parts.map(anywhere).join('.*')}\\s*$`, 's');
}

/** As a pattern that only this text fits. */
function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Writes a file, and the folders that it lies in. */
export async function writeInto(folder: string, file: string, content: string | Uint8Array): Promise<void> {
  const target = path.join(folder, file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, content);
}
