import * as vscode from 'vscode';
import { FIND_INTERPRETERS, type FoundInterpreter } from '../../server/src/protocol.ts';
import type { InterpreterChoice } from './interpreterChoice.ts';
import type { Server } from './server.ts';

/** The origins of interpreters. */
const KINDS: Readonly<Record<FoundInterpreter['kind'], string>> = {
  workspace: 'in this folder',
  activated: 'activated',
  conda: 'conda',
  virtualenv: 'virtual environment',
  uv: 'uv',
  pyenv: 'pyenv',
  system: 'on the PATH',
};

/** The headings of the list, in their order: no framework that GPU Doctor reads has a release for Python 2 any more. */
const GROUPS: readonly (readonly [heading: string, has: (found: FoundInterpreter) => boolean])[] = [
  ['With ML frameworks', (found) => !isPython2(found) && found.frameworks.length > 0],
  ['Without ML frameworks', (found) => !isPython2(found) && found.frameworks.length === 0],
  ['Python 2', isPython2],
];

function isPython2({ version }: FoundInterpreter): boolean {
  return version?.startsWith('2.') ?? false;
}

type Pick = vscode.QuickPickItem & { readonly choose?: () => Promise<string | undefined> };

/** Lets the user select the Python whose packages are read, for the current folder. */
export async function selectInterpreter(
  server: Server,
  choice: InterpreterChoice,
  folder: vscode.WorkspaceFolder | undefined,
): Promise<void> {
  if (!vscode.workspace.isTrusted) return offerTrust();
  const ofPython = 'python.setInterpreter';
  // Uses the Python extension's picker, unless something overrides its selection.
  const setting = vscode.workspace.getConfiguration('gpuDoctor', folder).get('interpreter', '');
  const isOverridden = setting !== '' || choice.of(folder) !== undefined;
  if (!isOverridden && (await vscode.commands.getCommands(true)).includes(ofPython)) {
    await vscode.commands.executeCommand(ofPython);
    return;
  }
  const picks = picksOf(server, choice.of(folder) !== undefined);
  const title = folder ? `Python for ${folder.name}` : 'Python';
  const placeHolder = 'The Python whose packages GPU Doctor reads';
  const options = { title, placeHolder, matchOnDescription: true, matchOnDetail: true };
  const chosen = await vscode.window.showQuickPick(picks, options);
  const interpreter = await chosen?.choose?.();
  if (interpreter !== undefined) await choice.select(folder, interpreter === '' ? undefined : interpreter);
}

async function offerTrust(): Promise<void> {
  const manage = 'Manage Workspace Trust';
  const sentence =
    'GPU Doctor does not inspect Python in Restricted Mode. To select an interpreter, trust the workspace.';
  if ((await vscode.window.showWarningMessage(sentence, manage)) === manage)
    await vscode.commands.executeCommand('workbench.trust.manage');
}

async function picksOf(server: Server, isChosen: boolean): Promise<Pick[]> {
  const { interpreters, inUse } = await server.request(FIND_INTERPRETERS);
  const picks: Pick[] = [
    {
      label: '$(folder-opened) Browse…',
      detail: 'A Python interpreter, or the folder of an environment',
      choose: browse,
    },
    ...(isChosen
      ? [{ label: '$(search) Choose Automatically', detail: 'Forgets your selection', choose: async () => '' }]
      : []),
  ];
  for (const [label, has] of GROUPS) {
    const group = interpreters.filter(has);
    if (group.length > 0) picks.push({ label, kind: vscode.QuickPickItemKind.Separator });
    picks.push(...group.map((found) => pickOf(found, inUse)));
  }
  return picks;
}

function pickOf(found: FoundInterpreter, inUse: string | null): Pick {
  const mark = found.path === inUse ? '$(check) ' : '';
  const named = found.kind === 'system' || found.name === found.version ? '' : ` (${found.name})`;
  const frameworks = found.frameworks.join(', ') || 'no ML framework';
  return {
    label: `${mark}Python ${found.version ?? 'of unknown version'}${named}`,
    description: found.path,
    detail: `${frameworks} · ${KINDS[found.kind]}`,
    choose: async () => found.path,
  };
}

async function browse(): Promise<string | undefined> {
  const options = { title: 'Python program or folder of an environment', openLabel: 'Select' };
  const [chosen] =
    (await vscode.window.showOpenDialog({ ...options, canSelectFiles: true, canSelectFolders: true })) ?? [];
  return chosen?.fsPath;
}
