import path from 'node:path';
import * as vscode from 'vscode';
import {
  type CheckpointAnswer,
  fileToOpen,
  JUDGE_CHECKPOINT,
  READ_CHECKPOINT,
  standsForFolder,
} from '../../server/src/protocol.ts';
import type { FromPage, MenuContext, ToPage } from '../webview/messages.ts';
import { chooseCheckpoint } from './checkpointFiles.ts';
import type { Server } from './server.ts';
import { webviewFolder, webviewPage } from './webviewPage.ts';

/** The editor for files whose names are used only for checkpoints. */
const BY_DEFAULT = 'gpuDoctor.checkpoint';

/**
 * The same editor for names that other files also have: VS Code offers it, but opens such files in another editor by
 * default.
 */
const ON_REQUEST = 'gpuDoctor.checkpointOnRequest';

export interface CheckpointEditor extends vscode.Disposable {
  /** Updates the open files after new facts about the machine. */
  stackChanged(): void;
}

/** A file in one or more editors. */
interface CheckpointFile extends vscode.CustomDocument {
  /** Its content, read once until it changes. */
  read(): Promise<CheckpointAnswer>;
  /** Reads it again, and updates its editors. */
  reload(): Promise<void>;
  readonly onDidReload: vscode.Event<void>;
}

/** The read-only editor for checkpoints. The server reads and checks files, and a webview page displays the result. */
export function registerCheckpointEditor(
  context: vscode.ExtensionContext,
  server: Server,
  log: vscode.LogOutputChannel,
): CheckpointEditor {
  const stackChanged = new vscode.EventEmitter<void>();
  const panels = new Set<vscode.WebviewPanel>();
  const folder = webviewFolder(context);
  const provider: vscode.CustomReadonlyEditorProvider<CheckpointFile> = {
    openCustomDocument: (uri) => openFile(uri, server),
    resolveCustomEditor(file, panel) {
      panel.webview.options = { enableScripts: true, localResourceRoots: [folder] };
      const subscriptions = [
        panel.webview.onDidReceiveMessage((message: FromPage) => received(message)),
        file.onDidReload(() => void show()),
        stackChanged.event(() => void judge()),
      ];
      panels.add(panel);
      panel.onDidDispose(() => {
        panels.delete(panel);
        vscode.Disposable.from(...subscriptions).dispose();
      });

      const name = shownName(file.uri);
      const tell = (message: ToPage) => void panel.webview.postMessage(message);
      let isShown = false;
      let judged = '';
      let turn = 0;
      const show = async () => {
        const mine = ++turn;
        if (!isShown) tell({ kind: 'reading', file: name });
        const { view, trouble = '' } = await file.read();
        if (mine !== turn) return;
        isShown = view !== undefined;
        judged = '';
        tell(view ? { kind: 'read', file: name, view } : { kind: 'failed', file: name, trouble });
        await judge();
      };
      const judge = async () => {
        const mine = turn;
        const { view } = isShown ? await file.read() : {};
        if (!view?.loadable) return;
        try {
          const judgement = await server.request(JUDGE_CHECKPOINT, view.loadable);
          // Many updates of the stack make no difference here.
          const news = JSON.stringify(judgement);
          if (mine !== turn || news === judged) return;
          judged = news;
          tell({ kind: 'judged', judgement });
        } catch (error) {
          log.warn(`Could not determine whether ${name} loads on this machine: ${error}`);
        }
      };
      const received = async (message: FromPage) => {
        switch (message.kind) {
          case 'ready':
            // The page is re-created each time its tab becomes visible.
            isShown = false;
            return show();
          case 'retry':
            return file.reload();
          case 'copy':
            return vscode.env.clipboard.writeText(message.text);
        }
      };
      panel.webview.html = webviewPage(panel.webview, folder, 'checkpoint', 'Checkpoint');
    },
  };
  const registrations = [BY_DEFAULT, ON_REQUEST].map((viewType) =>
    vscode.window.registerCustomEditorProvider(viewType, provider, { supportsMultipleEditorsPerDocument: true }),
  );
  const filter = vscode.commands.registerCommand('gpuDoctor.filterTensors', () => {
    const panel = [...panels].find(({ active }) => active);
    // The focus may be outside the page, for example in the explorer from which it was opened.
    panel?.reveal();
    void panel?.webview.postMessage({ kind: 'filter' } satisfies ToPage);
  });
  return {
    stackChanged: () => stackChanged.fire(),
    dispose: () => vscode.Disposable.from(stackChanged, filter, ...registrations).dispose(),
  };
}

/** The name of a file; if the file describes its folder, with the folder's name. */
function shownName({ path: file }: vscode.Uri): string {
  const name = path.posix.basename(file);
  return standsForFolder(name) ? `${path.posix.basename(path.posix.dirname(file))}/${name}` : name;
}

/** Opens a file in the editor, whatever its suffix; without a file, the user is asked for one. */
export async function inspectCheckpoint(file?: vscode.Uri | string): Promise<void> {
  const asked =
    typeof file === 'string' ? vscode.Uri.file(file) : (file ?? (await chooseCheckpoint('Inspect Checkpoint')));
  if (!asked) return;
  const uri = await fileIn(asked);
  await vscode.commands.executeCommand('vscode.openWith', uri, isOpenedByDefault(uri) ? BY_DEFAULT : ON_REQUEST);
}

/** True for a file that VS Code opens in the editor because of its name, according to the manifest. */
function isOpenedByDefault({ path: file }: vscode.Uri): boolean {
  const editors: readonly { viewType: string; selector: readonly { filenamePattern: string }[] }[] =
    vscode.extensions.getExtension(EXTENSION)?.packageJSON.contributes.customEditors ?? [];
  const patterns = editors.find(({ viewType }) => viewType === BY_DEFAULT)?.selector ?? [];
  return patterns.some(({ filenamePattern }) => file.toLowerCase().endsWith(filenamePattern.replace('*', '')));
}

const EXTENSION = 'gpu-doctor.gpu-doctor';

/** Returns the file that shows the model in a folder, because editors show files; returns a file unchanged. */
async function fileIn(uri: vscode.Uri): Promise<vscode.Uri> {
  try {
    const names = (await vscode.workspace.fs.readDirectory(uri)).map(([name]) => name);
    return vscode.Uri.joinPath(uri, fileToOpen(names) ?? 'saved_model.pb');
  } catch {
    return uri;
  }
}

/** Copies the name of the tensor, or the prefix of the group, whose context menu is open. */
export async function copyTensorName({ name }: MenuContext): Promise<void> {
  await vscode.env.clipboard.writeText(name);
}

function openFile(uri: vscode.Uri, server: Server): CheckpointFile {
  const reloaded = new vscode.EventEmitter<void>();
  let reading: Promise<CheckpointAnswer> | undefined;
  let isWaiting = false;
  const read = () => {
    reading ??= readFile(uri, server);
    return reading;
  };
  const reload = async () => {
    // A file that is being written changes many times: at most one read is in progress, and one is pending.
    if (isWaiting) return;
    isWaiting = true;
    await reading;
    isWaiting = false;
    reading = undefined;
    reloaded.fire();
  };
  // The name may contain special characters of patterns.
  const watcher = vscode.workspace.createFileSystemWatcher(
    new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), '*'),
  );
  const changed = (other: vscode.Uri) => {
    if (other.path === uri.path) void reload();
  };
  watcher.onDidChange(changed);
  watcher.onDidCreate(changed);
  watcher.onDidDelete(changed);
  return {
    uri,
    read,
    reload,
    onDidReload: reloaded.event,
    dispose: () => vscode.Disposable.from(watcher, reloaded).dispose(),
  };
}

async function readFile(uri: vscode.Uri, server: Server): Promise<CheckpointAnswer> {
  if (uri.scheme !== 'file')
    return {
      trouble: `GPU Doctor only reads files on disk, and this one has the scheme \`${uri.scheme}\`. Save a copy to inspect it.`,
    };
  try {
    return await server.request(READ_CHECKPOINT, uri.fsPath);
  } catch (error) {
    return { trouble: `The language server did not answer: ${error instanceof Error ? error.message : error}` };
  }
}
