import * as vscode from 'vscode';
import {
  BrowserMessageReader,
  BrowserMessageWriter,
  LanguageClient,
  type LanguageClientOptions,
} from 'vscode-languageclient/browser';
import type { ServerHost } from '../server.ts';
import { folderSchemes, fromServer, toServer, withLinks } from './addresses.ts';
import { handingOver, handOverFiles } from './workspaceFiles.ts';

export { ErrorAction, ExecuteCommandRequest, vsdiag, WorkDoneProgress } from 'vscode-languageclient';
export { followNotebookTabs } from '../notebookTabs.ts';

/** A browser's worker, which Node's types do not have. */
declare class Worker {
  constructor(address: string);
  terminate(): void;
}

let latest: WorkerClient | undefined;

/** The client of a server in a worker, which ends with it. */
class WorkerClient extends LanguageClient {
  #worker: Worker | undefined;

  constructor(server: vscode.Uri, options: LanguageClientOptions) {
    const start = async () => {
      this.#worker?.terminate();
      const worker = new Worker(server.toString(true));
      this.#worker = worker;
      // VS Code puts a class of its own in place of `Worker`, which the library would not know.
      return { reader: new BrowserMessageReader(worker), writer: new BrowserMessageWriter(worker) };
    };
    super('gpuDoctor', 'GPU Doctor', start, options);
  }

  override async dispose(timeout?: number): Promise<void> {
    try {
      await super.dispose(timeout);
    } finally {
      this.#worker?.terminate();
    }
  }
}

export function createClient(
  { extensionUri }: vscode.ExtensionContext,
  options: LanguageClientOptions,
): LanguageClient {
  const client = new WorkerClient(vscode.Uri.joinPath(extensionUri, 'dist', 'web', 'server.js'), options);
  handOverFiles(client);
  latest = client;
  return client;
}

/** A server in a worker of the browser. */
export function workerHost(): ServerHost {
  return {
    load: () => import('./languageClient.ts'),
    fileSchemes: folderSchemes(),
    hasMachine: false,
    options: {
      uriConverters: { code2Protocol: toServer, protocol2Code: fromServer },
      middleware: {
        ...handingOver(() => latest),
        async provideHover(document, position, token, next) {
          const hover = await next(document, position, token);
          for (const content of hover?.contents ?? [])
            if (content instanceof vscode.MarkdownString) content.value = withLinks(content.value);
          return hover;
        },
      },
    },
  };
}
