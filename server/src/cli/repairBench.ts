/** The bench of a repair that copies, installs and runs for real. */
import { mkdir, rm, statfs } from 'node:fs/promises';
import { bytesText } from '../checkpoint/byteSizes.ts';
import { Trouble } from '../files/trouble.ts';
import { bytesOfCopy } from '../repair/copyFolder.ts';
import { downloadOf, install } from '../repair/installer.ts';
import { commandIn, copyPlace, editPlace, type RepairPlace, shellCommand } from '../repair/place.ts';
import type { Bench } from '../repair/rounds.ts';
import { judgeProblems, type StackProblem, testStack } from '../repair/stackTest.ts';
import { explainedFailure, type TrialResult } from '../repair/trials.ts';
import { downloadText, triedText } from '../report/repair.ts';
import { explainHere, factsHere } from './explainHere.ts';
import type { ProgramSurroundings } from './program.ts';
import { statusOf, watchProgram } from './run.ts';
import { writeError } from './standardError.ts';

export interface RepairRequest {
  /** Empty for a repair of the stack. */
  readonly command: readonly string[];
  readonly check?: string | undefined;
  readonly seconds: number;
  /** The folder for the copies. */
  readonly home: string;
  readonly stop: AbortSignal;
  /** True if the programs' output must not mix with ours. */
  readonly asJson: boolean;
}

/** Returns the bench for an original. `before` are the problems of its stack, if it is repaired without a program. */
export function benchIn(
  original: RepairPlace,
  request: RepairRequest,
  before: readonly StackProblem[],
): Bench<RepairPlace> {
  const { command, check, seconds, home, stop, asJson } = request;
  const run = async ({ copy, project, interpreter, variables }: RepairPlace): Promise<TrialResult> => {
    const limit = AbortSignal.timeout(Math.ceil(seconds * 1000));
    const start = performance.now();
    const inCopy = check === undefined ? commandIn(command, original.interpreter.path, copy) : shellCommand(check);
    const surroundings: ProgramSurroundings = {
      cwd: project,
      env: { ...copy?.variables, ...variables },
      signal: AbortSignal.any([limit, stop]),
      toStandardError: asJson,
    };
    say(`Running ${check ?? command.join(' ')}`);
    const { printed, ...ended } = await watchProgram(inCopy, surroundings);
    stop.throwIfAborted();
    const took = (performance.now() - start) / 1000;
    if (limit.aborted && ended.code === null) return { ended: 'running', seconds: took };
    if (statusOf(ended) === 0) return { ended: 'passed', seconds: took };
    const { explanations, unknown } = await explainHere(await printed(), () => factsHere(interpreter.path, variables));
    return { ended: 'failed', failure: explainedFailure(explanations, unknown, project) };
  };
  const test = async ({ interpreter, variables }: RepairPlace): Promise<TrialResult> => {
    say('Testing the stack');
    const start = performance.now();
    const problems = await testStack(interpreter.path, stop, variables);
    stop.throwIfAborted();
    const ids = new Set(before.map(({ id }) => id));
    return judgeProblems(problems, ids, (performance.now() - start) / 1000);
  };
  return {
    async copy(place, withEnvironment) {
      stop.throwIfAborted();
      if (withEnvironment) await sayCopy(place, home);
      return copyPlace(place, withEnvironment, home, stop);
    },
    async apply({ title, calls, variables, edit }, place) {
      say(title);
      try {
        for (const call of calls) {
          const download = await downloadOf(call, place.interpreter.path, stop);
          if (download) say(downloadText(download));
          await install(call, place.interpreter.path, stop);
        }
        const changed = { ...place, variables: { ...place.variables, ...variables } };
        return edit ? await editPlace(changed, edit) : changed;
      } catch (error) {
        stop.throwIfAborted();
        if (error instanceof Trouble) return error.message;
        throw error;
      }
    },
    check: command.length === 0 && check === undefined ? test : run,
    async remove({ folder }) {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
    report: (tried) => writeError(triedText(tried)),
  };
}

/** Announces a copy with its size, and stops if the disk is too small. */
async function sayCopy({ interpreter: { prefix, sitePackages } }: RepairPlace, home: string): Promise<void> {
  await mkdir(home, { recursive: true });
  const sizes = await Promise.all(sitePackages.map((folder) => bytesOfCopy(folder, home).catch(() => 0)));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  say(`Copying ${prefix}: ${bytesText(bytes)}`);
  const { bavail, bsize } = await statfs(home);
  if (bavail * bsize < bytes)
    throw new Trouble(`needs ${bytesText(bytes)} on the disk of ${home}, where ${bytesText(bavail * bsize)} are free`);
}

export function say(sentence: string): void {
  writeError(`── ${sentence.replace(/\.$/, '')}.\n`);
}
