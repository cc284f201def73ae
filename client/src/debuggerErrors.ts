import * as vscode from 'vscode';
import { EXPLAIN_ERROR, type ExceptionInfo, type ExplainRequest, REPORT_FAILURE } from '../../server/src/protocol.ts';
import type { Server } from './server.ts';

/** The debug types for Python: that of the Python Debugger extension, and its former name. */
const TYPES = ['debugpy', 'python'];

/** Milliseconds for the editor to request the exception itself, which it does in order to display the exception. */
const PATIENCE = 1000;

/** The parts of a Debug Adapter Protocol message that are used here. */
interface Message {
  readonly type: 'event' | 'response' | 'request';
  readonly event?: string;
  readonly command?: string;
  readonly success?: boolean;
  readonly body?: { readonly reason?: string; readonly threadId?: number } & Partial<ExceptionInfo>;
}

/** Passes exceptions at which the Python debugger stops to the server, and offers explanations of known ones. */
export function registerDebuggerErrors(server: Server, log: vscode.LogOutputChannel): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('gpuDoctor.exception', vscode.StatusBarAlignment.Left);
  item.name = 'GPU Doctor: Exception';
  const track = (session: vscode.DebugSession): vscode.DebugAdapterTracker => followSession(session, server, item, log);
  return vscode.Disposable.from(
    item,
    ...TYPES.map((type) => vscode.debug.registerDebugAdapterTrackerFactory(type, { createDebugAdapterTracker: track })),
  );
}

/** Follows the messages of one session without changing them. */
function followSession(
  session: vscode.DebugSession,
  server: Server,
  item: vscode.StatusBarItem,
  log: vscode.LogOutputChannel,
): vscode.DebugAdapterTracker {
  const id = `debugger:${session.id}`;
  let asking: NodeJS.Timeout | undefined;
  let isReported = false;
  let stops = 0;

  const report = async (exception: ExceptionInfo) => {
    clearTimeout(asking);
    const stop = stops;
    const { cwd = session.workspaceFolder?.uri.fsPath } = session.configuration;
    isReported = true;
    try {
      const known = await server.request(REPORT_FAILURE, { id, failure: { exception, folder: cwd } });
      if (!known || stop !== stops) return;
      const request: ExplainRequest = { failure: id };
      item.text = '$(lightbulb) Why this failed';
      item.tooltip = known.title;
      item.accessibilityInformation = { label: `GPU Doctor: why this failed: ${known.title}`, role: 'button' };
      item.command = { command: EXPLAIN_ERROR, title: 'Explain', arguments: [request] };
      item.show();
    } catch (error) {
      log.warn(`Could not read the exception at which the debugger stopped: ${error}`);
    }
  };
  const over = () => {
    stops++;
    clearTimeout(asking);
    if (!isReported) return;
    isReported = false;
    item.hide();
    void server.request(REPORT_FAILURE, { id, failure: null }).catch(() => {});
  };
  const stopped = (threadId: number | undefined) => {
    over();
    if (threadId === undefined || !explainsErrors()) return;
    const ask = () => void session.customRequest('exceptionInfo', { threadId }).then(undefined, () => {});
    asking = setTimeout(ask, PATIENCE);
  };
  return {
    onDidSendMessage({ type, event, command, success, body }: Message) {
      if (event === 'stopped') stopped(body?.reason === 'exception' ? body.threadId : undefined);
      else if (event === 'continued' || event === 'terminated') over();
      // Responses to the editor's requests arrive here as well as those to ours.
      else if (type === 'response' && command === 'exceptionInfo' && success && body?.exceptionId !== undefined)
        if (explainsErrors() && !isReported) void report({ ...body, exceptionId: body.exceptionId });
    },
    onWillReceiveMessage({ command }: Message) {
      if (command !== undefined && RESUMES.test(command)) over();
    },
    onWillStopSession: over,
    onExit: over,
  };
}

const RESUMES = /^(?:continue|next|stepIn|stepOut|stepBack|reverseContinue|goto|restart|disconnect|terminate)$/;

/** True if the setting allows explanations of errors where they appear. */
export function explainsErrors(): boolean {
  return vscode.workspace.getConfiguration().get('gpuDoctor.explainErrors', true);
}
