import * as vscode from 'vscode';
import type { StackChanged } from '../../server/src/protocol.ts';
import { hasCheckpoint, onCheckpointsChanged } from './checkpointFiles.ts';

export interface StatusBar extends vscode.Disposable {
  paint(stack: StackChanged): void;
  /** Shows the item until the window closes, because the user asked for the stack. */
  show(): void;
  isShown(): boolean;
  onDidShow: vscode.Event<boolean>;
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

/** True while the status bar item and the view are shown. */
const IS_SHOWN = 'gpuDoctor.isShown';

/** The item if the server never reports anything. */
export const NO_SERVER: StackChanged = {
  text: 'GPU unknown',
  state: 'unknown',
  missing: null,
  load: null,
  tooltip: "GPU Doctor's server did not start. See its log for the reason.",
  isRelevant: true,
};

/** The item before the server reports anything. */
const NOTHING_YET: StackChanged = {
  text: 'GPU …',
  state: 'probing',
  missing: null,
  load: null,
  tooltip: 'Reading the GPU stack.',
  isRelevant: false,
};

/** Creates the status bar item, which is visible if the workspace is about GPUs or contains a checkpoint. */
export function createStatusBar(): StatusBar {
  const item = vscode.window.createStatusBarItem('gpuDoctor.stack', vscode.StatusBarAlignment.Right, 90);
  item.name = 'GPU Doctor';
  item.command = 'gpuDoctor.showStack';
  const shown = new vscode.EventEmitter<boolean>();
  let isRelevant = false;
  let isRequested = false;
  let isShown = false;
  const isWanted = () => isRequested || isRelevant;
  const update = async () => {
    // The server may report in the meantime.
    const now = isWanted() || (await hasCheckpoint()) || isWanted();
    if (now === isShown) return;
    isShown = now;
    if (isShown) item.show();
    else item.hide();
    void vscode.commands.executeCommand('setContext', IS_SHOWN, isShown);
    shown.fire(isShown);
  };
  const watching = onCheckpointsChanged(update);
  const statusBar: StatusBar = {
    isShown: () => isShown,
    onDidShow: shown.event,
    show() {
      isRequested = true;
      void update();
    },
    paint({ text, load, state, missing, tooltip, isRelevant: relevant }) {
      const { icon, words, background } = LOOKS[state];
      item.text = [`${icon} ${text}`, ...(load === null ? [] : [load])].join(' · ');
      item.tooltip = withLinks(tooltip, missing);
      item.backgroundColor = background === undefined ? undefined : new vscode.ThemeColor(background);
      // Without the load, whose updates a screen reader would read endlessly.
      const heard = [...text.split(' · '), words].join(', ');
      item.accessibilityInformation = { label: `GPU stack: ${heard}`, role: 'button' };
      isRelevant = relevant;
      void update();
    },
    dispose: () => vscode.Disposable.from(watching, shown, item).dispose(),
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
  const details = '[Details](command:gpuDoctor.openReport)';
  const markdown = new vscode.MarkdownString([...change, tooltip, details].join('\n\n'), true);
  markdown.isTrusted = {
    enabledCommands: ['gpuDoctor.showPage', 'gpuDoctor.showStack', 'gpuDoctor.openReport', command],
  };
  return markdown;
}
