/** Code that needs the protocol's library. It is most of the extension's code, so it is a separate bundle. */
import type * as vscode from 'vscode';
import { LanguageClient, type LanguageClientOptions, TransportKind } from 'vscode-languageclient/node';
import { SERVER_FLAGS } from '../../server/src/protocol.ts';

export { ErrorAction, ExecuteCommandRequest, WorkDoneProgress } from 'vscode-languageclient';
export { followNotebookTabs } from './notebookTabs.ts';

/** Creates the client of a server that runs as a process. */
export function createClient(context: vscode.ExtensionContext, options: LanguageClientOptions): LanguageClient {
  const server = { module: context.asAbsolutePath('dist/server.js'), transport: TransportKind.ipc };
  return new LanguageClient(
    'gpuDoctor',
    'GPU Doctor',
    {
      run: { ...server, options: { execArgv: [...SERVER_FLAGS] } },
      // Used when debugging the extension itself: `.vscode/launch.json` attaches to this port.
      debug: { ...server, options: { execArgv: [...SERVER_FLAGS, '--inspect=6009', '--enable-source-maps'] } },
    },
    options,
  );
}
