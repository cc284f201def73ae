import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';

/** With the YAML extension, which is given the same schemas, each setting would be offered twice. */
export const settingsMiddleware: Middleware = {
  provideCompletionItem(document, position, context, token, next) {
    const isServed =
      document.languageId === 'yaml' && vscode.extensions.getExtension('redhat.vscode-yaml') !== undefined;
    return isServed ? [] : next(document, position, context, token);
  },
};
