/**
 * What the tests of one process share, one after the other, since it takes longer to start than most of them: a browser,
 * which remembers the workbench's code, and one workbench at a time.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { execa } from 'execa';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { root } from '../../scripts/root.ts';
import { CHROMIUM, findCommand } from '../../scripts/systemPackages.ts';
import { startWorkbench, type Workbench } from '../../scripts/workbench.ts';
import { programs } from './pretendMachine.ts';

/** What a window needs to have been there when its workbench was started. */
export interface Kind {
  /** Folders of extensions to install as well, those in `extensions/` by name. */
  readonly extensions: readonly string[];
  /** Whether folders are opened without trust in their authors. */
  readonly untrusted: boolean;
  readonly env: Readonly<Record<string, string>>;
}

/** Nothing of these is tested; they would only take time, or move or cover what is. */
const QUIET: Readonly<Record<string, unknown>> = {
  'chat.disableAIFeatures': true,
  'editor.minimap.enabled': false,
  'extensions.webWorker': false,
  'files.autoSave': 'off',
  'security.workspace.trust.enabled': false,
  // Drawn as text, which a test can read.
  'terminal.integrated.gpuAcceleration': 'off',
  'workbench.enableExperiments': false,
  'workbench.reduceMotion': 'on',
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

/** Of the hundred extensions that VS Code brings along, those that the files of the tests are opened with. */
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
  readonly kind: Kind;
  readonly workbench: Workbench;
  /** Of the settings, extensions and logs. */
  readonly home: string;
}

let place: Promise<string> | undefined;
let browser: Promise<BrowserContext> | undefined;
let port: Promise<number> | undefined;
let inUse: InUse | undefined;
const homes: { kind: Kind; home: string }[] = [];

/** A new folder, which is gone with all else. */
export async function newFolder(): Promise<string> {
  place ??= mkdtemp(path.join(tmpdir(), 'gpu-doctor-editor-'));
  return mkdtemp(path.join(await place, 'window-'));
}

/** A blank page of the browser, and the workbench of that kind. Another kind's is stopped. */
export async function openPage(kind: Kind): Promise<InUse & { readonly page: Page }> {
  browser ??= startBrowser();
  let now = inUse;
  if (!now || !isDeepStrictEqual(now.kind, kind)) {
    await now?.workbench.stop();
    now = await start(kind);
    inUse = now;
  }
  return { ...now, page: await (await browser).newPage() };
}

/** Ends the browser and the workbench, and takes away what they have left. */
export async function endWorkbench(): Promise<void> {
  await (await browser)?.close();
  await inUse?.workbench.stop();
  // What the workbench has started may write on for a moment after it has ended.
  if (place) await rm(await place, { recursive: true, force: true, maxRetries: 10 });
}

async function startBrowser(): Promise<BrowserContext> {
  return chromium.launchPersistentContext(await newFolder(), {
    executablePath: findCommand(...CHROMIUM.commands),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
}

async function start(kind: Kind): Promise<InUse> {
  const before = homes.find((one) => isDeepStrictEqual(one.kind, kind));
  const home = before?.home ?? (await newFolder());
  const others = before ? [] : await Promise.all(kind.extensions.map((name) => packPretended(name, home)));
  if (!before) {
    const settings = path.join(home, 'user-data', 'User', 'settings.json');
    await mkdir(path.dirname(settings), { recursive: true });
    await writeFile(settings, JSON.stringify({ ...QUIET, ...(kind.untrusted && UNTRUSTED) }));
    homes.push({ kind, home });
  }
  // Always the same: what the browser remembers, it remembers of an address.
  port ??= freePort();
  const workbench = await startWorkbench({
    home,
    vsix: before ? undefined : path.join(root, 'gpu-doctor.vsix'),
    others,
    builtIn: BUILT_IN,
    port: await port,
    asksForTrust: kind.untrusted,
    env: { PATH: [programs, process.env.PATH].join(path.delimiter), ...kind.env },
  });
  return { kind, home, workbench };
}

async function packPretended(name: string, folder: string): Promise<string> {
  const vsix = path.join(folder, `${path.basename(name)}.vsix`);
  const vsce = path.join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const args = ['package', '--no-dependencies', '--skip-license', '--out', vsix];
  await execa(process.execPath, [vsce, ...args], { cwd: path.resolve(import.meta.dirname, 'extensions', name) });
  return vsix;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
