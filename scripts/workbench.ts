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

/** The folder of the installed workbench. */
async function installation(): Promise<string> {
  const lock = await readFile(path.join(project, 'package-lock.json'));
  return path.join(cache, `workbench-${createHash('sha256').update(lock).digest('hex').slice(0, 16)}`);
}

/** System packages that the installation needs: none if it is already installed. */
export async function workbenchRequirements(): Promise<readonly SystemPackage[]> {
  return existsSync(await installation()) ? [] : BUILD_TOOLS;
}

/** Installs the workbench if it is missing and returns its folder. Takes minutes, because it builds native modules. */
export async function installWorkbench(): Promise<string> {
  const folder = await installation();
  if (existsSync(folder)) return folder;

  await ensureSystemPackages(BUILD_TOOLS, 'the VS Code workbench');
  console.log(`Installing the VS Code workbench into ${folder} (takes minutes the first time) ...`);
  await mkdir(cache, { recursive: true });
  // The finished installation is renamed into place, so an interrupted one is never used.
  const unfinished = await mkdtemp(`${folder}.`);
  try {
    for (const file of ['package.json', 'package-lock.json'])
      await cp(path.join(project, file), path.join(unfinished, file));
    await npmCi(unfinished);
    await rename(unfinished, folder).catch((error) => {
      // Another process finished first.
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

/** The folder of VS Code itself. */
export async function workbenchFolder(): Promise<string> {
  return path.join(codeServerIn(await installWorkbench()), 'lib', 'vscode');
}

/** The folder of one of VS Code's built-in extensions. */
export async function builtInExtension(name: string): Promise<string> {
  return path.join(await workbenchFolder(), 'extensions', name);
}

async function npmCi(folder: string): Promise<void> {
  const npm = process.env.npm_execpath;
  const [command = 'npm', ...first] = npm ? [process.execPath, npm] : [];
  // Native modules are built for the Node that runs this script, whose Linux package includes the headers.
  const headers = path.join(folder, 'node_modules', `node-linux-${process.arch}`);
  const env = {
    PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
    npm_config_nodedir: process.platform === 'linux' ? headers : undefined,
    // An enclosing npm passes on its own Node as the target.
    npm_config_user_agent: undefined,
  };
  const { failed, all } = await execa(command, [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    env,
    reject: false,
    all: true,
  });
  if (failed) throw new Error(`Could not install the VS Code workbench:\n${all}`);
}

export interface Workbench {
  /** The address for a browser, without a folder. */
  readonly address: string;
  /** Rejects when the process ends, whatever the reason. */
  readonly ended: Promise<never>;
  /** Ends the workbench and all its child processes. */
  stop(): Promise<void>;
}

/** Options of a workbench; all folders exist or are created. */
export interface WorkbenchOptions {
  /** The folder for settings, state and extensions. */
  readonly home: string;
  /** The packed extension. */
  readonly vsix: string;
  /** A folder of extensions that replaces VS Code's built-in ones. */
  readonly builtIn?: string;
  /** True to ask whether a folder's authors are trusted; false by default. */
  readonly asksForTrust?: boolean;
  /**
   * Idle time in seconds (more than 60) after which the workbench ends on its own, even if the parent process is gone.
   */
  readonly idleTimeout?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a workbench with the extension on a free port of the loopback interface. */
export async function startWorkbench({
  home,
  vsix,
  builtIn,
  asksForTrust = false,
  idleTimeout,
  env,
}: WorkbenchOptions): Promise<Workbench> {
  const entry = path.join(codeServerIn(await installWorkbench()), 'out', 'node', 'entry.js');
  const folders = [
    ...['--config', path.join(home, 'config.yaml')],
    ...['--user-data-dir', path.join(home, 'user-data'), '--extensions-dir', path.join(home, 'extensions')],
  ];
  // Extensions inherit this environment, as in a VS Code started from a terminal (VSCODE_CLI), rather than that of a
  // login shell. Variables of an enclosing VS Code are removed.
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
    ...(idleTimeout === undefined ? [] : ['--idle-timeout-seconds', `${idleTimeout}`]),
    ...(asksForTrust ? [] : ['--disable-workspace-trust']),
    ...(builtIn === undefined ? [] : ['--builtin-extensions-dir', builtIn]),
  ];
  for (let attempt = 1; ; attempt++) {
    try {
      return await serve(args, environment);
    } catch (error) {
      // It expects its child process within ten seconds, which a busy machine may exceed.
      if (attempt === MAX_ATTEMPTS || !/error timed out/.test(String(error))) throw error;
    }
  }
}

/** Maximum number of attempts to start a workbench that ends because it started too slowly. */
const MAX_ATTEMPTS = 5;

/** Starts the workbench's server and waits until it listens. */
async function serve(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Workbench> {
  const server = execa(process.execPath, args, { env, all: true, reject: false, forceKillAfterDelay: 5000 });
  const ended = server.then(({ all }) => {
    throw new Error(`The VS Code workbench exited:\n${all}`);
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
