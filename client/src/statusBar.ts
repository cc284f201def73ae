import * as vscode from 'vscode';
import type { StackChanged } from '../../server/src/protocol.ts';
import { isPythonOpen, onPythonOpenChanged } from './python.ts';

export interface StatusBar extends vscode.Disposable {
  paint(summary: StackChanged): void;
}

const ICONS: Readonly<Record<StackChanged['state'], string>> = {
  probing: '$(loading~spin)',
  healthy: '$(circuit-board)',
  warning: '$(warning)',
  noGpu: '$(circuit-board)',
  unknown: '$(question)',
};

/** The one item of the status bar, there while a Python file or notebook is open and something is known of the stack. */
export function createStatusBar(): StatusBar {
  const item = vscode.window.createStatusBarItem('gpuDoctor.stack', vscode.StatusBarAlignment.Right, 90);
  item.name = 'GPU Doctor';
  item.command = 'gpuDoctor.showStack';
  const update = () => (item.text !== '' && isPythonOpen() ? item.show() : item.hide());
  const watching = onPythonOpenChanged(update);
  return {
    paint({ text, state, tooltip }) {
      item.text = `${ICONS[state]} ${text}`;
      item.tooltip = new vscode.MarkdownString(tooltip);
      item.backgroundColor = state === 'warning' ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
      update();
    },
    dispose() {
      watching.dispose();
      item.dispose();
    },
  };
}
