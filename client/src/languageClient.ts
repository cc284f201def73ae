/** What is used of the protocol's library. It is most of the extension's code, so it is a bundle of its own. */
export { LanguageClient, TransportKind, WorkDoneProgress } from 'vscode-languageclient/node';
