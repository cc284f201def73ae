/** Entry: the language server in a Web Worker, for VS Code in a browser without a machine behind it. */
import {
  BrowserMessageReader,
  BrowserMessageWriter,
  createConnection,
  Event,
  ProposedFeatures,
} from 'vscode-languageserver/browser';
import { followHandedFiles } from './browser/handedFiles.ts';
import { createChecking, type Runs, type ServerServices } from './lsp/checking.ts';
import { answerRefused, refuseBadMessages } from './lsp/parameters.ts';

/** The scope of the worker, which these types, Node's, do not know. */
const worker = globalThis as unknown as ConstructorParameters<typeof BrowserMessageReader>[0];

const connection = createConnection(
  ProposedFeatures.all,
  new BrowserMessageReader(worker),
  new BrowserMessageWriter(worker),
  { messageStrategy: refuseBadMessages() },
);

/** Nothing runs here, and checkpoints are not read: the files that the editor hands over are text. */
const NO_MACHINE = {
  checkpoints: { visibleFrom: () => ({ checkpointsAt: () => [], read: async () => {}, areAbsent: () => true }) },
  openCache: async () => ({ get: () => undefined, put() {}, save() {} }),
  whenMachineIsKnown: async () => {},
} satisfies Partial<ServerServices>;

const NO_RUNS: Runs = {
  failures: { errorOf: () => undefined, shownIn: () => new Map(), onDidChange: Event.None },
  failureActions: async () => [],
  facts: () => undefined,
};

answerRefused(connection);
connection.onInitialize((params) => {
  const files = followHandedFiles(connection);
  const checking = createChecking(connection, params, {
    ...NO_MACHINE,
    whenFilesAreKnown: () => files.areSettingsKnown,
  });
  return checking.provide({ ...NO_RUNS, initialized: () => void files.read().then(checking.programsChanged) });
});

connection.listen();
