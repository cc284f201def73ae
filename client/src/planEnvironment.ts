import * as vscode from 'vscode';
import { PLAN_ENVIRONMENT, type PlanAnswer, type PlanOffer } from '../../server/src/protocol.ts';
import { putIntoTerminal } from './commandLines.ts';
import type { Server } from './server.ts';

/** Plans an environment for what the folder needs, into a terminal where it is not run, or into a new file. */
export async function planEnvironment(server: Server, folder: vscode.WorkspaceFolder | undefined): Promise<void> {
  const path = folder?.uri.scheme === 'file' ? folder.uri.fsPath : undefined;
  const planned = (requirements?: string) =>
    vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: 'Planning an environment' },
      (): Promise<PlanAnswer> =>
        server.request(PLAN_ENVIRONMENT, {
          ...(path !== undefined && { folder: path }),
          ...(requirements && { requirements }),
        }),
    );
  let answer = await planned();
  if (answer.isNeedless) {
    const requirements = await askFor();
    if (requirements === undefined) return;
    answer = await planned(requirements);
  }
  const chosen = await choose(answer);
  if (chosen === undefined) return;
  if (chosen.inTerminal && chosen.offer.command !== null) await putIntoTerminal(chosen.offer.command);
  else await vscode.window.showTextDocument(await newDocument(chosen.offer));
}

function askFor(): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: 'Plan a Working Environment',
    prompt: 'Nothing in this folder says what the environment is for. Name packages, with versions or without.',
    placeHolder: 'torch==2.6 torchvision',
    validateInput: (text) => (text.trim() === '' ? 'Name at least one package.' : undefined),
  });
}

interface Choice extends vscode.QuickPickItem {
  readonly offer: PlanOffer;
  readonly inTerminal: boolean;
}

function choose({ plans, purpose }: PlanAnswer): Thenable<Choice | undefined> {
  const choices = plans.flatMap((offer): Choice[] => [
    ...(offer.command === null
      ? []
      : [{ label: `$(terminal) ${offer.label}`, detail: 'Into a terminal, not run', offer, inTerminal: true }]),
    {
      label: `$(new-file) ${offer.label}`,
      detail: 'A new file, each line with its reason',
      offer,
      inTerminal: false,
    },
  ]);
  return vscode.window.showQuickPick(choices, {
    title: 'Plan a Working Environment',
    placeHolder: `For ${purpose}`,
  });
}

function newDocument({ text: content, language }: PlanOffer): Thenable<vscode.TextDocument> {
  return vscode.workspace.openTextDocument({ content, language });
}
