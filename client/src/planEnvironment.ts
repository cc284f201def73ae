import * as vscode from 'vscode';
import { PLAN_ENVIRONMENT, type PlanAnswer, type PlannedChange, type PlanOffer } from '../../server/src/protocol.ts';
import { putIntoTerminal } from './commandLines.ts';
import type { Server } from './server.ts';

const TITLE = 'Plan Environment';

/**
 * Plans an environment for the folder's requirements. Shows the result, then asks for its form: commands in a terminal,
 * which are not run, or a new file. If nothing fits, offers the smallest changes to the pins that would.
 */
export async function planEnvironment(server: Server, folder: vscode.WorkspaceFolder | undefined): Promise<void> {
  const path = folder?.uri.scheme === 'file' ? folder.uri.fsPath : undefined;
  const planned = (requirements?: string, change?: PlannedChange) =>
    vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: 'Planning an environment' },
      (): Promise<PlanAnswer> => server.request(PLAN_ENVIRONMENT, { folder: path, requirements, change }),
    );
  let requirements: string | undefined;
  let answer = await planned();
  if (answer.isNeedless) {
    requirements = await askFor();
    if (requirements === undefined) return;
    answer = await planned(requirements);
  }
  for (;;) {
    const { trouble, changes } = answer;
    if (trouble !== null && changes.length === 0) return void vscode.window.showWarningMessage(trouble);
    const change = await (await choose(answer))?.use();
    if (!change) return;
    answer = await planned(requirements, change);
  }
}

function askFor(): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: TITLE,
    prompt: 'No file in this folder says which packages the environment is for. Name them, with or without versions.',
    placeHolder: 'torch==2.6 torchvision',
    validateInput: (text) => (text.trim() === '' ? 'Name at least one package.' : undefined),
  });
}

interface Choice extends vscode.QuickPickItem {
  /** Uses the plan, or returns the change with which to plan again. */
  use(): PlannedChange | undefined | Promise<undefined>;
}

function choose(answer: PlanAnswer): Thenable<Choice | undefined> {
  const { plans, purpose } = answer;
  const placeHolder = plans.length > 0 ? `For ${purpose}` : 'Choose a change to see the plan that it leads to';
  return vscode.window.showQuickPick(plans.length > 0 ? fitting(answer) : conflicting(answer), {
    title: TITLE,
    placeHolder,
    matchOnDetail: true,
  });
}

/** The result, then its possible forms. */
function fitting({ machine, summary, driver, changes, plans }: PlanAnswer): Choice[] {
  const [own] = plans;
  const fits = `Fits ${machine}${driver === null ? '' : `, after updating the driver to ${driver}`}`;
  return [
    separator(fits),
    {
      label: `$(${driver === null ? 'pass' : 'warning'}) ${summary}`,
      detail: 'Show the plan, each line with its reason',
      use: () => own && showDocument(own),
    },
    ...(driver === null || changes.length === 0 ? [] : [separator('Or keep the driver'), ...changes.map(changing)]),
    separator('Use it as'),
    ...plans.map((offer) => (offer.command === null ? inNewFile(offer) : inTerminal(offer, offer.command))),
  ];
}

/** The reason why nothing fits, then the changes that would help. */
function conflicting({ machine, trouble, changes }: PlanAnswer): Choice[] {
  const why = (): undefined => void vscode.window.showWarningMessage(trouble ?? '');
  return [
    separator('Smallest changes'),
    ...changes.map(changing),
    separator('Conflict'),
    { label: `$(error) Nothing fits ${machine}`, detail: trouble ?? '', use: why },
  ];
}

function changing(change: PlannedChange): Choice {
  const { pins, summary } = change;
  return {
    label: `$(lightbulb) Change ${pins.map(({ from, to }) => `${from} to ${to}`).join(' and ')}`,
    detail: `${[...new Set(pins.map(({ because }) => because))].join(', ')} · gives ${summary}`,
    use: () => change,
  };
}

function inTerminal({ label }: PlanOffer, command: string): Choice {
  const use = async () => void (await putIntoTerminal(command));
  return { label: `$(terminal) ${label}`, description: 'Insert in a terminal, without running it', use };
}

function inNewFile(offer: PlanOffer): Choice {
  const use = () => showDocument(offer);
  return { label: `$(new-file) ${offer.label}`, description: 'Open as a new file, each line with its reason', use };
}

function separator(label: string): Choice {
  return { label, kind: vscode.QuickPickItemKind.Separator, use: () => undefined };
}

async function showDocument({ text: content, language }: PlanOffer): Promise<undefined> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content, language }));
}
