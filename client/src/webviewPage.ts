import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** The only folder from which webviews may load files. */
export function webviewFolder({ extensionUri }: vscode.ExtensionContext): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
}

/** A webview's page, given the name of its script and style. It may only load its own script and style. */
export function webviewPage(
  webview: vscode.Webview,
  folder: vscode.Uri,
  name: 'checkpoint' | 'explanation',
  title: string,
): string {
  const nonce = randomBytes(16).toString('base64');
  const address = (suffix: string) => webview.asWebviewUri(vscode.Uri.joinPath(folder, `${name}.${suffix}`));
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="stylesheet" nonce="${nonce}" href="${address('css')}">
  </head>
  <body>
    <script nonce="${nonce}" src="${address('js')}"></script>
  </body>
</html>`;
}
