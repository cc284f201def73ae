import { type Connection, LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import {
  REFRESH_STACK,
  SHAREABLE_STACK,
  STACK_CHANGED,
  STACK_DOCUMENT,
  STACK_MENU,
  type StackChanged,
  type StackScope,
  WATCH_STACK,
} from '../protocol.ts';
import type { Facts } from '../rules/contract.ts';
import { factsForRules } from '../rules/liveFacts.ts';
import { isPending, type StackFacts } from '../stack/facts.ts';
import { followGpuLoad } from './gpuLoad.ts';
import { stackMenu } from './stackMenu.ts';

export interface Stack {
  /** What is known once it has all been read; undefined where that failed. */
  whole(): Promise<StackFacts | undefined>;
}

/** Reads the stack in the background once the client wants it, and tells the client and the rules what is known. */
export function followStack(connection: Connection, initial: StackScope, useFacts: (facts: Facts) => void): Stack {
  let scope = initial;
  let latest: StackFacts | undefined;
  let told = '';
  let areGpusTold = false;
  let reading: { readonly controller: AbortController; readonly done: Promise<void> } | undefined;
  const load = followGpuLoad(connection, () => void tell());

  /** The facts and verdicts by now, with the newest readings of the GPUs in them. */
  const current = async () => {
    const stack = await loadStack();
    if (!latest) return undefined;
    const facts = stack.withReadings(latest, load.readings);
    return { ...stack, facts, verdicts: stack.judgeStack(facts) };
  };
  const tell = async (): Promise<void> => {
    const now = await current();
    if (!now) return;
    const { facts, verdicts, summarizeStack, describeLoad, stackTooltip } = now;
    const news: StackChanged = {
      ...summarizeStack(facts, verdicts),
      load: load.readings.length > 0 ? describeLoad(facts) : null,
      tooltip: stackTooltip(facts, verdicts, load.trouble),
    };
    const text = JSON.stringify(news);
    if (text === told) return;
    told = text;
    void connection.sendNotification(STACK_CHANGED, news);
  };
  const read = async (signal: AbortSignal, anew: boolean): Promise<void> => {
    const { thisMachine, readStack, runtimeCache } = await loadStack();
    const { interpreter, kernel, folders, trusted } = scope;
    const take = (facts: StackFacts) => {
      if (signal.aborted) return;
      latest = facts;
      load.useFacts(facts);
      void tell();
      const { torch, keras } = facts.frameworks;
      if (isPending(torch) || isPending(keras)) return;
      // While it is read again, what was known of the GPUs counts.
      if (areGpusTold && isPending(facts.gpus)) return;
      areGpusTold = !isPending(facts.gpus);
      useFacts(factsForRules(facts));
    };
    const machine = thisMachine();
    await readStack({
      machine,
      interpreter,
      kernel: trusted ? kernel : undefined,
      folders: trusted ? [...folders] : [],
      runtime: { refusal: () => (trusted ? undefined : NOT_TRUSTED), cache: runtimeCache(machine), anew },
      signal,
      onFacts: take,
    });
  };
  /** Anew: also what was kept of an earlier reading is asked for again. */
  const start = (anew = false): Promise<void> => {
    reading?.controller.abort();
    load.retry();
    const controller = new AbortController();
    const done = read(controller.signal, anew).catch((error) =>
      connection.console.error(`The GPU stack could not be read: ${String(error)}.`),
    );
    reading = { controller, done };
    return done;
  };
  /** The facts and verdicts, read first where the client has never asked for the stack. */
  const known = async () => {
    if (!latest) await (reading?.done ?? start());
    const now = await current();
    if (!now)
      throw new ResponseError(LSPErrorCodes.RequestFailed, 'The GPU stack could not be read; the log says why.');
    return now;
  };

  connection.onNotification(WATCH_STACK, (wanted: StackScope) => {
    scope = wanted;
    void start();
  });
  connection.onRequest(REFRESH_STACK, async () => {
    await start(true);
    return null;
  });
  connection.onRequest(STACK_DOCUMENT, async () => {
    const { facts, verdicts, stackMarkdown } = await known();
    return stackMarkdown(facts, verdicts);
  });
  connection.onRequest(SHAREABLE_STACK, async () => {
    const { facts, shareable, thisMachine, judgeStack, stackMarkdown } = await known();
    const shared = shareable(facts, thisMachine());
    return stackMarkdown(shared, judgeStack(shared));
  });
  connection.onRequest(STACK_MENU, async () => {
    const { facts, verdicts, summarizeStack } = await known();
    return stackMenu(summarizeStack(facts, verdicts).text, verdicts);
  });

  const whole = async (): Promise<StackFacts | undefined> => {
    const under = reading;
    await (under?.done ?? start());
    // Another reading may have taken its place meanwhile.
    return under === undefined || under === reading ? latest : whole();
  };
  return { whole };
}

const NOT_TRUSTED = 'the workspace is not trusted, so no Python was started';

/** Loaded when first wanted: most sessions of other editors never ask. */
async function loadStack() {
  const [machine, readStack, cache, verdicts, summary, tooltip, load, readout, sharing] = await Promise.all([
    import('../stack/machine.ts'),
    import('../stack/readStack.ts'),
    import('../stack/runtimeCache.ts'),
    import('../stack/verdicts.ts'),
    import('../stack/summary.ts'),
    import('../stack/tooltip.ts'),
    import('../stack/gpuLoad.ts'),
    import('../stack/readout.ts'),
    import('../stack/shareable.ts'),
  ]);
  return { ...machine, ...readStack, ...cache, ...verdicts, ...summary, ...tooltip, ...load, ...readout, ...sharing };
}
