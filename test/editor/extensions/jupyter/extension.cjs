const vscode = require('vscode');

exports.activate = ({ subscriptions }) => {
  const changed = new vscode.EventEmitter();
  subscriptions.push(changed);
  return {
    // As the real one, it names an environment by its folder or by its program.
    getPythonEnvironment: () => {
      const [folder] = vscode.workspace.workspaceFolders;
      return { id: 'kernel', path: vscode.Uri.joinPath(folder.uri, 'kernel').fsPath };
    },
    onDidChangePythonEnvironment: changed.event,
  };
};
