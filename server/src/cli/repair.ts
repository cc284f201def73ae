import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { shownPath } from '../files/paths.ts';
import { describeSystemError, Trouble } from '../files/trouble.ts';
import { printable, printableJson } from '../printable.ts';
import { applyRepair, undoRepair, versionsOf } from '../repair/appliedRepair.ts';
import type { RepairPlace } from '../repair/place.ts';
import { type Tried, tryRemedies } from '../repair/rounds.ts';
import { judgeProblems, type StackProblem, testStack } from '../repair/stackTest.ts';
import { explainedFailure, type Failure } from '../repair/trials.ts';
import { repairJson, repairText } from '../report/repair.ts';
import { knownValue } from '../stack/facts/facts.ts';
import { cacheFolder } from '../stack/machine/cacheFolder.ts';
import { thisMachine } from '../stack/machine/machine.ts';
import { FAILED, FOUND } from './exitStatus.ts';
import { explainHere, factsHere } from './explainHere.ts';
import { benchIn, type RepairRequest, say } from './repairBench.ts';
import { pythonOf, statusOf, watchProgram } from './run.ts';
import { writeError } from './standardError.ts';
import { readArguments, UsageError } from './usage.ts';

/** `gpu-doctor repair`: tries the remedies of a failing program, or of the stack, in a copy of the environment. */
export async function repair(args: readonly string[]): Promise<number> {
  const end = args.indexOf('--');
  const read = readArguments('repair', end < 0 ? args : args.slice(0, end));
  if (!read) return 0;
  const { values, positionals } = read;
  const command = [...positionals, ...(end < 0 ? [] : args.slice(end + 1))];
  if (values.undo) return undo();
  if (command.length > 0 && values.python !== undefined)
    throw new UsageError('`--python` is for a repair without a program: a program shows its own Python');
  const seconds = Number(values.time);
  if (!(seconds > 0 && seconds <= MAX_SECONDS))
    throw new UsageError(`\`--time ${values.time}\` is not a number of seconds up to ${MAX_SECONDS}`);
  if (!values.yes && !(await agrees(command.length > 0 ? RUNS_AGAIN : RUNS_FRAMEWORKS))) return FOUND;
  const stop = new AbortController();
  const onInterrupt = () => stop.abort(new Trouble('was stopped; nothing is left behind'));
  process.once('SIGINT', onInterrupt);
  const home = await copiesFolder();
  const asJson = values['output-format'] === 'json';
  try {
    return await repairing({ command, seconds, home, stop: stop.signal, asJson, ...values });
  } catch (error) {
    const { path = 'the copy', code } = error as NodeJS.ErrnoException;
    if (!(error instanceof Trouble) && code === undefined) throw error;
    const clause = error instanceof Trouble ? error.message : `failed: ${path} ${describeSystemError(error)}`;
    writeError(`gpu-doctor: the repair ${clause}\n`);
    return FOUND;
  } finally {
    process.off('SIGINT', onInterrupt);
    if (!values.keep) await rm(home, { recursive: true, force: true });
  }
}

/** A day. Timers of Node end at once if they are longer than 24 days. */
const MAX_SECONDS = 86_400;

const RUNS_AGAIN = 'The program runs again after each remedy, in copies of its environment. Start?';
const RUNS_FRAMEWORKS = 'The installed frameworks run after each remedy, in copies of their environment. Start?';

interface RepairOptions extends RepairRequest {
  readonly python?: string | undefined;
  readonly apply: boolean;
}

async function repairing(options: RepairOptions): Promise<number> {
  const { command, stop, apply, asJson } = options;
  const failed = command.length > 0 ? await failedProgram(options) : await failedStack(options);
  if (failed === undefined) return 0;
  const { first, original, problems } = failed;
  say(`It failed: ${printable(first.message)}`);
  if (first.trials.length === 0)
    throw new Trouble('has nothing to try: no remedy installs packages, sets a variable or edits a script');
  const bench = benchIn(original, { ...options, seconds: options.seconds + 2 * failed.seconds }, problems);
  const tried: Tried[] = [];
  const report = (each: Tried) => {
    tried.push(each);
    bench.report(each);
  };
  const outcome = await tryRemedies(original, first, { ...bench, report });
  stop.throwIfAborted();
  const { sitePackages } = original.interpreter;
  const works = outcome.ended === 'works';
  const before = await versionsOf(sitePackages);
  const after = works ? await versionsOf(outcome.place.interpreter.sitePackages) : before;
  const isWritten = works && outcome.steps.some(({ calls, edit }) => calls.length > 0 || edit !== null);
  const isApplied = isWritten && apply;
  if (isApplied) await applyRepair(outcome, original, recordFolder(original.project));
  const result = { outcome, tried, before, after, isApplied };
  process.stdout.write(asJson ? `${printableJson(repairJson(result), 2)}\n` : repairText(result));
  if (!works) return FOUND;
  if (outcome.steps.some(({ variables }) => Object.keys(variables).length > 0))
    say('`--apply` sets no variable. Run its line before the program, or add it to the profile of your shell');
  if (isApplied) say('Applied. To undo it, run `gpu-doctor repair --undo` here');
  else if (isWritten) say('Nothing was changed yet. `--apply` does this');
  return 0;
}

interface Failed {
  readonly first: Failure;
  readonly original: RepairPlace;
  /** The stack's, if no program was run. */
  readonly problems: readonly StackProblem[];
  /** Until it failed: a copy that runs for a shorter time proves nothing. */
  readonly seconds: number;
}

/** Runs the program, and returns its failure; undefined without one. */
async function failedProgram({ command, stop, asJson }: RepairOptions): Promise<Failed | undefined> {
  say('Running the program');
  const start = performance.now();
  const { printed, ...ended } = await watchProgram(command, { toStandardError: asJson });
  stop.throwIfAborted();
  if (ended.trouble !== undefined) throw new Trouble(`stopped: ${command[0]} ${ended.trouble}`);
  if (statusOf(ended) === 0) {
    say('The program ended without an error: nothing to repair');
    return undefined;
  }
  const seconds = (performance.now() - start) / 1000;
  const paste = await printed();
  const facts = await factsHere(pythonOf(command[0] ?? '', paste.text));
  const { explanations, unknown } = await explainHere(paste, async () => facts);
  return {
    first: explainedFailure(explanations, unknown, process.cwd()),
    original: placeOf(facts),
    problems: [],
    seconds,
  };
}

/** Tests the stack of a Python, and returns its first problem that can be repaired; undefined without a problem. */
async function failedStack({ python, stop }: RepairOptions): Promise<Failed | undefined> {
  const original = placeOf(await factsHere(python));
  say(`Testing the stack of ${shownPath(original.interpreter.path)}`);
  const problems = await testStack(original.interpreter.path, stop);
  stop.throwIfAborted();
  const check = judgeProblems(problems, new Set(problems.map(({ id }) => id)), 0);
  if (check.ended === 'failed') return { first: check.failure, original, problems, seconds: 0 };
  say('No problem of the stack can be repaired by installing packages');
  return undefined;
}

function placeOf(facts: Awaited<ReturnType<typeof factsHere>>): RepairPlace {
  const interpreter = knownValue(facts.interpreter);
  if (!interpreter) throw new Trouble('needs the Python that ran, which was not found');
  const project = process.cwd();
  return {
    interpreter,
    copy: undefined,
    project,
    original: project,
    edited: new Map(),
    variables: {},
    folder: undefined,
  };
}

/** `gpu-doctor repair --undo`: brings back what the last repair changed that was applied in this folder. */
async function undo(): Promise<number> {
  try {
    const { environment, files } = await undoRepair(recordFolder(process.cwd()));
    const names = files.map(({ path }) => shownPath(path));
    say(`As before the repair: ${[...(environment ? [environment.packages] : []), ...names].join(', ')}`);
    return 0;
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    writeError(`gpu-doctor: this folder ${error.message}\n`);
    return FAILED;
  }
}

const ownFolder = () => join(cacheFolder(thisMachine()), 'gpu-doctor');

async function copiesFolder(): Promise<string> {
  const folder = join(ownFolder(), 'repairs');
  await mkdir(folder, { recursive: true });
  return mkdtemp(join(folder, 'repair-'));
}

function recordFolder(project: string): string {
  return join(ownFolder(), 'repaired', createHash('sha256').update(project).digest('hex').slice(0, 16));
}

/** Asks on the terminal; without one, the answer is no. */
async function agrees(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new UsageError('`repair` runs programs again, so without a terminal it needs `--yes`');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  return /^y/i.test(answer);
}
