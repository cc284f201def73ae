const vscode = require('vscode');

exports.activate = ({ subscriptions }) => {
  subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory('debugpy', {
      // A Python that has it.
      createDebugAdapterDescriptor: () =>
        new vscode.DebugAdapterExecutable(process.env.DEBUGPY_PYTHON, ['-m', 'debugpy.adapter']),
    }),
  );
};
