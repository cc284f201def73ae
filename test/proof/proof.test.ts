/**
 * The proof: programs that fail without a GPU under real PyTorch and Keras, or take all of a GPU's memory, run after
 * `gpu-doctor check --fix`, and behave as before on machines with GPUs. See README.md in this folder.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import { ensurePython } from '../../scripts/python.ts';
import { root } from '../../scripts/root.ts';
import { FRAMEWORKS, type Program, programsIn, stories } from './programs.ts';
import {
  type Choice,
  type Round,
  type Run,
  type Runners,
  rewriteState,
  runAll,
  type Stage,
  setUp,
  startRunners,
  type Turn,
} from './stage.ts';
import { withChoice } from './variants.ts';

const places = FRAMEWORKS.map((name) => path.join(import.meta.dirname, 'programs', name));
const programs = [...FRAMEWORKS.flatMap((name, n) => programsIn(places[n] ?? '', name)), ...stories];

/** Number of GPUs for which the most demanding program was written. */
const MOST_GPUS = 4;

/** Numbers of GPUs with which original and fixed programs must behave the same. */
const GPUS = [1, 2, MOST_GPUS];

/** Indices of the alternative fixes that the user may choose instead of the first (index 0). */
const CHOICES = [1, 2];

suite('the proof', { skip: process.platform === 'win32' && 'programs are started by fork' }, () => {
  let runners: Runners | undefined;
  let stage: Stage;
  let runOf: (program: Turn['program'], round: Round) => Run;
  const original = (gpus: number): Round => ({ state: stage.original, gpus });
  const fixed = (gpus: number): Round => ({ state: stage.fixed, gpus });
  const textOf = (state: string, { folder, name }: Turn['program']) => readFile(path.join(state, folder, name), 'utf8');

  let choices: readonly Choice[];
  let offered: Choice;
  before(async () => {
    runners = startRunners(await ensurePython());
    stage = await setUp([...places, path.join(root, 'examples')], runners);
    const rounds = [0, ...GPUS].flatMap((gpus) => [original(gpus), fixed(gpus)]);
    const rewritings = CHOICES.map((n) =>
      rewriteState(stage.original, `choice ${n}`, programs, (file) => withChoice(file, n)),
    );
    choices = await Promise.all(rewritings);
    const withChoices = programs.filter(({ expects }) => expects.needsChoice);
    offered = await rewriteState(stage.fixed, 'offered', withChoices, (file) => withChoice(file, 0));
    const turns = [...turnsOf(programs, rounds), ...choices.flatMap(turnsOfChoice), ...turnsOfOffered(offered)];
    runOf = await runAll(turns, runners);
    runners.end();
  });
  after(() => {
    runners?.end();
    return stage?.remove();
  });

  const assertFinished = async (program: Program, round: Round) => {
    const { error, output } = runOf(program, round);
    assert.equal(error, null, `${output}\n--- the program ---\n${await textOf(round.state, program)}`);
  };

  for (const program of programs) {
    const { name, folder, framework, expects } = program;
    const title = `${folder}/${name}`;

    test(`${title} ${expects.kind} in its original form`, async () => {
      const { error, memory } = runOf(program, original(0));
      if (expects.kind === 'fails')
        assert.ok(error?.startsWith(expects.what), `not with ${expects.what}, but ${error}`);
      else await assertFinished(program, original(0));
      assert.equal(memory?.taken ?? false, expects.kind === 'takes', 'whether all memory of the GPU is taken');
    });

    const stillFails = expects.failsAfterFixes !== undefined || expects.needsChoice !== undefined;

    test(`${title} ${stillFails ? 'still fails' : 'runs'} after the fixes`, async () => {
      const { error, memory } = runOf(program, fixed(0));
      if (stillFails) {
        // A reason that no longer applies must be removed; and the fixed program must still be sound.
        assert.ok(error !== null || memory?.taken, 'It runs after the fixes');
        assert.doesNotMatch(error ?? '', MISTAKE);
      } else {
        await assertFinished(program, fixed(0));
        assert.equal(memory?.taken ?? false, false, 'All memory of the GPU is taken');
      }
    });

    test(`${title} is fixed at once${expects.kind === 'runs' ? ', which is nothing' : ''}`, async () => {
      const text = await textOf(stage.fixed, program);
      assert.equal(await textOf(stage.fixedTwice, program), text);
      if (expects.kind === 'runs') assert.equal(text, await textOf(stage.original, program));
    });

    if (expects.needsChoice)
      test(`${title} runs after the offered fixes`, async () => {
        for (const gpus of [0, ...GPUS]) await assertFinished(program, { state: offered.state, gpus });
      });

    if (framework !== 'torch' || expects.failsAfterFixes) continue;
    test(`${title} behaves as before with GPUs`, async () => {
      await assertFinished(program, original(MOST_GPUS));
      for (const gpus of GPUS) {
        const before = runOf(program, original(gpus));
        if (before.error !== null && stillFails) continue;
        await assertFinished(program, fixed(gpus));
        if (before.error !== null) continue;
        const after = runOf(program, fixed(gpus));
        assert.equal(withoutDurations(after.output), withoutDurations(before.output));
        if (expects.changesDevices) assert.notDeepEqual(after.devices, before.devices);
        else assert.deepEqual(after.devices, before.devices, 'the devices that calculated');
      }
    });
  }

  // An offered fix leaves a decision to the user, so the program may still fail on some machines. But all its names
  // must be bound, and its calls must have valid arguments.
  for (const [index, n] of CHOICES.entries())
    test(`fix number ${n + 1} of each finding introduces no error`, async () => {
      const turns = turnsOfChoice(choices[index] as Choice);
      for (const { program, round } of turns) {
        const { error, output } = runOf(program, round);
        const text = await textOf(round.state, program);
        assert.doesNotMatch(error ?? '', MISTAKE, `${output}\n--- the program ---\n${text}`);
      }
      assert.ok(turns.length > 0);
    });
});

/** Each program in each round; Keras programs only without GPUs, which are not simulated for Keras. */
function turnsOf(programs: readonly Program[], rounds: readonly Round[]): Turn[] {
  return programs.flatMap((program) =>
    rounds.filter(({ gpus }) => gpus === 0 || program.framework === 'torch').map((round) => ({ program, round })),
  );
}

function turnsOfChoice({ state, rewritten }: Choice): Turn[] {
  return turnsOf(
    rewritten,
    [0, MOST_GPUS].map((gpus) => ({ state, gpus })),
  );
}

const turnsOfOffered = ({ state, rewritten }: Choice): Turn[] =>
  turnsOf(
    rewritten,
    [0, ...GPUS].map((gpus) => ({ state, gpus })),
  );

const MISTAKE = /^(?:Syntax|Indentation|Name|UnboundLocal)Error|multiple values for|unexpected keyword/;

/** An output without its durations, which vary between runs. */
function withoutDurations(output: string): string {
  return output.replace(/\d+\.\d+ s\b/g, '- s');
}
