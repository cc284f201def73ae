import * as vscode from 'vscode';
import { isGpuFileOpen, onGpuFilesChanged } from './gpuFiles.ts';
import type { Server } from './server.ts';

const SETTING = 'gpuDoctor.liveReadings';

/**
 * Reports to the server whether the GPU load is visible, which it is in a focused window that shows the status bar
 * item.
 */
export function watchGpuLoad(server: Server): vscode.Disposable {
  let watched = false;
  const update = () => {
    const wanted = vscode.window.state.focused && isGpuFileOpen() && isSwitchedOn();
    if (wanted === watched) return;
    watched = wanted;
    void server.watchLoad({ watched });
  };
  update();
  return vscode.Disposable.from(
    vscode.window.onDidChangeWindowState(update),
    onGpuFilesChanged(update),
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(SETTING) && update()),
  );
}

function isSwitchedOn(): boolean {
  return vscode.workspace.getConfiguration().get(SETTING, true);
}
