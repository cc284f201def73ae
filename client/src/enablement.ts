import * as vscode from 'vscode';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly enablement?: string }[];
    readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when?: string }[] };
  };
}

/** The conditions of commands in the manifest, as VS Code's context keys. */
const TERMS: Readonly<Record<string, () => boolean>> = {
  isWorkspaceTrusted: () => vscode.workspace.isTrusted,
  '(!isWeb || remoteName)': () => vscode.env.uiKind !== vscode.UIKind.Web || vscode.env.remoteName !== undefined,
  'workspaceFolderCount != 0': () => (vscode.workspace.workspaceFolders ?? []).length > 0,
  false: () => false,
};

/**
 * True for a command that the palette would offer now. VS Code runs a command by its name regardless of the manifest.
 * An unknown condition counts as false.
 */
export function isEnabled(manifest: Manifest, command: string): boolean {
  const { commands, menus } = manifest.contributes;
  const clauses = [
    ...commands.flatMap((each) => (each.command === command ? (each.enablement ?? []) : [])),
    ...menus.commandPalette.flatMap((each) => (each.command === command ? (each.when ?? []) : [])),
  ];
  return clauses.flatMap((clause) => clause.split('&&')).every((term) => TERMS[term.trim()]?.() === true);
}

/** The same for this extension. */
export function isEnabledHere(context: vscode.ExtensionContext): (command: string) => boolean {
  return (command) => isEnabled(context.extension.packageJSON as Manifest, command);
}
