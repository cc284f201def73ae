import * as vscode from 'vscode';
import { registerAgentTools } from './agentTools.ts';
import { registerCheckpointEditor } from './checkpointEditor.ts';
import { registerTasks } from './checkWorkspace.ts';
import { registerCommands } from './commands.ts';
import { registerCheckpointComparisons } from './compareCheckpoints.ts';
import { registerDebuggerErrors } from './debuggerErrors.ts';
import { registerExplanations } from './explainError.ts';
import { watchGpuLoad } from './gpuLoad.ts';
import { watchInterpreter } from './interpreter.ts';
import { interpreterChoice } from './interpreterChoice.ts';
import { registerNotebookErrors } from './notebookErrors.ts';
import { registerOverview } from './overview.ts';
import { registerPages } from './page.ts';
import { registerProblemErrors } from './problemErrors.ts';
import { createServer, type ServerHost } from './server.ts';
import { registerSmokeTest } from './smokeTest.ts';
import { registerStackDocument } from './stackDocument.ts';
import { startWhenNeeded } from './startServer.ts';
import { createStatusBar, NO_SERVER } from './statusBar.ts';
import { registerTerminalErrors } from './terminalErrors.ts';
import { registerWalkthrough } from './walkthrough.ts';

/** A server process, on this machine or on that of the remote window. */
const NODE: ServerHost = { load: () => import('./languageClient.ts'), fileSchemes: ['file'], hasMachine: true };

let stop: (() => Promise<void>) | undefined;

/** Returns before the server has started, so that it delays nothing in the editor. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('GPU Doctor', { log: true });
  const server = createServer(context, log, NODE);
  const statusBar = createStatusBar();
  const stackDocument = registerStackDocument(server);
  const checkpointEditor = registerCheckpointEditor(context, server, log);
  const comparisons = registerCheckpointComparisons(server);
  const overview = registerOverview(server);
  server.onLoadChanged((stack) => statusBar.paint(stack));
  server.onStackChanged((stack) => {
    statusBar.paint(stack);
    stackDocument.refresh();
    checkpointEditor.stackChanged();
    overview.refresh();
  });
  context.subscriptions.push(log, statusBar, stackDocument, checkpointEditor, comparisons, overview);
  const choice = interpreterChoice(context);
  const interpreter = watchInterpreter(server, choice, log);
  context.subscriptions.push(
    interpreter,
    watchGpuLoad(server, statusBar),
    registerSmokeTest(server),
    registerPages(server),
  );
  context.subscriptions.push(registerWalkthrough(context, statusBar.show));
  const explainer = registerExplanations(context, server, interpreter.folder);
  context.subscriptions.push(explainer, registerTerminalErrors(server, explainer), registerProblemErrors(server));
  context.subscriptions.push(registerNotebookErrors(server, log), registerDebuggerErrors(server, log));
  context.subscriptions.push(...registerCommands(context, server, statusBar, interpreter, choice, stackDocument, log));
  context.subscriptions.push(registerTasks(server), registerAgentTools(context, server));
  stop = () => server.stop();
  const start = () =>
    void server.start().catch((error) => {
      log.error(`The server did not start: ${error}`);
      statusBar.paint(NO_SERVER);
    });
  context.subscriptions.push(startWhenNeeded(NODE.fileSchemes, start));
}

export function deactivate(): Promise<void> | undefined {
  return stop?.();
}
