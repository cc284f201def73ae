/** Files below `web-files://HOST/` are those of the server at `http://HOST/files/`. */
const vscode = require('vscode');

async function ask(uri, method, query = '', body = undefined) {
  const path = uri.path.split('/').map(encodeURIComponent).join('/');
  const answer = await fetch(`http://${uri.authority}/files${path}${query}`, { method, body });
  if (!answer.ok) throw vscode.FileSystemError.FileNotFound(uri);
  return answer;
}

/** Stands in for the part of VS Code's extension for notebooks that code-server has only for machines. */
const notebooks = {
  deserializeNotebook(content) {
    const { cells } = JSON.parse(new TextDecoder().decode(content));
    const { Code, Markup } = vscode.NotebookCellKind;
    return new vscode.NotebookData(
      cells.map(({ cell_type, source }) =>
        cell_type === 'code'
          ? new vscode.NotebookCellData(Code, source.join(''), 'python')
          : new vscode.NotebookCellData(Markup, source.join(''), 'markdown'),
      ),
    );
  },
  serializeNotebook({ cells }) {
    const written = cells.map(({ kind, value }) => ({
      cell_type: kind === vscode.NotebookCellKind.Code ? 'code' : 'markdown',
      metadata: {},
      source: value.split(/(?<=\n)/),
    }));
    return new TextEncoder().encode(JSON.stringify({ cells: written, metadata: {}, nbformat: 4, nbformat_minor: 5 }));
  },
};

exports.activate = (context) => {
  const changed = new vscode.EventEmitter();
  const provider = {
    onDidChangeFile: changed.event,
    watch: () => new vscode.Disposable(() => {}),
    stat: async (uri) => (await ask(uri, 'GET', '?stat')).json(),
    readDirectory: async (uri) => (await ask(uri, 'GET', '?list')).json(),
    readFile: async (uri) => new Uint8Array(await (await ask(uri, 'GET')).arrayBuffer()),
    async writeFile(uri, content) {
      await ask(uri, 'PUT', '', content);
      changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    },
    async delete(uri) {
      await ask(uri, 'DELETE');
      changed.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
    },
    createDirectory() {},
    rename: (uri) => {
      throw vscode.FileSystemError.NoPermissions(uri);
    },
  };
  context.subscriptions.push(
    vscode.workspace.registerFileSystemProvider('web-files', provider),
    vscode.workspace.registerNotebookSerializer('jupyter-notebook', notebooks),
  );
};
