import * as vscode from 'vscode';
import type { Server } from './server.ts';
import type { StatusBar } from './statusBar.ts';

const SETTING = 'gpuDoctor.liveReadings';

/** Reports to the server whether the GPU load is visible: a setting requests it, and the focused window shows the item. */
export function watchGpuLoad(server: Server, statusBar: StatusBar): vscode.Disposable {
  let watched = false;
  const update = () => {
    const isRequested = vscode.workspace.getConfiguration().get(SETTING, false);
    const wanted = isRequested && vscode.window.state.focused && statusBar.isShown();
    if (wanted === watched) return;
    watched = wanted;
    void server.watchLoad({ watched });
  };
  update();
  return vscode.Disposable.from(
    vscode.window.onDidChangeWindowState(update),
    statusBar.onDidShow(update),
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(SETTING) && update()),
  );
}
