import * as vscode from 'vscode';
import {
  BrowserMessageReader,
  BrowserMessageWriter,
  LanguageClient,
  type LanguageClientOptions,
} from 'vscode-languageclient/browser';
import { withLinks } from './addresses.ts';
import { handChangesOver, handFilesOver } from './workspaceFiles.ts';

export { ErrorAction, ExecuteCommandRequest, WorkDoneProgress } from 'vscode-languageclient';
export { followNotebookTabs } from '../notebookTabs.ts';

/** A browser's worker, which Node's types lack. */
declare class Worker {
  constructor(address: string);
  terminate(): void;
}

/** The client of a server in a worker, which ends with it. */
class WorkerClient extends LanguageClient {
  #worker: Worker | undefined;

  constructor(server: vscode.Uri, options: LanguageClientOptions) {
    const start = async () => {
      this.#worker?.terminate();
      const worker = new Worker(server.toString(true));
      this.#worker = worker;
      // VS Code replaces `Worker` with its own class, which the library would not recognize.
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
  const server = vscode.Uri.joinPath(extensionUri, 'dist', 'web', 'server.js');
  const client: WorkerClient = new WorkerClient(server, {
    ...options,
    middleware: {
      ...options.middleware,
      workspace: { didChangeWatchedFile: handChangesOver(() => client) },
      async provideHover(document, position, token, next) {
        const hover = await next(document, position, token);
        for (const content of hover?.contents ?? [])
          if (content instanceof vscode.MarkdownString) content.value = withLinks(content.value);
        return hover;
      },
    },
  });
  handFilesOver(client);
  return client;
}
