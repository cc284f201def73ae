import {
  type Fact,
  type FrameworkBuild,
  type FrameworkRuntime,
  type Interpreter,
  isPending,
  type Known,
  knownValue,
  type RuntimeFramework,
  type StackFacts,
  type Unknown,
} from '../facts/facts.ts';
import type { Machine } from '../machine/machine.ts';
import { known, unknown } from '../readers/readFact.ts';
import { runProbe } from './probe.ts';
import { frameworkRuntime, parseAnswer, type RuntimeAnswer, runtimeOf, shortened } from './runtimeAnswer.ts';
import type { RuntimeCache } from './runtimeCache.ts';
import { runtimeKey } from './runtimeKey.ts';

export type RuntimeFacts = StackFacts['runtime'];

/** How frameworks are to be asked what only they can say. */
export interface RuntimeQuestions {
  /** Why this interpreter may not be started, as a sentence fragment; undefined where it may. */
  refusal(interpreter: Interpreter): string | undefined;
  /** Where answers are kept. */
  cache?: RuntimeCache;
  /** Whether frameworks are asked even where an answer is kept. */
  anew?: boolean;
  /** Milliseconds that a framework has. */
  timeout?: number;
  /** Called when a framework begins to be imported, which takes seconds. */
  onAsk?(name: RuntimeFramework): void;
}

/** Milliseconds. Importing TensorFlow from a slow disk for the first time takes more than ten seconds. */
const TIMEOUT = 30_000;

/** Frameworks that are imported at a time: each takes a processor and up to a gigabyte. */
const AT_ONCE = 2;

/**
 * What is known of a framework's own answer before it is asked: a framework that is not installed has nothing to say,
 * and one that is has to be imported, where that is wanted and allowed.
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
    ? unknown(machine, source, 'notAsked', 'it was not imported')
    : unknown(machine, source, 'refused', refusal);
}

/**
 * Asks every framework whose answer is pending, each in a process of its own, so that a crash or a hang of one says
 * nothing of the others. `learn` gets each answer when it is there; a kept one comes at once.
 */
export async function askFrameworks(
  machine: Machine,
  facts: StackFacts,
  questions: RuntimeQuestions,
  learn: (name: RuntimeFramework, fact: Known<FrameworkRuntime> | Unknown) => void,
  signal?: AbortSignal,
): Promise<void> {
  const python = knownValue(facts.interpreter);
  if (python === undefined) return;
  const names = (Object.keys(facts.runtime) as RuntimeFramework[]).filter((name) => isPending(facts.runtime[name]));
  const { cache } = questions;
  const waiting: { name: RuntimeFramework; key: unknown }[] = [];
  for (const name of names) {
    const key = cache && (await runtimeKey(machine, facts, name));
    const kept = questions.anew ? undefined : await cache?.read(key, frameworkRuntime);
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
 * What goes wrong with a GPU is likely to be mended soon, often by something that leaves no trace in the key. That no
 * GPU can be used where none is, is how it is until there is a driver.
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
): Promise<Known<FrameworkRuntime> | Unknown> {
  const source = `${framework}, imported by ${python}`;
  let answer: RuntimeAnswer | undefined;
  const task = { python, task: 'ask', framework, timeout, signal } as const;
  const { trouble, stderr } = await runProbe(machine, task, (message) => {
    answer = parseAnswer(message);
    return answer !== undefined;
  });
  if (trouble) return unknown(machine, source, trouble.cause, trouble.reason);
  if (!answer || !build) return unknown(machine, source, 'unreadable', 'Python did not answer the question');
  if ('failure' in answer)
    return unknown(machine, source, 'failed', `${framework} could not be asked: ${shortened(answer.failure)}`);
  return known(machine, source, runtimeOf(answer.found, build.target, stderr));
}
