/** Steps of a person in the editor, repeated if they came too early, with waits for visible results. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';

export const screenshots = path.join(import.meta.dirname, 'screenshots');

/** Time limit for one step on a busy machine, in milliseconds. */
export const PATIENCE = 60_000;

/** Time limit for a step that may be repeated: for the first try, doubled for each further one. */
export const STEP = 10_000;

/** Time limit for a webview to draw, which loads through several processes. */
const PAGE = 30_000;

/**
 * Time limit for opening a window or notebook, the first of which compiles all of its code, and for drawing a long
 * page.
 */
export const START = 240_000;

export interface Actions {
  /**
   * Repeats several steps from the first one when one of them fails. The last step waits for their effect: a menu may
   * list items late, closes when it loses the focus, and ignores a click right after it opened.
   */
  insist<T>(act: () => Promise<T>): Promise<T>;
  /** Repeats a check until it holds, without disturbing anything. */
  eventually(check: () => Promise<void>): Promise<void>;
  /** Opens a file of the folder from the explorer and waits for its text to have the cursor. */
  open(file: string): Promise<void>;
  /** Opens a file that is not shown as text, and waits for its tab. */
  openTab(file: string): Promise<void>;
  /** Opens a notebook and waits for the text of its cells, which appears with its webview. */
  openNotebook(file: string): Promise<void>;
  /** Opens a file by its name and waits for its text to have the cursor. */
  openByName(file: string): Promise<void>;
  /**
   * Opens a page in a webview and waits for its content. VS Code sometimes leaves a webview empty that opens while much
   * else happens: then everything is closed and opened again.
   */
  openPage(open: () => Promise<void>, content: Locator): Promise<void>;
  /** Runs a command by its full title from the command palette. Its effect may come later. */
  run(command: string): Promise<void>;
  /** Returns the active tab if it has that name. */
  tabInFront(name: string): Locator;
  /** Returns the active terminal if its last line contains these parts in order. */
  terminalWith(...parts: readonly string[]): Locator;
  /** Points at an element until `act` finds what it shows. */
  pointAt(target: Locator, act: () => Promise<void>): Promise<void>;
  /** Returns the content of the clipboard. */
  clipboard(): Promise<string>;
  /** Moves the cursor to a squiggle and opens the light bulb's menu. */
  openLightBulb(squiggle: Locator): Promise<void>;
  /** Applies the first fix at a squiggle whose title contains this text. */
  fix(squiggle: Locator, title: string): Promise<void>;
  /** Saves the active editor after a change, and returns the file's content on disk. */
  save(file: string): Promise<string>;
  /**
   * Writes a file of the folder outside the editor and waits for the effect. It is written again without one: VS Code
   * starts to watch a folder some time after opening it.
   */
  write(file: string, content: string | Uint8Array, shown: () => Promise<void>): Promise<void>;
  /** Saves a screenshot in `screenshots/`, which git ignores, and closes menus that a test left open. */
  finish(test: string): Promise<void>;
}

/** Returns the actions on the page of an editor with this folder. */
export function actionsOn(page: Page, folder: string): Actions {
  const tab = page.locator('.editor-group-container.active .tab.active');
  const dirty = tab.and(page.locator('.dirty'));
  const webview = page.frameLocator('iframe.webview.ready >> visible=true').frameLocator('#active-frame');
  const drawn = webview.locator('body :not(script)').first();
  const fixes = page.locator('.action-widget .monaco-list-row.action');
  let patience = PATIENCE;
  /** The time after which no step is repeated, set by the outermost of nested steps. */
  let lastTry: number | undefined;
  const beSoPatient = (most: number) => {
    patience = most;
    page.setDefaultTimeout(most);
  };
  /** Repeats an action until it succeeds, with another one in between. The last try may take as long as any step. */
  const again = async <T>(act: () => Promise<T>, between?: () => Promise<unknown>): Promise<T> => {
    // Repeated steps may be nested.
    const outer = patience;
    const outermost = lastTry;
    const end = performance.now() + PATIENCE;
    // Without this limit, each try of the outer step would repeat for as long as the inner one may.
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
    // A click at the cursor's position changes nothing, so no light bulb would appear.
    const focused = page.locator('.monaco-editor.focused').first();
    if (await focused.isVisible()) await page.keyboard.press('Control+Home');
    // The squiggle is drawn behind the text, which receives the click.
    await squiggle.click({ force: true });
    await page.locator('.lightBulbWidget:visible, [class*=codicon-gutter-lightbulb]:visible').first().click();
    await fixes.first().waitFor();
  };
  /** Selects an entry by its full name. The list may stay open for the entry's own question. */
  const pick = async (key: string, prefix: string, name: string) => {
    await page.keyboard.press(key);
    await page.locator('.quick-input-widget input[type=text]').fill(`${prefix}${name}`);
    const whole = new RegExp(`^${literally(name)}$`);
    // While a list fills, its rows change under the pointer. Matches are highlighted.
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
  // A tab becomes active before its text: until then the previous text is visible.
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
        // A page that has begun to draw is only slow.
        if (isThere || (await drawn.isVisible())) return;
        await run('View: Close All Editors');
        throw new Error('The webview stays empty.');
      });
      await content.waitFor({ timeout: START });
    },
    pointAt: (target, act) =>
      insist(async () => {
        await page.mouse.move(0, 0);
        // Another element over it, such as the text over a squiggle, may receive the event.
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

/** Matches a text that ends with these parts in order; a terminal can wrap lines anywhere. */
function endingWith(parts: readonly string[]): RegExp {
  const anywhere = (part: string) => Array.from(part.replaceAll(/\s/g, ''), literally).join('\\s*');
  return new RegExp(`${parts.map(anywhere).join('.*')}\\s*$`, 's');
}

/** Escapes a text for a regular expression. */
function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Writes a file and creates its folders. */
export async function writeInto(folder: string, file: string, content: string | Uint8Array): Promise<void> {
  const target = path.join(folder, file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, content);
}
