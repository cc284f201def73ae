import * as vscode from 'vscode';

/** Shows a page of the documentation: the one that is shipped with the extension (as it is, or as it was built), else the published one. */
export async function showPage(context: vscode.ExtensionContext, address: string): Promise<void> {
  const [, page] = /(\/docs\/\w+\/[\w-]+\.md)(?:#.*)?$/.exec(address) ?? [];
  for (const folder of page === undefined ? [] : ['dist', '.']) {
    try {
      const file = vscode.Uri.joinPath(context.extensionUri, folder, page ?? '');
      await vscode.workspace.fs.stat(file);
      await vscode.commands.executeCommand('markdown.showPreview', file);
      return;
    } catch {
      // It is not there, or the extension that shows Markdown is switched off.
    }
  }
  await vscode.env.openExternal(vscode.Uri.parse(address));
}
