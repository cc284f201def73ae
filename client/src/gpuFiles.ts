import * as vscode from 'vscode';
import { ENVIRONMENT_FILES } from '../../server/src/protocol.ts';

const textsOf = (fileSchemes: readonly string[]): vscode.DocumentSelector => [
  { language: 'python' },
  ...fileSchemes.flatMap((scheme) => ENVIRONMENT_FILES.map((pattern) => ({ scheme, pattern }))),
];

/** Files that are about an environment only if they install packages or use GPUs. */
const SCRIPTS: vscode.DocumentSelector = [
  { pattern: '**/*.{sh,bash}' },
  { pattern: '**/.github/workflows/*.{yml,yaml}' },
  { pattern: '**/*compose*.{yml,yaml}' },
];

const ABOUT_GPUS =
  /\b(?:pip\d*|uv|conda|mamba|micromamba|poetry|pipenv|pixi)\s+(?:\w+\s+)*?(?:install|add|sync|create)\b|nvidia|\bcuda|\bgpus?\b|\btorch|\btensorflow\b|\bjax\b/i;

/**
 * True if a file related to the GPU stack is open, even in a background tab: Python, an environment or a checkpoint.
 */
export function isGpuFileOpen(fileSchemes: readonly string[] = ['file']): boolean {
  const texts = textsOf(fileSchemes);
  return (
    vscode.workspace.textDocuments.some((document) => isGpuText(document, texts)) ||
    vscode.workspace.notebookDocuments.some(({ notebookType }) => notebookType === 'jupyter-notebook') ||
    vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ input }) => isCheckpoint(input)))
  );
}

function isGpuText(document: vscode.TextDocument, texts: vscode.DocumentSelector): boolean {
  if (vscode.languages.match(texts, document) === 0) return false;
  return vscode.languages.match(SCRIPTS, document) === 0 || ABOUT_GPUS.test(document.getText());
}

function isCheckpoint(input: unknown): boolean {
  return input instanceof vscode.TabInputCustom && input.viewType.startsWith('gpuDoctor.checkpoint');
}

/** Calls back whenever `isGpuFileOpen` may have changed. */
export function onGpuFilesChanged(listener: () => void): vscode.Disposable {
  const { workspace, window } = vscode;
  return vscode.Disposable.from(
    ...[
      workspace.onDidOpenTextDocument,
      workspace.onDidCloseTextDocument,
      // A script may have its first line about GPUs.
      workspace.onDidSaveTextDocument,
      workspace.onDidOpenNotebookDocument,
      workspace.onDidCloseNotebookDocument,
      window.tabGroups.onDidChangeTabs,
    ].map((event: vscode.Event<unknown>) => event(() => listener())),
  );
}
