import { type Connection, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import type { Verdict } from '../diagnosis/diagnosis.ts';
import { LOAD_CHANGED, STACK_CHANGED, type StackChanged, type StackScope } from '../protocol.ts';
import type { Source } from '../python/semantic/source.ts';
import type { Knowledge } from '../rules/engine/contract.ts';
import { knowledgeFrom } from '../rules/queries/knowledge.ts';
import { everyFactButRuntime, isPending, type StackFacts } from '../stack/facts/facts.ts';
import { followGpuLoad } from './gpuLoad.ts';
import { followGpuUse } from './gpuUse.ts';
import { createStackReader } from './stackReader.ts';
import type { StackRecords } from './stackRecords.ts';

/** The facts, with the newest readings of the GPUs, and the diagnoses. */
interface JudgedStack {
  readonly facts: StackFacts;
  readonly verdicts: readonly Verdict[];
}

/** The server's knowledge of this machine's stack. */
export interface Stack {
  /** Returns what is currently known. */
  latest(): StackFacts | undefined;
  /**
   * Returns the facts once all have been read except those that frameworks report themselves; undefined if that failed.
   */
  whole(): Promise<StackFacts | undefined>;
  /** Returns the facts once the frameworks have also reported theirs, which takes some seconds the first time. */
  wholeWithRuntime(): Promise<StackFacts | undefined>;
  /** Returns what can be shown, after reading the stack if the client never requested it. Throws a `ResponseError`. */
  judged(): Promise<JudgedStack>;
  /** Returns where the client wants the stack to be read. */
  scope(): StackScope;
  /** Reads the stack where the client says. */
  watch(scope: StackScope): void;
  /** Looks at an open document: it may show that the workspace is about GPUs. */
  look(source: Source | undefined): void;
  /** Reads everything again, including results that are otherwise kept between starts. */
  refresh(): Promise<void>;
}

/** Reads the stack in the background once the client wants it, and passes the results to the client and the rules. */
export function followStack(
  connection: Connection,
  records: StackRecords,
  informRules: (known: Knowledge) => void,
): Stack {
  const gpuUse = followGpuUse(
    () => void notify(STACK_CHANGED),
    (error) => connection.console.error(`The workspace could not be searched for GPU packages: ${String(error)}.`),
  );
  let sent = '';
  let remedy = { of: '', line: '' };
  let knowsGpus = false;
  const load = followGpuLoad(connection, () => void notify(LOAD_CHANGED));
  const reader = createStackReader(connection.console, (facts) => {
    const { folders, trusted } = reader.scope();
    // In an untrusted workspace the Python is not read, although the record is mostly about it.
    if (!everyFactButRuntime(facts).some(isPending)) records.useFacts(facts, trusted ? folders[0] : undefined);
    load.useFacts(facts);
    void notify(STACK_CHANGED);
    const { torch, keras } = facts.frameworks;
    if (isPending(torch) || isPending(keras)) return;
    // While the stack is read again, the earlier facts about GPUs count.
    if (knowsGpus && isPending(facts.gpus)) return;
    knowsGpus = !isPending(facts.gpus);
    informRules(knowledgeFrom(facts));
  });

  const judgedByNow = async (): Promise<JudgedStack | undefined> => {
    const { withReadings, judgeStack } = await loadStack();
    const latest = reader.latest();
    if (!latest) return undefined;
    const facts = withReadings(latest, load.readings);
    return { facts, verdicts: [...judgeStack(facts), ...(records.drift ? [records.drift] : [])] };
  };
  const notify = async (method: typeof STACK_CHANGED | typeof LOAD_CHANGED): Promise<void> => {
    const now = await judgedByNow();
    if (!now) return;
    const { facts, verdicts } = now;
    const { summarizeStack, describeLoad, stackTooltip, remedyLine } = await loadStack();
    const diagnoses = verdicts.map(({ finding }) => finding).join('\n');
    if (remedy.of !== diagnoses) {
      remedy = { of: diagnoses, line: '' };
      // A remedy takes longer to find than everything else, so it follows.
      setImmediate(() => {
        if (remedy.of !== diagnoses) return;
        remedy = { of: diagnoses, line: remedyLine(verdicts) };
        if (remedy.line !== '') void notify(LOAD_CHANGED);
      });
    }
    const news: StackChanged = {
      ...summarizeStack(facts, verdicts),
      load: load.readings.length > 0 ? describeLoad(facts) : null,
      tooltip: stackTooltip(facts, verdicts, load.trouble, remedy.line),
      isRelevant: gpuUse.isKnown() || verdicts.some(concernsFramework),
    };
    const text = JSON.stringify(news);
    // If the facts changed, the read-out may have changed even if this text has not.
    if (method === LOAD_CHANGED && text === sent) return;
    sent = text;
    void connection.sendNotification(method, news);
  };
  const start = (options?: Parameters<typeof reader.start>[0]) => {
    load.retry();
    return reader.start(options);
  };
  const known = async (part: 'whole' | 'wholeWithRuntime'): Promise<StackFacts | undefined> => {
    const under = reader.reading();
    await (under ?? start())[part];
    // A newer reading may have replaced it meanwhile.
    return under === undefined || under === reader.reading() ? reader.latest() : known(part);
  };

  records.onDidChangeDrift(() => void notify(STACK_CHANGED));
  return {
    latest: reader.latest,
    whole: () => known('whole'),
    wholeWithRuntime: () => known('wholeWithRuntime'),
    async judged() {
      if (!reader.latest()) await (reader.reading() ?? start()).whole;
      return (await judgedByNow()) ?? failToRead();
    },
    scope: reader.scope,
    watch(scope) {
      void start({ scope }).whole.then(() => gpuUse.lookIn(scope.folders));
    },
    look: gpuUse.look,
    refresh: () => start({ isRefresh: true }).wholeWithRuntime,
  };
}

/** True for a problem of an installed framework. */
function concernsFramework({ severity, framework }: Verdict): boolean {
  return severity !== 'information' && framework !== undefined;
}

/** Throws the error for a client that requests a stack which could not be read. */
export function failToRead(): never {
  throw new ResponseError(LSPErrorCodes.RequestFailed, 'The GPU stack could not be read. See the log.');
}

/** Loaded on demand: most sessions of other editors never request it. */
export const loadStack = () => import('../diagnosis/index.ts');
