import * as vscode from 'vscode';
import {
  INSPECT_CHECKPOINT,
  REFRESH_STACK,
  REPAIR_STACK,
  SHAREABLE_STACK,
  SHOW_PAGE,
} from '../../server/src/protocol.ts';
import { type CheckpointEditor, copyTensorName, inspectCheckpoint } from './checkpointEditor.ts';
import { checkWorkspace } from './checkWorkspace.ts';
import { copy } from './commandLines.ts';
import type { CheckpointComparisons } from './compareCheckpoints.ts';
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

export function registerCommands(
  context: vscode.ExtensionContext,
  server: Server,
  interpreter: InterpreterWatch,
  choice: InterpreterChoice,
  stackDocument: StackDocument,
  checkpoints: CheckpointEditor,
  comparisons: CheckpointComparisons,
  log: vscode.LogOutputChannel,
): vscode.Disposable[] {
  const { registerCommand } = vscode.commands;
  return [
    registerCommand('gpuDoctor.showStack', (finding?: string) =>
      showStackMenu(server, isEnabledHere(context), showPage, finding),
    ),
    registerCommand(SHOW_PAGE, showPage),
    registerCommand(REPAIR_STACK, (python: string) => repairStackInCopy(context, python)),
    registerCommand('gpuDoctor.openReport', () => stackDocument.show()),
    registerCommand('gpuDoctor.copyStack', async () =>
      copy(await server.request(SHAREABLE_STACK), 'GPU report copied'),
    ),
    registerCommand('gpuDoctor.refreshStack', () =>
      vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: 'Reading the GPU stack' }, () =>
        server.request(REFRESH_STACK),
      ),
    ),
    registerCommand('gpuDoctor.planEnvironment', async () => planEnvironment(server, await interpreter.folder())),
    registerCommand('gpuDoctor.recordStack', async () => recordStack(server, await interpreter.folder())),
    registerCommand('gpuDoctor.selectInterpreter', async () =>
      selectInterpreter(server, choice, await interpreter.folder()),
    ),
    registerCommand(INSPECT_CHECKPOINT, inspectCheckpoint),
    registerCommand('gpuDoctor.copyTensorName', copyTensorName),
    registerCommand('gpuDoctor.createConfigurationFile', () => createConfigurationFile(server)),
    registerCommand('gpuDoctor.checkWorkspace', () => checkWorkspace(server)),
    registerCommand('gpuDoctor.filterTensors', () => checkpoints.filter()),
    registerCommand('gpuDoctor.compareCheckpoints', (clicked?: vscode.Uri, selected?: vscode.Uri[]) =>
      comparisons.compare(clicked, selected),
    ),
    registerCommand('gpuDoctor.restartServer', () => restart(server, log)),
    registerCommand('gpuDoctor.showLogs', () => log.show()),
  ];
}
