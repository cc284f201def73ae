import * as vscode from 'vscode';
import { type MenuAction, type MenuEntry, type MenuFinding, STACK_MENU } from '../../server/src/protocol.ts';
import { copy, putIntoTerminal } from './commandLines.ts';
import type { Server } from './server.ts';

type Pick = vscode.QuickPickItem & { readonly run?: () => unknown };

const ICONS: Readonly<Record<MenuFinding['severity'], string>> = {
  error: 'error',
  warning: 'warning',
  information: 'info',
};

/** Shows the server's actions for the stack, or only those for a finding, and runs the chosen one. */
export async function showStackMenu(
  server: Server,
  isEnabled: (command: string) => boolean,
  showPage: (address: string) => unknown,
  chosen?: string,
): Promise<void> {
  const { title, findings, entries } = await server.request(STACK_MENU);
  const commands = new Set(await vscode.commands.getCommands(true));
  const pick = ({ label, detail, icon, action }: MenuEntry): Pick[] =>
    action.kind === 'command' && !(commands.has(action.command) && isEnabled(action.command))
      ? []
      : [{ label: `$(${icon}) ${label}`, detail, run: () => act(action, showPage) }];
  const about = ({ severity, finding, entries }: MenuFinding): Pick => ({
    label: `$(${ICONS[severity]}) ${finding}`,
    detail: 'Show fixes',
    run: () => choose(finding, entries.flatMap(pick)),
  });
  const only = findings.find(({ finding }) => finding === chosen);
  if (only) return choose(only.finding, only.entries.flatMap(pick));
  await choose(title, [
    ...(findings.length > 0 ? [separator('Findings'), ...findings.map(about), separator('Actions')] : []),
    ...entries.flatMap(pick),
  ]);
}

async function choose(title: string, picks: readonly Pick[]): Promise<void> {
  const chosen = await vscode.window.showQuickPick(picks, { title, matchOnDetail: true });
  await chosen?.run?.();
}

function separator(label: string): Pick {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

async function act(action: MenuAction, showPage: (address: string) => unknown): Promise<void> {
  switch (action.kind) {
    case 'command':
      await vscode.commands.executeCommand(action.command, action.argument);
      break;
    case 'copy':
      await copy(action.text, 'Command copied');
      break;
    case 'terminal':
      await putIntoTerminal(action.text);
      break;
    case 'page':
      await showPage(action.address);
  }
}
