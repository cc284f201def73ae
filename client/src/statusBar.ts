import * as vscode from 'vscode';
import type { StackChanged } from '../../server/src/protocol.ts';
import { isGpuFileOpen, onGpuFilesChanged } from './gpuFiles.ts';

export interface StatusBar extends vscode.Disposable {
  paint(stack: StackChanged): void;
}

interface Look {
  readonly icon: string;
  /** For screen readers. */
  readonly words: string;
  readonly background?: string;
}

const LOOKS: Readonly<Record<StackChanged['state'], Look>> = {
  probing: { icon: '$(loading~spin)', words: 'being read' },
  healthy: { icon: '$(circuit-board)', words: 'nothing clashes' },
  warning: { icon: '$(warning)', words: 'with a warning', background: 'statusBarItem.warningBackground' },
  error: { icon: '$(error)', words: 'with an error', background: 'statusBarItem.errorBackground' },
  noGpu: { icon: '$(circle-slash)', words: 'nothing clashes' },
  unknown: { icon: '$(question)', words: 'not known' },
};

/** The text below the tooltip. */
const LINKS: readonly (readonly [command: string, title: string])[] = [
  ['gpuDoctor.showStack', 'Show all'],
  ['gpuDoctor.copyStack', 'Copy report'],
  ['gpuDoctor.refreshStack', 'Read again'],
];

/** The item if the server never reports anything. */
export const NO_SERVER: StackChanged = {
  text: 'GPU unknown',
  state: 'unknown',
  load: null,
  tooltip: "GPU Doctor's server did not start. See its log for the reason.",
};

/** The item before the server reports anything. */
const NOTHING_YET: StackChanged = {
  text: 'GPU …',
  state: 'probing',
  load: null,
  tooltip: 'Reading the GPU stack.',
};

/** Creates the only status bar item, which is visible while Python, an environment file or a checkpoint is open. */
export function createStatusBar(): StatusBar {
  const item = vscode.window.createStatusBarItem('gpuDoctor.stack', vscode.StatusBarAlignment.Right, 90);
  item.name = 'GPU Doctor';
  item.command = 'gpuDoctor.stackMenu';
  const update = () => (isGpuFileOpen() ? item.show() : item.hide());
  const watching = onGpuFilesChanged(update);
  const statusBar: StatusBar = {
    paint({ text, load, state, tooltip }) {
      const { icon, words, background } = LOOKS[state];
      item.text = [`${icon} ${text}`, ...(load === null ? [] : [load])].join(' · ');
      item.tooltip = withLinks(tooltip);
      item.backgroundColor = background === undefined ? undefined : new vscode.ThemeColor(background);
      // Without the load, whose updates a screen reader would read endlessly.
      const heard = [...text.split(' · '), words].join(', ');
      item.accessibilityInformation = { label: `GPU stack: ${heard}`, role: 'button' };
      update();
    },
    dispose() {
      watching.dispose();
      item.dispose();
    },
  };
  statusBar.paint(NOTHING_YET);
  return statusBar;
}

function withLinks(tooltip: string): vscode.MarkdownString {
  const links = LINKS.map(([command, title]) => `[${title}](command:${command})`).join(' · ');
  const markdown = new vscode.MarkdownString(`${tooltip}\n\n${links}`, true);
  markdown.isTrusted = { enabledCommands: ['gpuDoctor.showPage', ...LINKS.map(([command]) => command)] };
  return markdown;
}
