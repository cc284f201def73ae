import { stat } from 'node:fs/promises';
import {
  type Fact,
  type FrameworkBuild,
  type FrameworkRuntime,
  type Interpreter,
  isPending,
  type KnownFact,
  knownValue,
  type RuntimeFramework,
  type StackFacts,
  type UnknownFact,
} from '../facts/facts.ts';
import type { Machine } from '../machine/machine.ts';
import { known, unknownFact } from '../readers/readFact.ts';
import { runProbe } from './probe.ts';
import { frameworkRuntime, parseAnswer, type RuntimeAnswer, runtimeOf, shortened } from './runtimeAnswer.ts';
import type { RuntimeCache } from './runtimeCache.ts';

/** Options for running frameworks to report about themselves. */
export interface RuntimeQuestions {
  /** The reason why this interpreter may not be run, as a sentence fragment; undefined if it may. */
  refusal(interpreter: Interpreter): string | undefined;
  /** The cache for answers. */
  cache?: RuntimeCache;
  /** True to run frameworks even if an answer is cached. */
  isRefresh?: boolean;
  /** Milliseconds per framework. */
  timeout?: number;
  /** Called when a framework's import starts, which takes seconds. */
  onAsk?(name: RuntimeFramework): void;
}

/** Milliseconds. The first import of TensorFlow from a slow disk takes more than ten seconds. */
const TIMEOUT = 30_000;

/** Frameworks that are imported at the same time: each takes a CPU core and up to a gigabyte. */
const AT_ONCE = 2;

/**
 * A framework's runtime fact before it is run: a framework that is not installed has none, and an installed one must be
 * imported, if requested and allowed.
 */
export function runtimeBefore(
  machine: Machine,
  interpreter: Fact<Interpreter>,
  build: Fact<FrameworkBuild | null>,
  questions: RuntimeQuestions | undefined,
): Fact<null> {
  if (!('value' in build)) return build;
  if (build.value === null) return known(machine, build.source, null);
  const python = knownValue(interpreter);
  const source = python?.path ?? 'the framework itself';
  const refusal = python && questions?.refusal(python);
  if (questions && refusal === undefined) return { pending: true, source };
  return refusal === undefined
    ? unknownFact(machine, source, 'notAsked', 'it was not imported')
    : unknownFact(machine, source, 'refused', refusal);
}

/**
 * Runs every framework whose runtime fact is pending, each in a separate process, so that a crash or hang of one does
 * not affect the others. `learn` receives each answer when it arrives; cached ones immediately.
 */
export async function askFrameworks(
  machine: Machine,
  facts: StackFacts,
  questions: RuntimeQuestions,
  learn: (name: RuntimeFramework, fact: KnownFact<FrameworkRuntime> | UnknownFact) => void,
  signal?: AbortSignal,
): Promise<void> {
  const python = knownValue(facts.interpreter);
  if (python === undefined) return;
  const names = (Object.keys(facts.runtime) as RuntimeFramework[]).filter((name) => isPending(facts.runtime[name]));
  const { cache } = questions;
  const waiting: { name: RuntimeFramework; key: unknown }[] = [];
  for (const name of names) {
    const key = cache && (await runtimeKey(machine, facts, name));
    const kept = questions.isRefresh ? undefined : await cache?.read(key, frameworkRuntime);
    if (kept) learn(name, kept);
    else waiting.push({ name, key });
  }
  const askWaiting = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { name, key } = next;
      questions.onAsk?.(name);
      const fact = await ask(machine, python, name, knownValue(facts.frameworks[name]), questions.timeout, signal);
      learn(name, fact);
      if ('value' in fact && isToBeKept(fact.value, facts)) await cache?.write(key, fact);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askWaiting));
}

/**
 * GPU problems are often fixed soon, by changes that do not affect the key. An answer that no GPU is usable, on a
 * machine without one, remains true until there is a driver.
 */
function isToBeKept({ failure, devices }: FrameworkRuntime, { driver, gpus }: StackFacts): boolean {
  if (failure === null) return true;
  const hasNvidia = knownValue(driver) !== undefined || Boolean(knownValue(gpus)?.length);
  return devices.length === 0 && !hasNvidia;
}

async function ask(
  machine: Machine,
  { path: python }: Interpreter,
  framework: RuntimeFramework,
  build: FrameworkBuild | null | undefined,
  timeout = TIMEOUT,
  signal?: AbortSignal,
): Promise<KnownFact<FrameworkRuntime> | UnknownFact> {
  const source = `${framework}, imported by ${python}`;
  let answer: RuntimeAnswer | undefined;
  const task = { python, task: 'ask', framework, timeout, signal } as const;
  const { trouble, stderr } = await runProbe(machine, task, (message) => {
    answer = parseAnswer(message);
    return answer !== undefined;
  });
  if (trouble) return unknownFact(machine, source, trouble.cause, trouble.reason);
  if (!answer || !build) return unknownFact(machine, source, 'unreadable', 'Python did not respond');
  if ('failure' in answer)
    return unknownFact(machine, source, 'failed', `${framework} could not be queried: ${shortened(answer.failure)}`);
  return known(machine, source, runtimeOf(answer.found, build.target, stderr));
}

/** Incremented when older answers would be misread. */
const FORMAT = 1;

/**
 * Everything that a framework's answer depends on, as far as files show it: the interpreter and its packages with their
 * modification times, the GPUs with their driver, and the relevant variables.
 */
async function runtimeKey(machine: Machine, facts: StackFacts, framework: RuntimeFramework): Promise<unknown> {
  const { join } = machine.path;
  const python = knownValue(facts.interpreter);
  const build = facts.frameworks[framework];
  const gpus = knownValue(facts.gpus)?.map(({ uuid, name, computeCapability, mig }) => [
    uuid,
    name,
    computeCapability,
    mig,
  ]);
  // Installing or removing a package renames its metadata folder, which changes the parent folder.
  const folders = python ? [python.path, join(python.prefix, 'conda-meta'), ...python.sitePackages] : [];
  const changed = await Promise.all([...folders, 'value' in build ? build.source : ''].map(lastChange));
  const stack = [
    knownValue(facts.os),
    knownValue(facts.driver),
    gpus,
    knownValue(facts.otherAccelerators),
    knownValue(facts.driverLibraries),
    knownValue(facts.deviceFiles),
    knownValue(facts.variables),
  ];
  return [FORMAT, framework, python?.path, folders, changed, knownValue(build), stack];
}

/** Milliseconds; null if it does not exist. */
async function lastChange(file: string): Promise<number | null> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  );
}
