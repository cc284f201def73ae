import path from 'node:path';
import * as vscode from 'vscode';
import { FIND_INTERPRETERS, type FoundInterpreter } from '../../server/src/protocol.ts';
import type { Server } from './server.ts';

/** The origin of an interpreter, as a heading of the list. */
const KINDS: Readonly<Record<FoundInterpreter['kind'], string>> = {
  workspace: 'In this folder',
  activated: 'Activated',
  conda: 'Conda',
  virtualenv: 'Virtual environments',
  uv: 'uv',
  pyenv: 'pyenv',
  system: 'On the PATH',
};

type Pick = vscode.QuickPickItem & { readonly choose?: () => Promise<string | undefined> };

/** Lets the user select the Python whose packages are read, for the current folder, and writes the setting. */
export async function selectInterpreter(server: Server, folder: vscode.WorkspaceFolder | undefined): Promise<void> {
  if (!vscode.workspace.isTrusted) return offerTrust();
  const ofPython = 'python.setInterpreter';
  // Uses the Python extension's picker, unless the setting overrides its selection.
  if (settingIn(folder) === '' && (await vscode.commands.getCommands(true)).includes(ofPython)) {
    await vscode.commands.executeCommand(ofPython);
    return;
  }
  const picks = picksOf(server, folder);
  const title = folder ? `Python for ${folder.name}` : 'Python';
  const placeHolder = 'Whose frameworks are read';
  const options = { title, placeHolder, matchOnDescription: true, matchOnDetail: true };
  const chosen = await vscode.window.showQuickPick(picks, options);
  const interpreter = await chosen?.choose?.();
  if (interpreter !== undefined) await writeSetting(interpreter, folder);
}

async function offerTrust(): Promise<void> {
  const manage = 'Manage Workspace Trust';
  const sentence = 'The environment is not read, as the workspace is not trusted: no Python can be selected for it.';
  if ((await vscode.window.showWarningMessage(sentence, manage)) === manage)
    await vscode.commands.executeCommand('workbench.trust.manage');
}

async function picksOf(server: Server, folder: vscode.WorkspaceFolder | undefined): Promise<Pick[]> {
  const { interpreters, inUse } = await server.request(FIND_INTERPRETERS);
  const isSet = settingIn(folder) !== '';
  const picks: Pick[] = [
    { label: '$(folder-opened) Browse…', detail: 'A Python program, or the folder of an environment', choose: browse },
    ...(isSet
      ? [{ label: '$(search) Choose by itself', detail: 'Takes the setting away', choose: async () => '' }]
      : []),
  ];
  let kind: FoundInterpreter['kind'] | undefined;
  for (const found of interpreters) {
    if (found.kind !== kind) picks.push({ label: KINDS[found.kind], kind: vscode.QuickPickItemKind.Separator });
    kind = found.kind;
    const mark = found.path === inUse ? '$(check) ' : '';
    const named = found.kind === 'system' ? '' : ` (${found.name})`;
    picks.push({
      label: `${mark}Python ${found.version ?? 'of unknown version'}${named}`,
      description: found.path,
      detail: found.frameworks.join(', ') || 'no framework',
      choose: async () => found.path,
    });
  }
  return picks;
}

async function browse(): Promise<string | undefined> {
  const options = { title: 'Python program or folder of an environment', openLabel: 'Select' };
  const [chosen] =
    (await vscode.window.showOpenDialog({ ...options, canSelectFiles: true, canSelectFolders: true })) ?? [];
  return chosen?.fsPath;
}

function settingIn(folder: vscode.WorkspaceFolder | undefined): string {
  return vscode.workspace.getConfiguration('gpuDoctor', folder).get('interpreter', '');
}

/** The target for a value: where it overrides the present one, otherwise the folder's own settings. */
async function writeSetting(interpreter: string, folder: vscode.WorkspaceFolder | undefined): Promise<void> {
  const { Global, Workspace, WorkspaceFolder } = vscode.ConfigurationTarget;
  const configuration = vscode.workspace.getConfiguration('gpuDoctor', folder);
  const { workspaceFolderValue, workspaceValue } = configuration.inspect<string>('interpreter') ?? {};
  const isOneOfMany = vscode.workspace.workspaceFile !== undefined;
  const ofWorkspace = workspaceFolderValue === undefined && (workspaceValue !== undefined || !isOneOfMany);
  const target = folder === undefined ? Global : ofWorkspace ? Workspace : WorkspaceFolder;
  if (interpreter !== '') {
    // In the settings of several folders, a relative path would be a different file in each.
    const value = folder && !(isOneOfMany && target === Workspace) ? shortened(interpreter, folder) : interpreter;
    await configuration.update('interpreter', value, target);
    return;
  }
  await configuration.update('interpreter', undefined, target);
  if (settingIn(folder) !== '') await configuration.update('interpreter', '', target);
}

/** A path in the folder, relative to it, because the settings may be shared. */
function shortened(interpreter: string, folder: vscode.WorkspaceFolder): string {
  const relative = path.relative(folder.uri.fsPath, interpreter);
  const isInside = relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
  return isInside ? relative.split(path.sep).join('/') : interpreter;
}
