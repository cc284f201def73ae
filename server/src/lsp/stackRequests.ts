import type { Connection } from 'vscode-languageserver/node';
import {
  FIND_INTERPRETERS,
  type FoundInterpreters,
  RECORD_STACK,
  REFRESH_STACK,
  type RecordAnswer,
  type RecordRequest,
  SHAREABLE_STACK,
  STACK_DOCUMENT,
  STACK_MENU,
  type StackScope,
  WATCH_STACK,
} from '../protocol.ts';
import { knownValue } from '../stack/facts/facts.ts';
import { failToRead, loadStack, type Stack } from './stack.ts';
import { stackMenu } from './stackMenu.ts';

/** Answers what a client asks about the stack of this machine. */
export function provideStack(connection: Connection, stack: Stack): void {
  connection.onNotification(WATCH_STACK, (scope: StackScope) => stack.watch(scope));
  connection.onRequest(REFRESH_STACK, async () => {
    await stack.refresh();
    return null;
  });
  connection.onRequest(STACK_DOCUMENT, async () => {
    const { facts, verdicts } = await stack.judged();
    return (await loadStack()).stackMarkdown(facts, verdicts);
  });
  connection.onRequest(SHAREABLE_STACK, async () => {
    const { facts } = await stack.judged();
    const { shareable, thisMachine, judgeStack, stackMarkdown } = await loadStack();
    const shared = shareable(facts, thisMachine());
    return stackMarkdown(shared, judgeStack(shared));
  });
  connection.onRequest(STACK_MENU, async () => {
    const { facts, verdicts } = await stack.judged();
    return stackMenu((await loadStack()).summarizeStack(facts, verdicts).text, verdicts);
  });
  connection.onRequest(RECORD_STACK, async ({ text }: RecordRequest): Promise<RecordAnswer> => {
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
  connection.onRequest(FIND_INTERPRETERS, async (): Promise<FoundInterpreters> => {
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
