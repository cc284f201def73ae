const vscode = require('vscode');

exports.activate = ({ subscriptions }) => {
  subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory('debugpy', {
      createDebugAdapterDescriptor: ({ configuration }) =>
        new vscode.DebugAdapterExecutable(configuration.python, ['-m', 'debugpy.adapter']),
    }),
  );
};
