const { spawn } = require('node:child_process');
const path = require('node:path');
const readline = require('node:readline');
const vscode = require('vscode');

const { NotebookCellOutput: Output, NotebookCellOutputItem: Item } = vscode;

/** A controller that runs the cells of a notebook one after the other in one process, as kernels do. */
exports.activate = ({ subscriptions }) => {
  const [folder] = vscode.workspace.workspaceFolders;
  const python = spawn('python3', ['-u', path.join(__dirname, 'kernel.py')], { cwd: folder.uri.fsPath });
  const lines = readline.createInterface({ input: python.stdout })[Symbol.asyncIterator]();
  let order = 0;

  const run = async (cell, execution) => {
    execution.executionOrder = ++order;
    execution.start(Date.now());
    await execution.clearOutput();
    python.stdin.write(`${JSON.stringify({ order, code: cell.document.getText() })}\n`);
    for (;;) {
      const { value } = await lines.next();
      const { stream, text, error, done } = JSON.parse(value);
      if (stream) await execution.appendOutput(new Output([Item[stream](text)]));
      if (error) await execution.appendOutput(new Output([Item.error(error)]));
      if (done) return execution.end(!error && done.success, Date.now());
    }
  };
  const controller = vscode.notebooks.createNotebookController('small-kernel', 'jupyter-notebook', 'Python 3');
  controller.supportedLanguages = ['python'];
  controller.supportsExecutionOrder = true;
  controller.executeHandler = async (cells) => {
    for (const cell of cells) await run(cell, controller.createNotebookCellExecution(cell));
  };
  subscriptions.push(controller, { dispose: () => python.kill() });
};
