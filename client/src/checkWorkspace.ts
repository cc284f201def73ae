import * as vscode from 'vscode';
import type { WorkspaceCheck } from '../../server/src/protocol.ts';
import type { Server } from './server.ts';

const TITLE = 'Checking the workspace';

/** Checks all files of the workspace, with progress that can be canceled, and shows the Problems view. */
export async function checkWorkspace(server: Server): Promise<void> {
  const options = { location: vscode.ProgressLocation.Notification, title: TITLE, cancellable: true };
  const check = await vscode.window.withProgress(options, (progress, cancellation) => {
    let shown = 0;
    return server.checkWorkspace((percentage, message) => {
      progress.report({ message, increment: percentage - shown });
      shown = percentage;
    }, cancellation);
  });
  if (check.findings.length > 0) await vscode.commands.executeCommand('workbench.actions.view.problems');
  if (!check.isCancelled) void vscode.window.showInformationMessage(resultOf(check));
}

function resultOf({ findings, files }: WorkspaceCheck): string {
  const problems = findings.length === 0 ? 'no problems' : countOf(findings.length, 'problem');
  return `Checked ${countOf(files, 'file')}: ${problems}.`;
}

/** The type of our tasks in `tasks.json`. */
const TASK_TYPE = 'gpu-doctor';

/**
 * Provides the task "check", which prints the problems of the workspace in a terminal and fails if there are any. They
 * appear in the Problems view without a problem matcher.
 */
export function registerTasks(server: Server): vscode.Disposable {
  const taskOf = (definition: vscode.TaskDefinition) => {
    const execution = new vscode.CustomExecution(async () => terminalOf(server));
    const task = new vscode.Task(definition, vscode.TaskScope.Workspace, 'check', TASK_TYPE, execution, []);
    task.detail = 'Checks all files of the workspace';
    return task;
  };
  return vscode.tasks.registerTaskProvider(TASK_TYPE, {
    provideTasks: () => (vscode.workspace.workspaceFolders?.length ? [taskOf({ type: TASK_TYPE, task: 'check' })] : []),
    resolveTask: ({ definition }) => (definition.task === 'check' ? taskOf(definition) : undefined),
  });
}

/** Milliseconds during which VS Code treats an exit status as a failed launch. */
const LAUNCH_MS = 750;

/** Shortens the absolute path at the start of a line to the path in the folder, if there is only one folder. */
function namesWithin(server: Server): (line: string) => string {
  const [folder, ...others] = vscode.workspace.workspaceFolders ?? [];
  const path = folder && others.length === 0 ? server.pathOf(folder.uri) : '';
  const prefix = path === '' ? '' : `${path}${path.includes('\\') ? '\\' : '/'}`;
  return (line) => (prefix !== '' && line.startsWith(prefix) ? line.slice(prefix.length) : line);
}

function terminalOf(server: Server): vscode.Pseudoterminal {
  const written = new vscode.EventEmitter<string>();
  const closed = new vscode.EventEmitter<number>();
  const cancellation = new vscode.CancellationTokenSource();
  const line = (text: string) => written.fire(`${text}\r\n`);
  const run = async () => {
    line(`${TITLE} …`);
    const launched = new Promise((resolve) => setTimeout(resolve, LAUNCH_MS));
    try {
      const check = await server.checkWorkspace(() => {}, cancellation.token);
      const { findings } = check;
      const shown = namesWithin(server);
      for (const finding of findings) line(shown(finding.replaceAll(/[\r\n]+/g, ' ')));
      line(resultOf(check));
      await launched;
      closed.fire(findings.length === 0 ? 0 : 1);
    } catch (error) {
      line((error as Error).message);
      closed.fire(2);
    }
  };
  return { onDidWrite: written.event, onDidClose: closed.event, open: run, close: () => cancellation.cancel() };
}

const countOf = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
