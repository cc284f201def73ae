const vscode = require('vscode');

exports.activate = ({ subscriptions }) => {
  const changed = new vscode.EventEmitter();
  let name = 'first';
  const environment = () => {
    const [folder] = vscode.workspace.workspaceFolders;
    return vscode.Uri.joinPath(folder.uri, name, 'bin', 'python');
  };
  const select = vscode.commands.registerCommand('python.setInterpreter', () => {
    name = 'second';
    changed.fire({ id: name, path: environment().fsPath });
  });
  subscriptions.push(changed, select);
  return {
    environments: {
      getActiveEnvironmentPath: () => ({ id: name, path: environment().fsPath }),
      resolveEnvironment: async ({ id, path }) => ({ id, path, executable: { uri: vscode.Uri.file(path) } }),
      onDidChangeActiveEnvironmentPath: changed.event,
    },
  };
};
