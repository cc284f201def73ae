import type { RemoteConsole } from 'vscode-languageserver';
import { selectorText } from '../diagnosis/readout/stackOwner.ts';
import type { StackScope } from '../protocol.ts';
import {
  everyFactButRuntime,
  type Fact,
  type Interpreter,
  isPending,
  isUnknown,
  type StackFacts,
} from '../stack/facts/facts.ts';
import type { Machine } from '../stack/machine/machine.ts';

/** One pass over the stack. The promises never reject: failures are logged. */
interface StackReading {
  /** Resolves when everything is known except what frameworks report. */
  readonly whole: Promise<void>;
  /** Resolves when the frameworks have also reported, which takes some seconds the first time. */
  readonly wholeWithRuntime: Promise<void>;
}

interface StackReader {
  /** Returns what is currently known. */
  latest(): StackFacts | undefined;
  /** Returns where the client wants the stack to be read. */
  scope(): StackScope;
  /** Returns the current pass, or the last one. */
  reading(): StackReading | undefined;
  /** Begins a pass and cancels the previous one. With `isRefresh`, it also repeats what was kept from an earlier pass. */
  start(options?: { readonly scope?: StackScope; readonly isRefresh?: boolean }): StackReading;
}

/** Until a client says where to read and grants permission, nothing in a workspace is read or started. */
const NO_SCOPE: StackScope = { folders: [], trusted: false };

const NOT_TRUSTED = 'the workspace is not trusted, so no Python was started';

/** Reads this machine's stack in the background, one pass at a time. Calls `onFacts` whenever more is known. */
export function createStackReader(console: RemoteConsole, onFacts: (facts: StackFacts) => void): StackReader {
  let scope = NO_SCOPE;
  let latest: StackFacts | undefined;
  let current: (StackReading & { readonly controller: AbortController }) | undefined;

  const log = (sentence: string) => console.info(sentence);
  const read = async (signal: AbortSignal, isRefresh: boolean, isWhole: () => void): Promise<void> => {
    const { thisMachine, readStack, runtimeCache } = await import('../diagnosis/index.ts');
    const { interpreter, kernel, folders, trusted } = scope;
    const begun = performance.now();
    const before = isRefresh ? undefined : latest;
    let isPythonLogged = false;
    const machine = loggedMachine(thisMachine(), log);
    await readStack({
      machine,
      interpreter,
      kernel: trusted ? kernel : undefined,
      folders: trusted ? [...folders] : [],
      // An interpreter that the user named is read; any other belongs to the workspace.
      withoutEnvironment: trusted || interpreter ? undefined : 'Restricted Mode',
      runtime: { refusal: () => (trusted ? undefined : NOT_TRUSTED), cache: runtimeCache(machine), isRefresh },
      signal,
      onFacts: (facts) => {
        if (signal.aborted) return;
        if (!isPythonLogged && !isPending(facts.interpreter)) log(pythonSentence(facts.interpreter, scope));
        isPythonLogged ||= !isPending(facts.interpreter);
        latest = before && isPending(facts.gpus) ? withGpusOf(before, facts) : facts;
        if (!everyFactButRuntime(facts).some(isPending)) isWhole();
        onFacts(facts);
      },
    });
    if (!signal.aborted) log(`The stack was read in ${(performance.now() - begun).toFixed(0)} ms.`);
  };

  return {
    latest: () => latest,
    scope: () => scope,
    reading: () => current,
    start({ scope: wanted = scope, isRefresh = false } = {}) {
      scope = wanted;
      current?.controller.abort();
      const controller = new AbortController();
      let isWhole = () => {};
      const files = new Promise<void>((resolve) => {
        isWhole = resolve;
      });
      const wholeWithRuntime = read(controller.signal, isRefresh, isWhole).catch((error) =>
        console.error(`The GPU stack could not be read: ${String(error)}.`),
      );
      current = { controller, whole: Promise.race([files, wholeWithRuntime]), wholeWithRuntime };
      return current;
    },
  };
}

/** Returns which Python was selected, and why. */
function pythonSentence(python: Fact<Interpreter>, { folders, selectedBy }: StackScope): string {
  const where = folders[0] === undefined ? 'no folder' : folders[0];
  if (isUnknown(python)) return `Python for ${where}: none, ${python.unknown}.`;
  if (isPending(python)) return `Python for ${where}: not known yet.`;
  const { path, version } = python.value;
  return `Python for ${where}: ${path}, ${version ?? 'of unknown version'}, chosen by: ${selectorText(python.value, selectedBy)}.`;
}

/** A different Python, as for another notebook, does not change the GPUs. */
function withGpusOf({ gpus, driver, driverCuda }: StackFacts, facts: StackFacts): StackFacts {
  return { ...facts, gpus, driver, driverCuda };
}

/** Logs each program that is started, and how it ended. */
function loggedMachine(machine: Machine, log: (sentence: string) => void): Machine {
  return {
    ...machine,
    async run(program, args, options) {
      const start = performance.now();
      const result = await machine.run(program, args, options);
      const { exitCode, failure, signal } = result;
      const end = failure ?? (exitCode === null ? `ended by ${signal ?? 'a signal'}` : `exit status ${exitCode}`);
      // An argument can be long, such as the text of another program.
      const given = args.map((argument) => (argument.length > 80 ? '…' : argument)).join(' ');
      log(`Started ${program} ${given}: ${end} after ${(performance.now() - start).toFixed(0)} ms.`);
      return result;
    },
  };
}
