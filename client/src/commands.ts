import * as vscode from 'vscode';
import {
  INSPECT_CHECKPOINT,
  REFRESH_STACK,
  REPAIR_STACK,
  SHAREABLE_STACK,
  SHOW_PAGE,
} from '../../server/src/protocol.ts';
import { copyTensorName, inspectCheckpoint } from './checkpointEditor.ts';
import { checkWorkspace } from './checkWorkspace.ts';
import { copy } from './commandLines.ts';
import { createConfigurationFile } from './configurationFile.ts';
import { isEnabledHere } from './enablement.ts';
import type { InterpreterWatch } from './interpreter.ts';
import type { InterpreterChoice } from './interpreterChoice.ts';
import { selectInterpreter } from './interpreterPicker.ts';
import { showPage } from './page.ts';
import { planEnvironment } from './planEnvironment.ts';
import { recordStack } from './recordStack.ts';
import { repairStackInCopy } from './repairInCopy.ts';
import { restart } from './restart.ts';
import type { Server } from './server.ts';
import type { StackDocument } from './stackDocument.ts';
import { showStackMenu } from './stackMenu.ts';
import type { StatusBar } from './statusBar.ts';

export function registerCommands(
  context: vscode.ExtensionContext,
  server: Server,
  statusBar: StatusBar,
  interpreter: InterpreterWatch,
  choice: InterpreterChoice,
  stackDocument: StackDocument,
  log: vscode.LogOutputChannel,
): vscode.Disposable[] {
  const { registerCommand } = vscode.commands;
  return [
    registerCommand('gpuDoctor.showStack', (finding?: string) => {
      statusBar.show();
      return showStackMenu(server, isEnabledHere(context), showPage, finding);
    }),
    registerCommand(SHOW_PAGE, showPage),
    registerCommand(REPAIR_STACK, (python: string) => repairStackInCopy(context, python)),
    registerCommand('gpuDoctor.openReport', () => stackDocument.show()),
    registerCommand('gpuDoctor.copyStack', async () =>
      copy(await server.request(SHAREABLE_STACK), 'GPU report copied'),
    ),
    registerCommand('gpuDoctor.refreshStack', async () => {
      const options = { location: vscode.ProgressLocation.Window, title: 'Reading the GPU stack' };
      await vscode.window.withProgress(options, () => server.request(REFRESH_STACK));
      vscode.window.setStatusBarMessage('$(check) GPU stack is up to date', 5000);
    }),
    registerCommand('gpuDoctor.planEnvironment', async () => planEnvironment(server, await interpreter.folder())),
    registerCommand('gpuDoctor.recordStack', async () => recordStack(server, await interpreter.folder())),
    registerCommand('gpuDoctor.selectInterpreter', async () =>
      selectInterpreter(server, choice, await interpreter.folder()),
    ),
    registerCommand(INSPECT_CHECKPOINT, inspectCheckpoint),
    registerCommand('gpuDoctor.copyTensorName', copyTensorName),
    registerCommand('gpuDoctor.createConfigurationFile', () => createConfigurationFile(server)),
    registerCommand('gpuDoctor.checkWorkspace', () => checkWorkspace(server)),
    registerCommand('gpuDoctor.restartServer', () => restart(server, log)),
    registerCommand('gpuDoctor.showLogs', () => log.show()),
  ];
}
