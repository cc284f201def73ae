/**
 * VS Code in a browser without a machine behind it, like vscode.dev: the workbench of the other tests, served as files,
 * with extensions in a worker and a folder whose files come over the network.
 */
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { root } from '../../scripts/root.ts';
import { workbenchFolder } from '../../scripts/workbench.ts';
import { type Actions, actionsOn, PATIENCE, START, writeInto } from './actions.ts';
import { newFolder, newPage, QUIET } from './workbenchInUse.ts';

export interface WebEditor extends Actions {
  readonly page: Page;
  /** Errors that the extension and its server threw. */
  readonly errors: readonly string[];
  /** Paths of what the browser has loaded. */
  readonly served: ReadonlySet<string>;
  close(): Promise<void>;
}

const WORKBENCH = 'out/vs/code/browser/workbench';

/** code-server's changes to VS Code for its machine behind the browser, and the text without them. */
const CHANGES: readonly (readonly [RegExp, string])[] = [
  [/,remoteAuthority:location\.host/, ''],
  [/(\(this\.userDataPath\)\.with\(\{scheme:\w+\.)vscodeRemote/, '$1vscodeUserData'],
];

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.cjs': 'text/javascript',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

/** Opens a new folder with these files in a browser. */
export async function openWebEditor(files: Readonly<Record<string, string | Uint8Array>>): Promise<WebEditor> {
  const folder = path.join(await newFolder(), 'project');
  for (const [file, content] of Object.entries(files)) await writeInto(folder, file, content);
  const server = await serve(folder);
  const page = await newPage();
  const errors: string[] = [];
  const served = new Set<string>();
  page.on('response', (response) => void (response.ok() && served.add(new URL(response.url()).pathname)));
  page.on('console', (message) => {
    if (message.type() === 'error' && /gpu.?doctor/i.test(message.text())) errors.push(message.text());
  });
  const close = async () => {
    await page.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  try {
    page.setDefaultTimeout(START);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(addressOf(server));
    await page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
    page.setDefaultTimeout(PATIENCE);
    return { page, errors, served, ...actionsOn(page, folder), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function serve(folder: string): Promise<Server> {
  const workbench = await workbenchFolder();
  const places: Readonly<Record<string, string>> = {
    out: path.join(workbench, 'out'),
    extensions: path.join(workbench, 'extensions'),
    node_modules: path.join(workbench, 'node_modules'),
    gpuDoctor: root,
    webFiles: path.join(import.meta.dirname, 'extensions', 'webFiles'),
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(404).end());
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, search } = new URL(request.url ?? '', 'http://localhost');
    const [, place = '', ...rest] = decodeURIComponent(pathname).split('/');
    const send = (type: string, content: string) => void response.writeHead(200, { 'Content-Type': type }).end(content);
    if (place === '') return send('text/html', await workbenchPage(workbench, addressOf(server)));
    if (place === 'files') return answerFile(path.join(folder, ...rest.slice(1)), search, request, response);
    const file = path.join(places[place] ?? '', ...rest);
    if (pathname === `/${WORKBENCH}/workbench.js`) {
      let program = await readFile(file, 'utf8');
      for (const [theirs, own] of CHANGES) {
        if (!theirs.test(program)) throw new Error(`code-server no longer has ${theirs}.`);
        program = program.replace(theirs, own);
      }
      return send('text/javascript', program);
    }
    const content = await readFile(file);
    response.writeHead(200, { 'Content-Type': TYPES[path.extname(file)] ?? 'application/octet-stream' }).end(content);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Answers the requests of the extension `webFiles` for files of the folder. */
async function answerFile(file: string, query: string, request: IncomingMessage, response: ServerResponse) {
  const typeOf = (entry: { isDirectory(): boolean }) => (entry.isDirectory() ? 2 : 1);
  const send = (answer: unknown) => void response.writeHead(200).end(JSON.stringify(answer));
  if (request.method === 'PUT') {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, await buffer(request));
    return send(null);
  }
  if (request.method === 'DELETE') {
    await rm(file, { recursive: true });
    return send(null);
  }
  if (query === '?stat') {
    const found = await stat(file);
    return send({ type: typeOf(found), ctime: 0, mtime: found.mtimeMs, size: found.size });
  }
  if (query === '?list') {
    const entries = await readdir(file, { withFileTypes: true });
    return send(entries.map((entry) => [entry.name, typeOf(entry)]));
  }
  const content = await readFile(file);
  response.writeHead(200).end(content);
}

/** Returns VS Code's page with the values that a server fills in. */
async function workbenchPage(workbench: string, address: string): Promise<string> {
  const { host } = new URL(address);
  const extension = (at: string) => ({ scheme: 'http', authority: host, path: `/${at}` });
  const configuration = {
    userDataPath: '/user-data',
    isEnabledFileDownloads: false,
    isEnabledFileUploads: false,
    isEnabledCoderGettingStarted: false,
    folderUri: { scheme: 'web-files', authority: host, path: '/project' },
    additionalBuiltinExtensions: [extension('webFiles'), extension('gpuDoctor')],
    configurationDefaults: { ...QUIET, 'extensions.webWorker': true },
    productConfiguration: {
      enableTelemetry: false,
      webviewContentExternalBaseUrlTemplate: `${address}out/vs/workbench/contrib/webview/browser/pre/`,
    },
  };
  const filled: Readonly<Record<string, string>> = {
    WORKBENCH_WEB_CONFIGURATION: JSON.stringify(configuration).replaceAll('"', '&quot;'),
    WORKBENCH_WEB_BASE_URL: '',
    WORKBENCH_NLS_FALLBACK_URL: '/out/nls.messages.js',
    WORKBENCH_NLS_URL: '/out/nls.messages.js',
  };
  const page = await readFile(path.join(workbench, WORKBENCH, 'workbench.html'), 'utf8');
  return page.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => filled[name] ?? '');
}
