import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient';

const CHECKPOINT_HINTS = 'gpuDoctor.checkpointHints';

/** Leaves out of the editor what another extension shows already, or what the user has switched off. */
export const middleware: Middleware = {
  // With the YAML extension, which is given the same schemas, each setting would be offered twice.
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
