import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient';

const CHECKPOINT_HINTS = 'gpuDoctor.checkpointHints';

/** Hides results that another extension already shows in the editor, or that the user has disabled. */
export const middleware: Middleware = {
  // The YAML extension receives the same schemas, so each setting would be offered twice.
  provideCompletionItem(document, position, context, token, next) {
    const isServed =
      document.languageId === 'yaml' && vscode.extensions.getExtension('redhat.vscode-yaml') !== undefined;
    return isServed ? [] : next(document, position, context, token);
  },
  provideInlayHints(document, range, token, next) {
    const isWanted = vscode.workspace.getConfiguration(undefined, document).get(CHECKPOINT_HINTS, true);
    return isWanted ? next(document, range, token) : [];
  },
};
