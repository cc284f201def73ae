/** The VS Code workbench in a browser: code-server, installed once into a cache folder outside the checkout. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { root } from './root.ts';
import { BUILD_TOOLS, ensureSystemPackages, type SystemPackage } from './systemPackages.ts';

const project = path.join(root, 'test', 'editor', 'workbench');
const cache = path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'gpu-doctor');

/** Where the workbench is, or will be, installed. */
async function installation(): Promise<string> {
  const lock = await readFile(path.join(project, 'package-lock.json'));
  return path.join(cache, `workbench-${createHash('sha256').update(lock).digest('hex').slice(0, 16)}`);
}

/** What the system has to have for the workbench: nothing once it is installed. */
export async function neededForWorkbench(): Promise<readonly SystemPackage[]> {
  return existsSync(await installation()) ? [] : BUILD_TOOLS;
}

/** Installs the workbench if it is not there yet (minutes: it builds native modules) and returns its folder. */
export async function installWorkbench(): Promise<string> {
  const folder = await installation();
  if (existsSync(folder)) return folder;

  await ensureSystemPackages(BUILD_TOOLS, 'the VS Code workbench');
  console.log(`Installing the VS Code workbench into ${folder}, which takes some minutes the first time ...`);
  await mkdir(cache, { recursive: true });
  // Put in place whole, by a rename: an installation that was cut off is never taken for one.
  const unfinished = await mkdtemp(`${folder}.`);
  try {
    for (const file of ['package.json', 'package-lock.json'])
      await cp(path.join(project, file), path.join(unfinished, file));
    await npmCi(unfinished);
    await rename(unfinished, folder).catch((error) => {
      // Another process was faster.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return folder;
}

function codeServerIn(installation: string): string {
  return path.join(installation, 'node_modules', 'code-server');
}

/** The folder of an extension that VS Code brings along. */
export async function builtInExtension(name: string): Promise<string> {
  return path.join(codeServerIn(await installWorkbench()), 'lib', 'vscode', 'extensions', name);
}

async function npmCi(folder: string): Promise<void> {
  const npm = process.env.npm_execpath;
  const [command = 'npm', ...first] = npm ? [process.execPath, npm] : [];
  // Native modules are built for the Node that runs this, which on Linux brings the headers for it along.
  const headers = path.join(folder, 'node_modules', `node-linux-${process.arch}`);
  const env = {
    PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
    npm_config_nodedir: process.platform === 'linux' ? headers : undefined,
    // An npm around this one tells it here what Node it is said to run on.
    npm_config_user_agent: undefined,
  };
  const { failed, all } = await execa(command, [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    env,
    reject: false,
    all: true,
  });
  if (failed) throw new Error(`The VS Code workbench could not be installed:\n${all}`);
}

export interface Workbench {
  /** Where a browser finds it, without a folder. */
  readonly address: string;
  /** Rejects when it ends, whatever the reason. */
  readonly ended: Promise<never>;
  /** Ends it and every process that it has started. */
  stop(): Promise<void>;
}

/** What a workbench is started with; all folders exist or are made. */
export interface WorkbenchOptions {
  /** Settings, state and extensions are kept in this folder. */
  readonly home: string;
  /** The packed extension. */
  readonly vsix: string;
  /** A folder of extensions to have instead of those that VS Code brings along. */
  readonly builtIn?: string;
  /** Whether it asks if a folder's authors are trusted; it does not unless told. */
  readonly asksForTrust?: boolean;
  /** In seconds, more than 60: ends by itself when no window was open for so long, whatever became of who started it. */
  readonly longestIdle?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a workbench with the extension in it on a free port of this machine alone. */
export async function startWorkbench({
  home,
  vsix,
  builtIn,
  asksForTrust = false,
  longestIdle,
  env,
}: WorkbenchOptions): Promise<Workbench> {
  const entry = path.join(codeServerIn(await installWorkbench()), 'out', 'node', 'entry.js');
  const folders = [
    ...['--config', path.join(home, 'config.yaml')],
    ...['--user-data-dir', path.join(home, 'user-data'), '--extensions-dir', path.join(home, 'extensions')],
  ];
  // Its extensions get this environment, as from a VS Code that was started in a terminal (VSCODE_CLI), not a login
  // shell's; and what another VS Code around us may have set must not lead it astray.
  const environment = { ...env, VSCODE_CLI: '1', PORT: '', VSCODE_IPC_HOOK_CLI: '' };
  await execa(process.execPath, [entry, ...folders, '--install-extension', vsix], { env: environment });

  const args = [
    entry,
    ...folders,
    '--auth',
    'none',
    '--bind-addr',
    '127.0.0.1:0',
    '--disable-telemetry',
    '--disable-update-check',
    ...(longestIdle === undefined ? [] : ['--idle-timeout-seconds', `${longestIdle}`]),
    ...(asksForTrust ? [] : ['--disable-workspace-trust']),
    ...(builtIn === undefined ? [] : ['--builtin-extensions-dir', builtIn]),
  ];
  for (let attempt = 1; ; attempt++) {
    try {
      return await serve(args, environment);
    } catch (error) {
      // It gives a process of its own ten seconds to start, which a machine that does much else may exceed.
      if (attempt === ATTEMPTS || !/error timed out/.test(String(error))) throw error;
    }
  }
}

/** How often a workbench is started that ends because it was slow to start. */
const ATTEMPTS = 5;

/** Starts the workbench's server and waits until it listens. */
async function serve(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Workbench> {
  const server = execa(process.execPath, args, { env, all: true, reject: false, forceKillAfterDelay: 5000 });
  const ended = server.then(({ all }) => {
    throw new Error(`The VS Code workbench ended:\n${all}`);
  });
  ended.catch(() => {});
  const listening = new Promise<string>((resolve) => {
    let log = '';
    server.all.on('data', (chunk) => {
      log += chunk;
      const address = /HTTP server listening on (http:\S+)/.exec(log)?.[1];
      if (address) resolve(address);
    });
  });
  const address = await Promise.race([listening, ended]);
  return {
    address,
    ended,
    async stop() {
      server.kill('SIGTERM');
      await server;
    },
  };
}
