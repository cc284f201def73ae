import type { Connection } from 'vscode-languageserver';
import type { MissingChoice } from '../diagnosis/readout/summary.ts';
import {
  FIND_INTERPRETERS,
  RECORD_STACK,
  REFRESH_STACK,
  SHAREABLE_STACK,
  STACK_DOCUMENT,
  STACK_MENU,
  WATCH_STACK,
} from '../protocol.ts';
import { knownValue } from '../stack/facts/facts.ts';
import { onNotification, onRequest } from './messages.ts';
import { failToRead, loadStack, type Stack } from './stack.ts';
import { stackMenu } from './stackMenu.ts';

/** Actions for the user if no framework was read. */
const MISSING: Readonly<Record<MissingChoice, string>> = {
  trust:
    'GPU Doctor does not inspect Python in Restricted Mode. Run **Workspaces: Manage Workspace Trust** to trust the workspace.',
  interpreter:
    'No ML framework was found in this Python. Run **GPU Doctor: Select Python Interpreter** to select another one.',
};

/** Answers a client's requests about this machine's stack. */
export function provideStack(connection: Connection, stack: Stack): void {
  onNotification(connection, WATCH_STACK, (scope) => stack.watch(scope));
  onRequest(connection, REFRESH_STACK, async () => {
    await stack.refresh();
    return null;
  });
  onRequest(connection, STACK_DOCUMENT, async () => {
    const { facts, verdicts } = await stack.judged();
    const { stackMarkdown, summarizeStack } = await loadStack();
    const { missing } = summarizeStack(facts, verdicts);
    const document = stackMarkdown(facts, verdicts);
    return missing === null ? document : document.replace('\n', () => `\n\n> ${MISSING[missing]}\n`);
  });
  onRequest(connection, SHAREABLE_STACK, async () => {
    const { facts } = await stack.judged();
    const { shareable, thisMachine, judgeStack, stackMarkdown } = await loadStack();
    const shared = shareable(facts, thisMachine());
    return stackMarkdown(shared, judgeStack(shared));
  });
  onRequest(connection, STACK_MENU, async () => {
    const { facts, verdicts } = await stack.judged();
    const python = facts && stack.scope().trusted ? knownValue(facts.interpreter)?.path : undefined;
    return stackMenu((await loadStack()).summarizeStack(facts, verdicts), verdicts, python);
  });
  onRequest(connection, RECORD_STACK, async ({ text }) => {
    const facts = (await stack.whole()) ?? failToRead();
    const [{ recordStack }, { rewriteRecord, writeRecord }, { judgeStack }] = await Promise.all([
      import('../diagnosis/record/recordStack.ts'),
      import('../diagnosis/record/recordText.ts'),
      loadStack(),
    ]);
    const record = recordStack(facts);
    const troubles = judgeStack(facts)
      .filter(({ severity }) => severity !== 'information')
      .map(({ finding }) => finding);
    const kept = text === undefined ? undefined : rewriteRecord(text, record);
    return { text: kept ?? writeRecord(record), replaces: text !== undefined && kept === undefined, troubles };
  });
  onRequest(connection, FIND_INTERPRETERS, async () => {
    const [{ findInterpreters }, { thisMachine }] = await Promise.all([
      import('../stack/readers/findInterpreters.ts'),
      loadStack(),
    ]);
    const { folders, trusted } = stack.scope();
    const interpreters = await findInterpreters(thisMachine(), trusted ? folders : []);
    const latest = stack.latest();
    return { interpreters, inUse: (latest && knownValue(latest.interpreter)?.path) ?? null };
  });
}
