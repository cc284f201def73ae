import * as vscode from 'vscode';
import { EXPLAIN_ERROR, INSPECT_CHECKPOINT } from '../../../server/src/protocol.ts';
import { isGpuFileOpen, onGpuFilesChanged } from '../gpuFiles.ts';
import { folderSchemes } from './addresses.ts';

/** Sentences for tasks that need a machine, each short enough for a notification. */
const STACK = 'Only VS Code on a computer can read the GPU stack.';
const CHECKPOINT = 'Only VS Code on a computer can inspect checkpoints.';
const ERROR = 'Only VS Code on a computer can explain errors.';

/** Commands that need a machine. The palette hides them, but links and key bindings may still run them. */
const COMMANDS: Readonly<Record<string, string>> = {
  'gpuDoctor.showStack': STACK,
  'gpuDoctor.copyStack': STACK,
  'gpuDoctor.refreshStack': STACK,
  'gpuDoctor.stackMenu': STACK,
  'gpuDoctor.refreshOverview': STACK,
  'gpuDoctor.smokeTest': STACK,
  'gpuDoctor.selectInterpreter': STACK,
  'gpuDoctor.planEnvironment': STACK,
  'gpuDoctor.recordStack': STACK,
  [EXPLAIN_ERROR]: ERROR,
  [INSPECT_CHECKPOINT]: CHECKPOINT,
  'gpuDoctor.compareCheckpoints': CHECKPOINT,
  'gpuDoctor.filterTensors': CHECKPOINT,
  'gpuDoctor.copyTensorName': CHECKPOINT,
};

/**
 * Registers the features that need a machine with a message about it: commands, the status item, the view and the
 * checkpoint editor.
 */
export function registerNeedsMachine(): vscode.Disposable {
  return vscode.Disposable.from(
    ...Object.entries(COMMANDS).map(([command, sentence]) =>
      vscode.commands.registerCommand(command, () => void vscode.window.showInformationMessage(sentence)),
    ),
    statusItem(),
    overview(),
    ...['gpuDoctor.checkpoint', 'gpuDoctor.checkpointOnRequest'].map((viewType) =>
      vscode.window.registerCustomEditorProvider(viewType, checkpointEditor),
    ),
  );
}

/** The status item for files related to the stack. */
function statusItem(): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('gpuDoctor.stack', vscode.StatusBarAlignment.Right, 90);
  item.name = 'GPU Doctor';
  item.text = '$(circuit-board) No GPU stack in a browser';
  item.tooltip = `${STACK} A browser cannot see GPUs, drivers or packages.`;
  item.command = 'gpuDoctor.stackMenu';
  item.accessibilityInformation = { label: `GPU stack: ${STACK}`, role: 'button' };
  const update = () => (isGpuFileOpen(folderSchemes()) ? item.show() : item.hide());
  update();
  return vscode.Disposable.from(item, onGpuFilesChanged(update));
}

function overview(): vscode.Disposable {
  const view = vscode.window.createTreeView('gpuDoctor.overview', {
    treeDataProvider: { getTreeItem: (item: vscode.TreeItem) => item, getChildren: () => [] },
  });
  view.message = `${STACK} In a browser, GPU Doctor checks and fixes code.`;
  return view;
}

const checkpointEditor: vscode.CustomReadonlyEditorProvider = {
  openCustomDocument: (uri) => ({ uri, dispose() {} }),
  resolveCustomEditor(_document, { webview }) {
    webview.html = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'">
    <title>Checkpoint</title>
  </head>
  <body><main><p>${CHECKPOINT} A browser would have to download the whole file.</p></main></body>
</html>`;
  },
};
