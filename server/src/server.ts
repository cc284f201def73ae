/** Entry point of the language server. VS Code starts it over Node's IPC channel, every other editor with `--stdio`. */
import { setTimeout } from 'node:timers/promises';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { createCheckpointCache } from './checkpoint/checkpointCache.ts';
import { provideAgentTools } from './lsp/agentTools.ts';
import { createChecking } from './lsp/checking.ts';
import { provideCheckpoints } from './lsp/checkpoints.ts';
import { provideEnvironmentPlans } from './lsp/environmentPlans.ts';
import { createExplainer, provideExplanations } from './lsp/explain.ts';
import { failureActions } from './lsp/failureActions.ts';
import { followFailures } from './lsp/failures.ts';
import { provideOverview } from './lsp/overview.ts';
import { ownClient } from './lsp/ownClient.ts';
import { answerRefused, refuseBadMessages } from './lsp/parameters.ts';
import { provideSmokeTest } from './lsp/smokeTest.ts';
import { followStack } from './lsp/stack.ts';
import { followStackRecords } from './lsp/stackRecords.ts';
import { provideStack } from './lsp/stackRequests.ts';
import { openWorkspaceCache } from './lsp/workspaceCache.ts';

if (!process.argv.some((argument) => /^--(stdio|node-ipc|pipe|socket)/.test(argument))) {
  process.stderr.write('The GPU Doctor language server is started by an editor, with --stdio.\n');
  process.exit(2);
}
// The library watches standard input and the client's process; the IPC channel is watched here.
process.once('disconnect', () => process.exit(1));

const connection = createConnection(ProposedFeatures.all, { messageStrategy: refuseBadMessages() });

answerRefused(connection);
connection.onInitialize(async (params) => {
  const { capabilities } = params;
  const checkpoints = createCheckpointCache();
  const machine = createKnown();
  const checking = createChecking(connection, params, {
    checkpoints,
    whenFilesAreKnown: async () => {},
    openCache: openWorkspaceCache,
    // Our own client always needs the stack; others may not.
    whenMachineIsKnown: async () => void (ownClient(capabilities) && (await machine.orTooLate)),
  });
  const { session, documents } = checking;
  const records = followStackRecords(connection, checking.publisher());
  const stack = followStack(connection, records, (known) => {
    checking.learn(known);
    machine.isKnown();
  });
  const explainer = createExplainer(documents, stack);
  const failures = followFailures(connection, documents, explainer);
  checking.onDidChangeRecord(records.changedOnDisk);
  documents.onDidChange(({ uri, isSaved }) => {
    if (isSaved) return;
    records.documentChanged(uri, documents.text(uri));
    const opened = documents.at(uri);
    if (!opened?.isOptional) stack.look(opened?.source);
  });
  provideCheckpoints(connection, stack);
  provideOverview(connection, stack, checkpoints);
  provideExplanations(connection, session, explainer, failures, stack);
  provideStack(connection, stack);
  provideSmokeTest(connection, stack);
  provideEnvironmentPlans(connection, stack);
  provideAgentTools(connection, stack);
  return checking.provide({
    failures,
    failureActions: failureActions(session, explainer, failures),
    facts: () => stack.latest(),
  });
});

connection.listen();

/** Maximum time in milliseconds that findings of files wait for facts about the machine, which may change them. */
const MAX_WAIT_MS = 5000;

/** A promise that resolves once. `orTooLate` also resolves after a timeout that starts with the first caller. */
function createKnown() {
  let isKnown = () => {};
  const known = new Promise<void>((resolve) => {
    isKnown = resolve;
  });
  let late: Promise<void> | undefined;
  return {
    isKnown,
    get orTooLate() {
      late ??= setTimeout(MAX_WAIT_MS, undefined, { ref: false });
      return Promise.race([known, late]);
    },
  };
}
