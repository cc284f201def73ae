import * as vscode from 'vscode';
import type { BaseLanguageClient, LanguageClientOptions } from 'vscode-languageclient';
import {
  CALL_TOOL,
  CHECK_WORKSPACE,
  CREATE_CONFIGURATION,
  EXPLAIN,
  type ExperimentalCapabilities,
  FIND_INTERPRETERS,
  INSPECT_CHECKPOINT,
  JUDGE_CHECKPOINT,
  LOAD_CHANGED,
  type LoadWatch,
  OPEN_SETTINGS,
  OVERVIEW,
  PLAN_ENVIRONMENT,
  REPORT_FAILURE,
  type RequestType,
  SHOW_PAGE,
  SMOKE_TEST,
  type SmokeTestResult,
  STACK_CHANGED,
  type StackChanged,
  type StackScope,
  WATCH_LOAD,
  WATCH_STACK,
  type WorkspaceCheck,
} from '../../server/src/protocol.ts';
import { documentsFor, NOTEBOOKS } from './documents.ts';
import { middleware } from './middleware.ts';

/** The language server for the rest of the extension. */
export interface Server {
  start(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
  /** Tells the server where to read the stack, now and after each restart. */
  watchStack(scope: StackScope): Promise<void>;
  /** Tells the server whether the GPU load is visible, now and after each restart. */
  watchLoad(watch: LoadWatch): Promise<void>;
  /** Sends a request after the server has started and, if its answer depends on the stack, knows where to read it. */
  request<Params, Answer>(
    type: RequestType<Params, Answer>,
    params: Params,
    cancellation?: vscode.CancellationToken,
  ): Promise<Answer>;
  request<Answer>(type: RequestType<void, Answer>): Promise<Answer>;
  /** Tests the GPUs, which takes up to a few minutes; `tell` receives the current step. */
  smokeTest(tell: (doing: string) => void, cancellation: vscode.CancellationToken): Promise<SmokeTestResult>;
  /**
   * Checks all files of the workspace, and from then on whenever they change; `tell` receives the progress in percent
   * and in words.
   */
  checkWorkspace(
    tell: (percentage: number, doing: string) => void,
    cancellation: vscode.CancellationToken,
  ): Promise<WorkspaceCheck>;
  /** Creates the configuration file of a folder, or shows the existing one. */
  createConfigurationFile(folder: vscode.Uri): Promise<void>;
  /** Returns the path of a file or folder in the server's notation. */
  pathOf(uri: vscode.Uri): string;
  /** Called each time the server has started, when its state is empty. */
  onDidStart(listener: () => void): vscode.Disposable;
  onStackChanged(listener: (stack: StackChanged) => void): void;
  /** The same, for changes of only the GPU load. */
  onLoadChanged(listener: (stack: StackChanged) => void): void;
}

/** Requests whose answers depend on the stack: they wait until the server knows where to read it. */
const ABOUT_STACK: ReadonlySet<string> = new Set<string>([
  CALL_TOOL,
  EXPLAIN,
  FIND_INTERPRETERS,
  JUDGE_CHECKPOINT,
  OPEN_SETTINGS,
  OVERVIEW,
  PLAN_ENVIRONMENT,
  REPORT_FAILURE,
  SMOKE_TEST,
]);

/** The environment of the server. */
export interface ServerHost {
  /** Loads the protocol's library with the client's factory, so that activation does not wait for it. */
  load(): Promise<ClientLibrary>;
  /** The schemes of files that the server can read. */
  readonly fileSchemes: readonly string[];
  /** True if the server reads a machine's GPU stack, for which it must know where to look. */
  readonly hasMachine: boolean;
  /** Converts file URIs, if the server uses its own notation. */
  readonly uriConverters?: LanguageClientOptions['uriConverters'];
}

export interface ClientLibrary
  extends Pick<
    typeof import('./languageClient.ts'),
    'ErrorAction' | 'ExecuteCommandRequest' | 'WorkDoneProgress' | 'followNotebookTabs'
  > {
  createClient(context: vscode.ExtensionContext, options: LanguageClientOptions): BaseLanguageClient;
}

export function createServer(context: vscode.ExtensionContext, log: vscode.LogOutputChannel, host: ServerHost): Server {
  let client: Promise<BaseLanguageClient> | undefined;
  let scope: StackScope | undefined;
  let load: LoadWatch | undefined;
  let followed = 0;
  let isCheckRequested = false;
  const startListeners = new Set<() => void>();
  const listeners: Record<string, (stack: StackChanged) => void> = {};
  let scopeSent = () => {};
  const hasScope = new Promise<void>((resolve) => {
    scopeSent = resolve;
  });

  const created = (): Promise<BaseLanguageClient> => {
    client ??= create(context, log, host, (started) => {
      for (const method of [STACK_CHANGED, LOAD_CHANGED])
        started.onNotification(method, (stack: StackChanged) => listeners[method]?.(stack));
      started.onNotification(
        OPEN_SETTINGS,
        () => void vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${context.extension.id}`),
      );
      started.onDidChangeState(() => {
        tellScope(started);
        tellLoad(started);
        void checkAgain(started);
        if (started.isRunning()) for (const listener of startListeners) listener();
      });
    });
    return client;
  };
  const tellScope = (to: BaseLanguageClient | undefined) => {
    if (to?.isRunning() && scope) void to.sendNotification(WATCH_STACK, scope);
  };
  const tellLoad = (to: BaseLanguageClient | undefined) => {
    if (to?.isRunning() && load) void to.sendNotification(WATCH_LOAD, load);
  };
  /** Restores the results of an earlier check, after the server was restarted or has exited. */
  const checkAgain = async (by: BaseLanguageClient) => {
    if (!by.isRunning() || !isCheckRequested) return;
    const { ExecuteCommandRequest } = await host.load();
    await by.sendRequest(ExecuteCommandRequest.type, { command: CHECK_WORKSPACE }).catch((error) => log.warn(error));
  };
  /** Waits for a pending start. */
  const running = async (): Promise<BaseLanguageClient> => {
    const started = await created();
    await started.start();
    return started;
  };
  /** The same, and until the server knows where to read the stack. */
  const ready = async (): Promise<BaseLanguageClient> => {
    const started = await running();
    if (host.hasMachine) await hasScope;
    return started;
  };
  /** Sends a request with a token, by which the server reports its progress. */
  const following = async <Answer>(
    tell: (percentage: number, doing: string) => void,
    send: (to: BaseLanguageClient, workDoneToken: string) => Promise<Answer>,
  ): Promise<Answer> => {
    const started = await ready();
    const { WorkDoneProgress } = await host.load();
    const token = `gpuDoctor.${++followed}`;
    const subscription = started.onProgress(WorkDoneProgress.type, token, (value) => {
      if (value.kind !== 'end' && value.message) tell(value.percentage ?? 0, value.message);
    });
    return send(started, token).finally(() => subscription.dispose());
  };
  /** Releases the client: one that failed to start can neither be stopped nor restarted. */
  const stop = async () => {
    const stopping = client;
    client = undefined;
    try {
      await (await stopping)?.dispose();
    } catch (error) {
      log.warn(`The server did not stop cleanly: ${error}`);
    }
  };
  return {
    async start() {
      await running();
    },
    async restart() {
      await stop();
      await running();
    },
    stop,
    async watchStack(wanted) {
      scope = wanted;
      tellScope(await client);
      scopeSent();
    },
    async watchLoad(wanted) {
      load = wanted;
      tellLoad(await client);
    },
    async request<Params, Answer>(
      type: RequestType<Params, Answer>,
      params?: Params,
      cancellation?: vscode.CancellationToken,
    ): Promise<Answer> {
      const started = await (ABOUT_STACK.has(type) ? ready() : running());
      if (params === undefined) return started.sendRequest<Answer>(type);
      // An undefined token would be sent as a second parameter.
      return cancellation === undefined
        ? started.sendRequest<Answer>(type, params)
        : started.sendRequest<Answer>(type, params, cancellation);
    },
    async smokeTest(tell, cancellation) {
      return following(
        (_, doing) => tell(doing),
        (started, workDoneToken) => started.sendRequest<SmokeTestResult>(SMOKE_TEST, { workDoneToken }, cancellation),
      );
    },
    async createConfigurationFile(folder) {
      const { ExecuteCommandRequest } = await host.load();
      const started = await running();
      await started.sendRequest(ExecuteCommandRequest.type, {
        command: CREATE_CONFIGURATION,
        arguments: [started.code2ProtocolConverter.asUri(folder)],
      });
    },
    async checkWorkspace(tell, cancellation) {
      const { ExecuteCommandRequest } = await host.load();
      return following(tell, (started, workDoneToken) => {
        isCheckRequested = true;
        const params = { command: CHECK_WORKSPACE, workDoneToken };
        return started.sendRequest(ExecuteCommandRequest.type, params, cancellation);
      });
    },
    pathOf(uri) {
      const address = host.uriConverters?.code2Protocol(uri);
      return address === undefined ? uri.fsPath : vscode.Uri.parse(address).path;
    },
    onDidStart(listener) {
      startListeners.add(listener);
      return { dispose: () => void startListeners.delete(listener) };
    },
    onStackChanged(listener) {
      listeners[STACK_CHANGED] = listener;
    },
    onLoadChanged(listener) {
      listeners[LOAD_CHANGED] = listener;
    },
  };
}

/** True if the setting requests that all files of the workspace be checked. */
export function isCheckedAlways(scope?: vscode.Uri): boolean {
  return vscode.workspace.getConfiguration('gpuDoctor', scope).get('checkWorkspace') === 'onSave';
}

async function create(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  host: ServerHost,
  prepare: (client: BaseLanguageClient) => void,
): Promise<BaseLanguageClient> {
  const { ErrorAction, createClient, followNotebookTabs } = await host.load();
  const client = createClient(context, {
    uriConverters: host.uriConverters,
    documentSelector: [
      ...documentsFor(host.fileSchemes),
      // For cells in all languages: to fix a notebook on save, VS Code requests actions at its first cell.
      ...NOTEBOOKS.map((notebookType) => ({ notebook: { notebookType } })),
    ],
    errorHandler: {
      // Each keystroke between the server's exit and its detection causes an error. Two would be enough for the library
      // to give up; only the exit counts, and it is always detected.
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => restarts.closed(),
    },
    // Files may have changed on disk in the meantime, for example a checkpoint outside the workspace.
    diagnosticPullOptions: { onChange: true, onSave: true, onFocus: true },
    middleware,
    // The server includes file text in its hovers: no other command may hide in it.
    markdown: { isTrusted: { enabledCommands: [INSPECT_CHECKPOINT, SHOW_PAGE] } },
    outputChannel: log,
    traceOutputChannel: log,
  });
  // Number of restarts within three minutes after unexpected exits, for example without memory.
  const restarts = client.createDefaultErrorHandler(10);
  client.registerFeature({
    fillClientCapabilities(capabilities) {
      const own: ExperimentalCapabilities = {
        gpuDoctor: { opensCheckpoints: true, opensExplanations: true },
      };
      capabilities.experimental = { ...capabilities.experimental, ...own };
    },
    initialize() {},
    getState: () => ({ kind: 'static' }),
    clear() {},
  });
  client.registerFeature(followNotebookTabs(client));
  prepare(client);
  return client;
}
