import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { execa } from 'execa';
import { isBelow, shownPath } from '../files/paths.ts';
import { describeSystemError, Trouble } from '../files/trouble.ts';
import { printable } from '../printable.ts';
import { type ChangedEnvironment, keepBefore, undoRepair, writeRecord } from '../repair/appliedRepair.ts';
import { copyEnvironment, type EnvironmentCopy } from '../repair/environmentCopy.ts';
import { programOf } from '../repair/installerCalls.ts';
import { type EditedFiles, editedText, overlayProject } from '../repair/overlay.ts';
import { type Bench, type Outcome, tryRemedies } from '../repair/rounds.ts';
import { type Check, failureOf } from '../repair/trials.ts';
import { triedText, unrepairedText, worksText } from '../report/repair.ts';
import { type Interpreter, knownValue } from '../stack/facts/facts.ts';
import { cacheFolder } from '../stack/machine/cacheFolder.ts';
import { thisMachine } from '../stack/machine/machine.ts';
import { nativeProgram } from '../stack/machine/started.ts';
import { readInstalledPackages } from '../stack/readers/sitePackages.ts';
import { FAILED, FOUND } from './exitStatus.ts';
import { explainHere, factsHere } from './explainHere.ts';
import { pythonOf, statusOf, watchProgram } from './run.ts';
import { writeError } from './standardError.ts';
import { readArguments, UsageError } from './usage.ts';

/** A project and its environment, original or copied. */
interface Place {
  readonly interpreter: Interpreter;
  readonly copy: EnvironmentCopy | undefined;
  readonly project: string;
  readonly edited: EditedFiles;
  /** The folder that holds the copies; undefined for the original. */
  readonly folder: string | undefined;
}

/** `gpu-doctor repair`: tries the remedies of a failing program in a copy of its environment. */
export async function repair(args: readonly string[]): Promise<number> {
  const end = args.indexOf('--');
  const read = readArguments('repair', end < 0 ? args : args.slice(0, end));
  if (!read) return 0;
  const { values, positionals } = read;
  const command = [...positionals, ...(end < 0 ? [] : args.slice(end + 1))];
  if (values.undo) return undo();
  if (command.length === 0) throw new UsageError('`repair` needs a command: see `gpu-doctor repair --help`');
  const seconds = Number(values.time);
  if (!(seconds > 0 && seconds <= MAX_SECONDS))
    throw new UsageError(`\`--time ${values.time}\` is not a number of seconds up to ${MAX_SECONDS}`);
  if (!values.yes && !(await agrees(RUNS_AGAIN))) return FOUND;
  const stop = new AbortController();
  const onInterrupt = () => stop.abort(new Trouble('was stopped; nothing is left behind'));
  process.once('SIGINT', onInterrupt);
  const home = await copiesFolder();
  try {
    return await repairing({ command, seconds, home, stop: stop.signal, ...values });
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

interface RepairRequest {
  readonly command: readonly string[];
  readonly check?: string | undefined;
  readonly seconds: number;
  readonly home: string;
  readonly stop: AbortSignal;
  readonly apply: boolean;
}

async function repairing(request: RepairRequest): Promise<number> {
  const { command, home, stop, apply } = request;
  say('Running the program');
  const { printed, ...ended } = await watchProgram(command);
  stop.throwIfAborted();
  if (ended.trouble !== undefined) throw new Trouble(`stopped: ${command[0]} ${ended.trouble}`);
  if (statusOf(ended) === 0) {
    say('The program ended without an error: nothing to repair');
    return 0;
  }
  const paste = await printed();
  const facts = await factsHere(pythonOf(command[0] ?? '', paste.text));
  const interpreter = knownValue(facts.interpreter);
  if (!interpreter) throw new Trouble('needs the Python that ran, which was not found');
  const { explanations, unknown } = await explainHere(paste, async () => facts);
  const first = failureOf(explanations, unknown, process.cwd());
  say(`It failed: ${printable(first.message)}`);
  if (first.trials.length === 0) throw new Trouble('has nothing to try: no remedy installs packages or edits a script');
  const original: Place = {
    interpreter,
    copy: undefined,
    project: process.cwd(),
    edited: new Map(),
    folder: undefined,
  };
  const outcome = await tryRemedies(original, first, benchIn(home, original, request));
  stop.throwIfAborted();
  if (outcome.ended !== 'works') {
    process.stdout.write(unrepairedText(outcome));
    return FOUND;
  }
  const [before, after] = [
    await versionsOf(interpreter.sitePackages),
    await versionsOf(outcome.place.interpreter.sitePackages),
  ];
  process.stdout.write(worksText(outcome, before, after));
  if (apply) await applying(outcome, original, before);
  say(
    apply ? 'Applied. To undo it, run `gpu-doctor repair --undo` here' : 'Nothing was changed yet. `--apply` does this',
  );
  return 0;
}

/** Copies and runs for real. */
function benchIn(home: string, original: Place, { command, check, seconds, stop }: RepairRequest): Bench<Place> {
  return {
    async copy(place, withEnvironment) {
      stop.throwIfAborted();
      const folder = await mkdtemp(join(home, 'copy-'));
      const environment = withEnvironment ? await copyOf(place.interpreter, folder, stop) : {};
      const copied: Place = { ...place, ...environment, folder };
      return copied.edited.size > 0 ? withEdited(copied, copied.edited) : copied;
    },
    async apply({ title, calls, edit }, place) {
      say(title);
      try {
        for (const call of calls) await install(programOf(call, place.interpreter.path), stop);
        if (!edit) return place;
        const { filename, edits } = edit;
        const text = place.edited.get(filename) ?? (await readFile(join(original.project, filename), 'utf8'));
        return withEdited(place, new Map([...place.edited, [filename, editedText(text, edits)]]));
      } catch (error) {
        stop.throwIfAborted();
        if (error instanceof Trouble) return error.message;
        throw error;
      }
    },
    async check({ copy, project, interpreter }): Promise<Check> {
      const limit = AbortSignal.timeout(seconds * 1000);
      const start = performance.now();
      const inCopy = check === undefined ? commandIn(command, original, copy) : shellCommand(check);
      const surroundings = { cwd: project, env: copy?.variables ?? {}, signal: AbortSignal.any([limit, stop]) };
      say(`Running ${check ?? command.join(' ')}`);
      const { printed, ...ended } = await watchProgram(inCopy, surroundings);
      stop.throwIfAborted();
      const took = (performance.now() - start) / 1000;
      if (limit.aborted && ended.code === null) return { ended: 'running', seconds: took };
      if (statusOf(ended) === 0) return { ended: 'passed', seconds: took };
      const { explanations, unknown } = await explainHere(await printed(), () => factsHere(interpreter.path));
      return { ended: 'failed', failure: failureOf(explanations, unknown, project) };
    },
    async remove({ folder }) {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
    report: (tried) => writeError(triedText(tried)),
  };
}

async function copyOf(
  original: Interpreter,
  folder: string,
  stop: AbortSignal,
): Promise<Pick<Place, 'interpreter' | 'copy'>> {
  say(`Copying ${original.prefix}`);
  const prefix = join(folder, 'environment');
  const copy = await copyEnvironment(original, prefix, stop);
  const environment = original.environment === 'conda' ? 'conda' : 'venv';
  const { python, packages } = copy;
  return { copy, interpreter: { ...original, path: python, prefix, environment, sitePackages: [packages] } };
}

/** A place whose project has other texts in some files. */
async function withEdited(place: Place, edited: EditedFiles): Promise<Place> {
  const project = await mkdtemp(join(place.folder ?? '', 'project-'));
  await overlayProject(process.cwd(), edited, project);
  return { ...place, project, edited };
}

/** The command, with its Python or its script replaced by the copy's. */
function commandIn(command: readonly string[], original: Place, copy: EnvironmentCopy | undefined): readonly string[] {
  const [program = '', ...rest] = command;
  if (!copy) return command;
  const isOwn = /[\\/]/.test(program) && dirname(resolve(program)) === dirname(original.interpreter.path);
  const own = join(copy.scripts, basename(program));
  if (isOwn) return [existsSync(own) ? own : copy.python, ...rest];
  return /^python[\d.]*$/.test(program) ? [copy.python, ...rest] : command;
}

/** A command as the user writes it in a terminal. */
function shellCommand(command: string): readonly string[] {
  return process.platform === 'win32' ? ['cmd', '/d', '/s', '/c', command] : ['/bin/sh', '-c', command];
}

/** @throws Trouble if the installer fails. */
async function install([program = '', ...args]: readonly string[], stop: AbortSignal): Promise<void> {
  const { exitCode, all, code } = await execa(nativeProgram(program), args, {
    reject: false,
    stdin: 'ignore',
    all: true,
    cancelSignal: stop,
  });
  stop.throwIfAborted();
  if (code === 'ENOENT') throw new Trouble(`needs ${basename(program)}, which is not on PATH`);
  if (exitCode !== 0) throw new Trouble(`cannot be done: ${all?.trim().split('\n').at(-1) ?? 'the installer failed'}`);
}

/** Does the steps that worked in a copy to the original, after keeping what is needed to undo them. */
async function applying(
  { steps, place }: Extract<Outcome<Place>, { ended: 'works' }>,
  { interpreter, project }: Place,
  before: Versions,
): Promise<void> {
  const calls = steps.flatMap((step) => step.calls);
  const environment = calls.length > 0 ? await changedEnvironment(interpreter, before) : null;
  const paths = [...place.edited.keys()].map((name) => join(project, name));
  const files = await Promise.all(paths.map(async (path) => ({ path, text: await readFile(path, 'utf8') })));
  const folder = recordFolder(project);
  await keepBefore(folder, { version: 1, environment, files });
  try {
    for (const call of calls) await install(programOf(call, interpreter.path), new AbortController().signal);
    for (const [name, text] of place.edited) await writeFile(join(project, name), text);
  } catch (error) {
    await undoRepair(folder, versionsIn);
    throw error;
  }
  if (environment) {
    const after = await versionsIn(environment.packages);
    await writeRecord(folder, { version: 1, environment: { ...environment, after }, files });
  }
}

/** @throws Trouble for a Python that its system manages. */
async function changedEnvironment(
  { path, prefix, environment, sitePackages }: Interpreter,
  before: Versions,
): Promise<ChangedEnvironment> {
  const packages = sitePackages.find((folder) => isBelow(folder, prefix));
  if (packages === undefined || environment === 'system')
    throw new Trouble('is not applied, because this Python belongs to the system: use the command above');
  const scripts = dirname(path);
  return { python: path, packages, scripts, programs: await readdir(scripts), before, after: null };
}

/** `gpu-doctor repair --undo`: brings back what the last repair changed that was applied in this folder. */
async function undo(): Promise<number> {
  try {
    const { environment, files } = await undoRepair(recordFolder(process.cwd()), versionsIn);
    const names = files.map(({ path }) => shownPath(path));
    say(`As before the repair: ${[...(environment ? [environment.packages] : []), ...names].join(', ')}`);
    return 0;
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    writeError(`gpu-doctor: this folder ${error.message}\n`);
    return FAILED;
  }
}

const versionsIn = (folder: string) => versionsOf([folder]);

type Versions = Readonly<Record<string, string>>;

/** The versions of the packages in folders, by name. */
async function versionsOf(folders: readonly string[]): Promise<Versions> {
  const installed = await readInstalledPackages(thisMachine(), [...folders]);
  return Object.fromEntries([...installed].map(([name, { version }]) => [name, version]));
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

function say(sentence: string): void {
  writeError(`── ${sentence}.\n`);
}

/** Asks on the terminal; without one, the answer is no. */
async function agrees(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new UsageError('`repair` runs the program again, so without a terminal it needs `--yes`');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  return /^y/i.test(answer);
}
