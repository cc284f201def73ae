const vscode = require('vscode');

/** Calls the tools of a list in the workspace, and shows all answers as one document. */
exports.activate = ({ subscriptions }) => {
  const answer = async ([name, input]) => {
    try {
      const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
      return content.map(({ value }) => value).join('\n');
    } catch (error) {
      return `failed: ${error.message}`;
    }
  };
  const callTools = async () => {
    const [folder] = vscode.workspace.workspaceFolders;
    const calls = JSON.parse(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder.uri, 'calls.json')));
    const names = vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('gpu-doctor_'));
    const answers = [];
    for (const call of calls) answers.push(await answer(call));
    const content = [`tools: ${names.sort().join(' ')}`, ...answers].join('\n');
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content, language: 'plaintext' }));
  };
  subscriptions.push(vscode.commands.registerCommand('agent.callTools', callTools));
};
