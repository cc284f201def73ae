import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  type ClientCapabilities,
  type CodeAction,
  createProtocolConnection,
  type Diagnostic,
  type DocumentDiagnosticReport,
  type InitializeResult,
  LogMessageNotification,
  MessageType,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
  type Range,
  StreamMessageReader,
  StreamMessageWriter,
  type WorkspaceEdit,
  type WorkspaceFolder,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { SERVER } from '../programs.ts';

/** VS Code's capabilities that matter to this server; without `workspace/configuration` unless a test sets it. */
export const FULL: ClientCapabilities = {
  textDocument: {
    diagnostic: { dynamicRegistration: true, relatedDocumentSupport: false },
    codeAction: {
      dataSupport: true,
      resolveSupport: { properties: ['edit'] },
      codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'source'] } },
    },
  },
  notebookDocument: { synchronization: {} },
  workspace: { workspaceEdit: { documentChanges: true } },
};

/** A client of the real server process that holds documents like an editor. */
export interface Client {
  readonly connection: ProtocolConnection;
  readonly process: ChildProcess;
  readonly initialized: InitializeResult;
  /** The warnings and errors that the server logged. */
  readonly log: string[];
  open(uri: string, text: string, languageId?: string): void;
  /** Replaces a range of an open document, or all of it. */
  edit(uri: string, range: Range | undefined, text: string): void;
  close(uri: string): void;
  openNotebook(uri: string, cells: readonly CellText[]): void;
  /** Edits one cell's text through notebook synchronization. */
  editCell(notebook: string, cell: string, range: Range | undefined, text: string): void;
  text(uri: string): string;
  /** Waits for the first publication that matches; earlier ones are discarded. */
  published(wanted: (params: PublishDiagnosticsParams) => boolean): Promise<PublishDiagnosticsParams>;
  /** Returns the documents for which the server has published diagnostics. */
  pushed(): string[];
  pull(uri: string, previousResultId?: string): Promise<DocumentDiagnosticReport>;
  /**
   * Returns the diagnostics that the client currently shows for a document: those that it pulls, or those pushed for a
   * notebook cell.
   */
  diagnostics(uri: string): Promise<Diagnostic[]>;
  actions(uri: string, range: Range, only?: string[]): Promise<CodeAction[]>;
  resolve(action: CodeAction): Promise<CodeAction>;
  /**
   * Applies an edit to the client's documents and notifies the server, as an editor does. Throws on an outdated
   * version.
   */
  apply(edit: WorkspaceEdit): void;
  /** Shuts the server down in order and returns its exit code. */
  stop(): Promise<number | null>;
}

export interface CellText {
  readonly uri: string;
  readonly text: string;
  readonly markup?: boolean;
}

export interface ClientOptions {
  readonly capabilities?: ClientCapabilities;
  /** Registers the client's answers to the server before anything is sent. */
  readonly prepare?: (connection: ProtocolConnection) => void;
  readonly initializationOptions?: unknown;
  readonly workspaceFolders?: WorkspaceFolder[];
  /** The program that Node runs; the server by default. */
  readonly command?: readonly string[];
  /** Environment variables in addition to those of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts the server; it is stopped at the end of the test or by `stop`. */
export async function startClient(
  t: { after(hook: () => void): void },
  {
    capabilities = FULL,
    prepare = () => {},
    initializationOptions,
    workspaceFolders,
    command = [SERVER, '--stdio'],
    env = {},
  }: ClientOptions = {},
): Promise<Client> {
  const server = spawn(process.execPath, command, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  let isOver = false;
  t.after(() => {
    isOver = true;
    server.kill();
  });
  const connection = createProtocolConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  // A server that ends leaves no request unanswered.
  server.once('exit', () => connection.dispose());
  const log: string[] = [];
  connection.onNotification(LogMessageNotification.type, ({ type, message }) => {
    if (type <= MessageType.Warning) log.push(message);
  });
  const publications: PublishDiagnosticsParams[] = [];
  const latest = new Map<string, Diagnostic[]>();
  let look = () => {};
  connection.onNotification(PublishDiagnosticsNotification.type, (params) => {
    publications.push(params);
    latest.set(params.uri, params.diagnostics);
    look();
  });
  prepare(connection);
  connection.listen();
  const initialized: InitializeResult = await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities,
    initializationOptions,
    workspaceFolders,
  });
  await connection.sendNotification('initialized', {});

  const documents = new Map<string, TextDocument>();
  const notebookOf = new Map<string, string>();
  const document = (uri: string): TextDocument => {
    const found = documents.get(uri);
    if (!found) throw new Error(`${uri} is not open`);
    return found;
  };
  const item = (uri: string, text: string, languageId: string) => {
    documents.set(uri, TextDocument.create(uri, languageId, 1, text));
    return { uri, languageId, version: 1, text };
  };
  const change = (uri: string, range: Range | undefined, text: string) => {
    const version = document(uri).version + 1;
    const changes = [range ? { range, text } : { text }];
    documents.set(uri, TextDocument.update(document(uri), changes, version));
    return { document: { uri, version }, changes };
  };
  const send = (method: string, params: object) =>
    void connection.sendNotification(method, params).catch((error) => {
      // The last message of a test may still be in transit when the server is stopped.
      if (!isOver) throw error;
    });

  const client: Client = {
    connection,
    process: server,
    initialized,
    log,
    open: (uri, text, languageId = 'python') =>
      send('textDocument/didOpen', { textDocument: item(uri, text, languageId) }),
    edit(uri, range, text) {
      const { document, changes } = change(uri, range, text);
      send('textDocument/didChange', { textDocument: document, contentChanges: changes });
    },
    close(uri) {
      documents.delete(uri);
      send('textDocument/didClose', { textDocument: { uri } });
    },
    openNotebook(uri, cells) {
      for (const cell of cells) notebookOf.set(cell.uri, uri);
      const cellTextDocuments = cells.map((cell) => item(cell.uri, cell.text, cell.markup ? 'markdown' : 'python'));
      send('notebookDocument/didOpen', {
        notebookDocument: {
          uri,
          notebookType: 'jupyter-notebook',
          version: 1,
          cells: cells.map((cell) => ({ kind: cell.markup ? 1 : 2, document: cell.uri })),
        },
        cellTextDocuments,
      });
    },
    editCell(notebook, cell, range, text) {
      const textContent = [change(cell, range, text)];
      send('notebookDocument/didChange', {
        notebookDocument: { uri: notebook, version: 2 },
        change: { cells: { textContent } },
      });
    },
    text: (uri) => document(uri).getText(),
    published: (wanted) =>
      new Promise((resolve) => {
        look = () => {
          const index = publications.findIndex(wanted);
          if (index >= 0) resolve(publications.splice(0, index + 1)[index] as PublishDiagnosticsParams);
        };
        look();
      }),
    pushed: () => [...latest.keys()],
    pull: (uri, previousResultId) =>
      connection.sendRequest('textDocument/diagnostic', { textDocument: { uri }, previousResultId }),
    async diagnostics(uri) {
      const report = await client.pull(uri);
      if (!notebookOf.has(uri)) return report.kind === 'full' ? report.items : [];
      // The answer came after everything had been published.
      return latest.get(uri) ?? [];
    },
    actions: (uri, range, only) =>
      connection.sendRequest('textDocument/codeAction', {
        textDocument: { uri },
        range,
        context: { diagnostics: [], only },
      }),
    resolve: (action) => connection.sendRequest('codeAction/resolve', action),
    apply(edit) {
      for (const documentChange of edit.documentChanges ?? []) {
        if (!('edits' in documentChange)) throw new Error('a text edit was expected');
        const { uri, version } = documentChange.textDocument;
        if (version !== document(uri).version) throw new Error(`the edit is for version ${version} of ${uri}`);
        const fixed = TextDocument.applyEdits(document(uri), documentChange.edits as never);
        const notebook = notebookOf.get(uri);
        if (notebook) client.editCell(notebook, uri, undefined, fixed);
        else client.edit(uri, undefined, fixed);
      }
      for (const [uri, edits] of Object.entries(edit.changes ?? {}))
        client.edit(uri, undefined, TextDocument.applyEdits(document(uri), edits));
    },
    async stop() {
      const exited = once(server, 'exit');
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
      const [code] = await exited;
      return code;
    },
  };
  return client;
}

/** Returns the range of the first occurrence of `needle` in a text. */
export function rangeOf(text: string, needle: string): Range {
  const document = TextDocument.create('', '', 0, text);
  const start = text.indexOf(needle);
  if (start < 0) throw new Error(`${needle} is not in the text`);
  return { start: document.positionAt(start), end: document.positionAt(start + needle.length) };
}

/**
 * Requests diagnostics until the findings have these codes: an answer waits only a limited time for a checkpoint, and
 * on a busy machine the next answer has it. A result that never comes ends at the test's time limit.
 */
export async function diagnosedAs(client: Client, uri: string, ...codes: string[]): Promise<void> {
  while (
    !isDeepStrictEqual(
      (await client.diagnostics(uri)).map(({ code }) => code),
      codes,
    )
  )
    await setImmediate();
}
