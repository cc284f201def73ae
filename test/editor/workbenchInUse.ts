/**
 * Resources that the tests of one process share in turn, since starting them takes longer than most tests: a browser
 * page, which keeps the workbench's code compiled, and a workbench.
 */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { onExit } from 'signal-exit';
import { root } from '../../scripts/root.ts';
import { CHROMIUM, findCommand } from '../../scripts/systemPackages.ts';
import { builtInExtension, startWorkbench, type Workbench } from '../../scripts/workbench.ts';
import { programs } from './pretendMachine.ts';

/** Options of a window. */
export interface Kind {
  /** Additional extensions, folders or names in `extensions/`. */
  readonly extensions: readonly string[];
  /** True to open folders without trusting their authors. */
  readonly untrusted: boolean;
}

/** Features that are not tested and would only take time, or move or cover elements. */
export const QUIET: Readonly<Record<string, unknown>> = {
  'chat.disableAIFeatures': true,
  // Every blink is drawn.
  'editor.cursorBlinking': 'solid',
  'editor.minimap.enabled': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.webWorker': false,
  'files.autoSave': 'off',
  // It scans all processes of the machine every other second.
  'remote.autoForwardPorts': false,
  'security.workspace.trust.enabled': false,
  // Rendered as text, which a test can read.
  'terminal.integrated.gpuAcceleration': 'off',
  'workbench.enableExperiments': false,
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/** No prompt: a new folder is not trusted. */
const UNTRUSTED: Readonly<Record<string, unknown>> = {
  'security.workspace.trust.enabled': true,
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
};

/** The built-in extensions, out of a hundred, that open the tests' files. */
const BUILT_IN = [
  'cpp',
  'docker',
  'ini',
  'ipynb',
  'json',
  'markdown-basics',
  'markdown-language-features',
  'notebook-renderers',
  'python',
  'theme-defaults',
  'yaml',
];

interface InUse {
  readonly workbench: Workbench;
  /** Folders for settings, extensions and logs. */
  readonly home: string;
  readonly page: Page;
}

/** The folder in which Jupyter finds the kernels of tests. */
export const jupyter = path.join(tmpdir(), `gpu-doctor-jupyter-${randomUUID()}`);

let place: Promise<string> | undefined;
let browser: Promise<BrowserContext> | undefined;
let inUse: Promise<InUse> | undefined;

/** Creates a folder that is removed with everything else. */
export async function newFolder(): Promise<string> {
  place ??= makePlace();
  return mkdtemp(path.join(await place, 'window-'));
}

async function makePlace(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-editor-'));
  // Processes of the workbench may still write for a moment after it ended.
  const options = { recursive: true, force: true, maxRetries: 10 };
  onExit(() => {
    for (const folder of [made, jupyter, programs]) rmSync(folder, options);
  });
  return made;
}

/** Returns the browser page and a workbench that is ready for its next window. */
export async function openPage({ extensions, untrusted }: Kind): Promise<InUse> {
  inUse ??= start();
  const { home } = await inUse;
  const settings = path.join(home, 'user-data', 'User', 'settings.json');
  await mkdir(path.dirname(settings), { recursive: true });
  await writeFile(settings, JSON.stringify({ ...QUIET, ...(untrusted && UNTRUSTED) }));
  await bringAlong(builtInFolder(home), extensions);
  return inUse;
}

/** Returns a browser page without a workbench. */
export async function newPage(): Promise<Page> {
  browser ??= startBrowser();
  return (await browser).newPage();
}

/** Ends the browser and the workbench. */
export async function endWorkbench(): Promise<void> {
  await (await browser)?.close();
  await (await inUse)?.workbench.stop();
}

async function startBrowser(): Promise<BrowserContext> {
  return chromium.launchPersistentContext(await newFolder(), {
    executablePath: findCommand(...CHROMIUM.commands),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      // A window does not live long enough to gain from compiling its code twice more.
      '--js-flags=--no-maglev --no-opt',
    ],
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
}

async function start(): Promise<InUse> {
  browser ??= startBrowser();
  const home = await newFolder();
  const builtIn = builtInFolder(home);
  await mkdir(builtIn);
  for (const name of BUILT_IN) await symlink(await builtInExtension(name), path.join(builtIn, name));
  const workbench = await startWorkbench({
    home,
    vsix: path.join(root, 'gpu-doctor.vsix'),
    builtIn,
    asksForTrust: true,
    idleTimeout: 300,
    env: { PATH: [programs, process.env.PATH].join(path.delimiter), JUPYTER_PATH: jupyter },
  });
  return { home, workbench, page: await (await browser).newPage() };
}

function builtInFolder(home: string): string {
  return path.join(home, 'built-in');
}

/** Makes these extensions available to the next window as if they were built in. */
async function bringAlong(folder: string, extensions: readonly string[]): Promise<void> {
  const mark = 'besides-';
  for (const name of await readdir(folder)) if (name.startsWith(mark)) await rm(path.join(folder, name));
  for (const extension of extensions)
    await symlink(
      path.resolve(import.meta.dirname, 'extensions', extension),
      path.join(folder, `${mark}${path.basename(extension)}`),
    );
}
