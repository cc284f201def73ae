import * as vscode from 'vscode';

/** The schemes of the workspace's folders, whose files the server receives. */
export function folderSchemes(): string[] {
  return [...new Set((vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.scheme))];
}

/** Represents an empty authority. */
const NONE = '-';

/** The URI of a file for the server, which only knows files: `scheme://authority/path` below `file:///`. */
export function toServer(uri: vscode.Uri): string {
  if (uri.query !== '' || !folderSchemes().includes(uri.scheme)) return uri.toString();
  const authority = encodeURIComponent(uri.authority) || NONE;
  return vscode.Uri.from({ scheme: 'file', path: `/${uri.scheme}/${authority}${uri.path}` }).toString();
}

/** The inverse. */
export function fromServer(address: string): vscode.Uri {
  const uri = vscode.Uri.parse(address);
  const [, scheme, authority = NONE, path = ''] = /^\/([^/]+)\/([^/]+)(.*)$/s.exec(uri.path) ?? [];
  if (uri.scheme !== 'file' || scheme === undefined || !folderSchemes().includes(scheme)) return uri;
  return uri.with({ scheme, authority: authority === NONE ? '' : decodeURIComponent(authority), path });
}

/** The server's Markdown with links to files in the editor's notation. */
export function withLinks(markdown: string): string {
  return markdown.replaceAll(/(?<=\]\()file:\/\/\/[^)\s]+/g, (address) => fromServer(address).toString());
}
