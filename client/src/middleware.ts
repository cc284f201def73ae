import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient';

const CHECKPOINT_HINTS = 'gpuDoctor.checkpointHints';

/** Hides results that the user has disabled. */
export const middleware: Middleware = {
  provideInlayHints(document, range, token, next) {
    const isWanted = vscode.workspace.getConfiguration(undefined, document).get(CHECKPOINT_HINTS, true);
    return isWanted ? next(document, range, token) : [];
  },
};
