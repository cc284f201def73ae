/** What needs the protocol's library. That is most of the extension's code, so it is a bundle of its own. */
export {
  ErrorAction,
  ExecuteCommandRequest,
  LanguageClient,
  TransportKind,
  vsdiag,
  WorkDoneProgress,
} from 'vscode-languageclient/node';
export { followNotebookTabs } from './notebookTabs.ts';
