import type { Connection } from 'vscode-languageserver/node';
import {
  REFRESH_STACK,
  STACK_CHANGED,
  STACK_DOCUMENT,
  type StackChanged,
  type StackScope,
  WATCH_STACK,
} from '../protocol.ts';
import type { Facts } from '../rules/contract.ts';
import { isPending, knownValue, type StackFacts } from '../stack/facts.ts';

export interface Stack {
  /** What is known once it has all been read; undefined where that failed. */
  whole(): Promise<StackFacts | undefined>;
}

/** Reads the stack in the background once the client wants it, and tells the client and the rules what is known. */
export function followStack(connection: Connection, initial: StackScope, useFacts: (facts: Facts) => void): Stack {
  let scope = initial;
  let latest: StackFacts | undefined;
  let reading: { readonly controller: AbortController; readonly done: Promise<void> } | undefined;

  const read = async (signal: AbortSignal): Promise<void> => {
    const { thisMachine, readStack, judgeStack, summarizeStack } = await loadStack();
    const { interpreter, folders, trusted } = scope;
    const take = (facts: StackFacts) => {
      if (signal.aborted) return;
      latest = facts;
      const news: StackChanged = summarizeStack(facts, judgeStack(facts));
      void connection.sendNotification(STACK_CHANGED, news);
      const { torch, keras } = facts.frameworks;
      if (!isPending(torch) && !isPending(keras)) useFacts(factsForRules(facts));
    };
    await readStack({
      machine: thisMachine(),
      interpreter,
      folders: trusted ? [...folders] : [],
      signal,
      onFacts: take,
    });
  };
  const start = (): Promise<void> => {
    reading?.controller.abort();
    const controller = new AbortController();
    const done = read(controller.signal).catch((error) =>
      connection.console.error(`The GPU stack could not be read: ${String(error)}.`),
    );
    reading = { controller, done };
    return done;
  };

  connection.onNotification(WATCH_STACK, (wanted: StackScope) => {
    scope = wanted;
    void start();
  });
  connection.onRequest(REFRESH_STACK, async () => {
    await start();
    return null;
  });
  connection.onRequest(STACK_DOCUMENT, async () => {
    if (!latest) await (reading?.done ?? start());
    const { judgeStack, stackMarkdown } = await loadStack();
    return latest ? stackMarkdown(latest, judgeStack(latest)) : 'The GPU stack could not be read; the log says why.\n';
  });

  const whole = async (): Promise<StackFacts | undefined> => {
    const under = reading;
    await (under?.done ?? start());
    // Another reading may have taken its place meanwhile.
    return under === undefined || under === reading ? latest : whole();
  };
  return { whole };
}

/** Loaded when first wanted: most sessions of other editors never ask. */
async function loadStack() {
  const [machine, readStack, verdicts, summary, readout] = await Promise.all([
    import('../stack/machine.ts'),
    import('../stack/readStack.ts'),
    import('../stack/verdicts.ts'),
    import('../stack/summary.ts'),
    import('../stack/readout.ts'),
  ]);
  return { ...machine, ...readStack, ...verdicts, ...summary, ...readout };
}

/** What the rules want to know of the stack. */
function factsForRules({ frameworks }: StackFacts): Facts {
  const backend = knownValue(frameworks.keras)?.backend;
  return {
    torchVersion: knownValue(frameworks.torch)?.version,
    kerasBackend: backend === 'tensorflow' || backend === 'jax' || backend === 'torch' ? backend : undefined,
  };
}
