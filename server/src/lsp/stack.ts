import { type Connection, LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import {
  FIND_INTERPRETERS,
  type FoundInterpreters,
  LOAD_CHANGED,
  RECORD_STACK,
  REFRESH_STACK,
  type RecordAnswer,
  type RecordRequest,
  SHAREABLE_STACK,
  STACK_CHANGED,
  STACK_DOCUMENT,
  STACK_MENU,
  type StackChanged,
  type StackScope,
  WATCH_STACK,
} from '../protocol.ts';
import type { Knowledge } from '../rules/engine/contract.ts';
import { knowledgeFrom } from '../rules/queries/knowledge.ts';
import {
  everyFactButRuntime,
  type Fact,
  type Interpreter,
  isPending,
  isUnknown,
  knownValue,
  type StackFacts,
} from '../stack/facts/facts.ts';
import { followGpuLoad } from './gpuLoad.ts';
import { loggedMachine } from './loggedMachine.ts';
import { stackMenu } from './stackMenu.ts';
import type { StackRecords } from './stackRecords.ts';

export interface Stack {
  /** What is known by now. */
  latest(): StackFacts | undefined;
  /** What is known once it has all been read, but for what frameworks say themselves; undefined where that failed. */
  whole(): Promise<StackFacts | undefined>;
  /** What is known once frameworks have had their say, too, which takes some seconds the first time. */
  wholeWithRuntime(): Promise<StackFacts | undefined>;
  /** Whether the client says that programs which the workspace brings along may be started. */
  isTrusted(): boolean;
  /** Tells the client what is known by now, where that is news. */
  tell(): void;
}

/** One pass over the stack. */
interface Reading {
  readonly controller: AbortController;
  /** All is known but for what frameworks say themselves. */
  readonly whole: Promise<void>;
  readonly wholeWithRuntime: Promise<void>;
}

/** Before a client has said where to look, and that it may, nothing of a workspace is looked at or started. */
const NOTHING_TOLD: StackScope = { folders: [], trusted: false };

/** Reads the stack in the background once the client wants it, and tells the client and the rules what is known. */
export function followStack(
  connection: Connection,
  records: StackRecords,
  tellRules: (known: Knowledge) => void,
): Stack {
  let scope = NOTHING_TOLD;
  let latest: StackFacts | undefined;
  let told = '';
  let areGpusTold = false;
  let reading: Reading | undefined;
  const load = followGpuLoad(connection, () => void tell(LOAD_CHANGED));

  /** The facts and verdicts by now, with the newest readings of the GPUs in them. */
  const current = async () => {
    const stack = await loadStack();
    if (!latest) return undefined;
    const facts = stack.withReadings(latest, load.readings);
    return { ...stack, facts, verdicts: [...stack.judgeStack(facts), ...(records.drift ? [records.drift] : [])] };
  };
  const tell = async (method: typeof STACK_CHANGED | typeof LOAD_CHANGED): Promise<void> => {
    const now = await current();
    if (!now) return;
    const { facts, verdicts, summarizeStack, describeLoad, stackTooltip } = now;
    const news: StackChanged = {
      ...summarizeStack(facts, verdicts),
      load: load.readings.length > 0 ? describeLoad(facts) : null,
      tooltip: stackTooltip(facts, verdicts, load.trouble),
    };
    const text = JSON.stringify(news);
    // Where the facts have changed, the read-out may have, even if this has not.
    if (method === LOAD_CHANGED && text === told) return;
    told = text;
    void connection.sendNotification(method, news);
  };
  const read = async (signal: AbortSignal, anew: boolean, isWhole: () => void): Promise<void> => {
    const { thisMachine, readStack, runtimeCache } = await loadStack();
    const { interpreter, kernel, folders, trusted } = scope;
    const begun = performance.now();
    const before = anew ? undefined : latest;
    const take = (facts: StackFacts) => {
      if (signal.aborted) return;
      tellPython(facts);
      latest = before && isPending(facts.gpus) ? withGpusOf(before, facts) : facts;
      if (!everyFactButRuntime(facts).some(isPending)) {
        isWhole();
        // A workspace that is not trusted is not asked for its Python, which the file is mostly about.
        records.useFacts(facts, trusted ? folders[0] : undefined);
      }
      load.useFacts(facts);
      void tell(STACK_CHANGED);
      const { torch, keras } = facts.frameworks;
      if (isPending(torch) || isPending(keras)) return;
      // While it is read again, what was known of the GPUs counts.
      if (areGpusTold && isPending(facts.gpus)) return;
      areGpusTold = !isPending(facts.gpus);
      tellRules(knowledgeFrom(facts));
    };
    const log = (sentence: string) => connection.console.info(sentence);
    const machine = loggedMachine(thisMachine(), log);
    let isPythonTold = false;
    const tellPython = ({ interpreter: python }: StackFacts) => {
      if (isPythonTold || isPending(python)) return;
      isPythonTold = true;
      log(pythonSentence(python, scope));
    };
    await readStack({
      machine,
      interpreter,
      kernel: trusted ? kernel : undefined,
      folders: trusted ? [...folders] : [],
      // One that the user has named is looked at; any other is not the workspace's.
      withoutEnvironment: trusted || interpreter ? undefined : 'workspace not trusted',
      runtime: { refusal: () => (trusted ? undefined : NOT_TRUSTED), cache: runtimeCache(machine), anew },
      signal,
      onFacts: take,
    });
    if (!signal.aborted) log(`The stack was read in ${(performance.now() - begun).toFixed(0)} ms.`);
  };
  /** Anew: also what was kept of an earlier reading is asked for again. */
  const start = (anew = false): Reading => {
    reading?.controller.abort();
    load.retry();
    const controller = new AbortController();
    let isWhole = () => {};
    const files = new Promise<void>((resolve) => {
      isWhole = resolve;
    });
    const wholeWithRuntime = read(controller.signal, anew, isWhole).catch((error) =>
      connection.console.error(`The GPU stack could not be read: ${String(error)}.`),
    );
    reading = { controller, whole: Promise.race([files, wholeWithRuntime]), wholeWithRuntime };
    return reading;
  };
  /** The facts and verdicts, read first where the client has never asked for the stack. */
  const shown = async () => {
    if (!latest) await (reading ?? start()).whole;
    const now = await current();
    if (!now)
      throw new ResponseError(LSPErrorCodes.RequestFailed, 'The GPU stack could not be read; the log says why.');
    return now;
  };

  connection.onNotification(WATCH_STACK, (wanted: StackScope) => {
    scope = wanted;
    start();
  });
  connection.onRequest(REFRESH_STACK, async () => {
    await start(true).wholeWithRuntime;
    return null;
  });
  connection.onRequest(STACK_DOCUMENT, async () => {
    const { facts, verdicts, stackMarkdown } = await shown();
    return stackMarkdown(facts, verdicts);
  });
  connection.onRequest(SHAREABLE_STACK, async () => {
    const { facts, shareable, thisMachine, judgeStack, stackMarkdown } = await shown();
    const shared = shareable(facts, thisMachine());
    return stackMarkdown(shared, judgeStack(shared));
  });
  connection.onRequest(RECORD_STACK, async ({ text }: RecordRequest): Promise<RecordAnswer> => {
    const facts = await known('whole');
    if (!facts)
      throw new ResponseError(LSPErrorCodes.RequestFailed, 'The GPU stack could not be read; the log says why.');
    const [{ recordStack }, { rewriteRecord, writeRecord }] = await Promise.all([
      import('../stack/record/recordStack.ts'),
      import('../stack/record/recordText.ts'),
    ]);
    const record = recordStack(facts);
    const { judgeStack } = await loadStack();
    const troubles = judgeStack(facts)
      .filter(({ severity }) => severity !== 'information')
      .map(({ finding }) => finding);
    const kept = text === undefined ? undefined : rewriteRecord(text, record);
    return { text: kept ?? writeRecord(record), replaces: text !== undefined && kept === undefined, troubles };
  });
  connection.onRequest(FIND_INTERPRETERS, async (): Promise<FoundInterpreters> => {
    const [{ findInterpreters }, { thisMachine }] = await Promise.all([
      import('../stack/readers/findInterpreters.ts'),
      import('../stack/machine/machine.ts'),
    ]);
    const interpreters = await findInterpreters(thisMachine(), scope.trusted ? scope.folders : []);
    return { interpreters, inUse: (latest && knownValue(latest.interpreter)?.path) ?? null };
  });
  connection.onRequest(STACK_MENU, async () => {
    const { facts, verdicts, summarizeStack } = await shown();
    return stackMenu(summarizeStack(facts, verdicts).text, verdicts);
  });

  const known = async (part: 'whole' | 'wholeWithRuntime'): Promise<StackFacts | undefined> => {
    const under = reading;
    await (under ?? start())[part];
    // Another reading may have taken its place meanwhile.
    return under === undefined || under === reading ? latest : known(part);
  };
  return {
    latest: () => latest,
    whole: () => known('whole'),
    wholeWithRuntime: () => known('wholeWithRuntime'),
    isTrusted: () => scope.trusted,
    tell: () => void tell(STACK_CHANGED),
  };
}

const NOT_TRUSTED = 'the workspace is not trusted, so no Python was started';

/** Which Python was chosen, and why. */
function pythonSentence(python: Fact<Interpreter>, { folders, selectedBy }: StackScope): string {
  const where = folders[0] === undefined ? 'no folder' : folders[0];
  if (isUnknown(python)) return `Python for ${where}: none, ${python.unknown}.`;
  if (isPending(python)) return `Python for ${where}: not known yet.`;
  const { path, version, chosenBy } = python.value;
  const why = chosenBy === 'selected' && selectedBy !== undefined ? selectedBy : chosenBy;
  return `Python for ${where}: ${path}, ${version ?? 'of unknown version'}, chosen by: ${why}.`;
}

/** Another Python, as with the notebook that comes in front, does not make another machine. */
function withGpusOf({ gpus, driver, driverCuda }: StackFacts, facts: StackFacts): StackFacts {
  return { ...facts, gpus, driver, driverCuda };
}

/** Loaded when first wanted: most sessions of other editors never ask. */
const loadStack = () => import('../stack/index.ts');
