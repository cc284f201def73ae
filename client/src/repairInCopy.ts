import path from 'node:path';
import * as vscode from 'vscode';

/**
 * Asks for the command that failed and repairs it in a copy of its environment. A task runs our command line in the
 * user's shell, so that the program's output, questions and Ctrl+C are where they always are.
 */
export async function repairInCopy(context: vscode.ExtensionContext, suggested: string, cwd?: string): Promise<void> {
  const command = await vscode.window.showInputBox({
    title: 'Repair in a Copy',
    prompt: 'This command runs again after each remedy, in copies of its environment. The environment does not change.',
    value: suggested,
  });
  if (!command) return;
  // VS Code quotes them again for the user's shell.
  const words = (command.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []).map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));
  await start(context, ['--yes', '--', ...words], cwd);
}

/** Repairs the stack of a Python in a copy of its environment; the terminal asks first. */
export async function repairStackInCopy(context: vscode.ExtensionContext, python: string): Promise<void> {
  if (vscode.workspace.isTrusted) await start(context, ['--python', python]);
}

async function start(context: vscode.ExtensionContext, args: readonly string[], cwd?: string): Promise<void> {
  const [runner, program] = [process.execPath, path.join(context.extensionPath, 'dist', 'cli.js')].map(
    (value): vscode.ShellQuotedString => ({ value, quoting: vscode.ShellQuoting.Strong }),
  );
  if (!runner || !program) return;
  const options = { env: { ELECTRON_RUN_AS_NODE: '1' }, cwd };
  const execution = new vscode.ShellExecution(runner, [program, 'repair', ...args], options);
  const task = new vscode.Task(
    { type: 'gpu-doctor' },
    vscode.TaskScope.Workspace,
    'repair',
    'GPU Doctor',
    execution,
    [],
  );
  task.presentationOptions = {
    reveal: vscode.TaskRevealKind.Always,
    focus: true,
    panel: vscode.TaskPanelKind.Dedicated,
  };
  await vscode.tasks.executeTask(task);
}
