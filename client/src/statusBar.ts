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
  missing: null,
  load: null,
  tooltip: "GPU Doctor's server did not start. See its log for the reason.",
};

/** The item before the server reports anything. */
const NOTHING_YET: StackChanged = {
  text: 'GPU …',
  state: 'probing',
  missing: null,
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
    paint({ text, load, state, missing, tooltip }) {
      const { icon, words, background } = LOOKS[state];
      item.text = [`${icon} ${text}`, ...(load === null ? [] : [load])].join(' · ');
      item.tooltip = withLinks(tooltip, missing);
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

/** Why something is missing, and the command with which the user can change that. */
const MISSING: Readonly<
  Record<NonNullable<StackChanged['missing']>, readonly [why: string, command: string, title: string]>
> = {
  trust: [
    '$(shield) GPU Doctor does not inspect Python in Restricted Mode.',
    'workbench.trust.manage',
    'Manage Workspace Trust',
  ],
  interpreter: [
    '$(symbol-namespace) No ML framework was found in this Python.',
    'gpuDoctor.selectInterpreter',
    'Select Python Interpreter',
  ],
};

function withLinks(tooltip: string, missing: StackChanged['missing']): vscode.MarkdownString {
  const [why = '', command = '', title = ''] = missing === null ? [] : MISSING[missing];
  const change = missing === null ? [] : [`${why} [${title}](command:${command})`];
  const links = LINKS.map(([command, title]) => `[${title}](command:${command})`).join(' · ');
  const markdown = new vscode.MarkdownString([...change, tooltip, links].join('\n\n'), true);
  const enabledCommands = ['gpuDoctor.showPage', ...LINKS.map(([command]) => command)];
  markdown.isTrusted = { enabledCommands: missing === null ? enabledCommands : [...enabledCommands, command] };
  return markdown;
}
