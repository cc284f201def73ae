import * as vscode from 'vscode';
import { EXPLAIN_ERROR, INSPECT_CHECKPOINT } from '../../../server/src/protocol.ts';

/** Sentences for tasks that need a machine, each short enough for a notification. */
const STACK = 'Only VS Code on a computer can read the GPU stack.';
const CHECKPOINT = 'Only VS Code on a computer can inspect checkpoints.';
const ERROR = 'Only VS Code on a computer can explain errors.';

/** Commands that need a machine. The palette hides them, but links and key bindings may still run them. */
const COMMANDS: Readonly<Record<string, string>> = {
  'gpuDoctor.showStack': STACK,
  'gpuDoctor.copyStack': STACK,
  'gpuDoctor.refreshStack': STACK,
  'gpuDoctor.openReport': STACK,
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
 * Registers the features that need a machine with a message about it: commands and the checkpoint editor.
 */
export function registerNeedsMachine(): vscode.Disposable {
  return vscode.Disposable.from(
    ...Object.entries(COMMANDS).map(([command, sentence]) =>
      vscode.commands.registerCommand(command, () => void vscode.window.showInformationMessage(sentence)),
    ),
    ...['gpuDoctor.checkpoint', 'gpuDoctor.checkpointOnRequest'].map((viewType) =>
      vscode.window.registerCustomEditorProvider(viewType, checkpointEditor),
    ),
  );
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
