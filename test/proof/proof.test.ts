/**
 * The proof by running: programs that fail, or take a whole GPU, under real PyTorch and real Keras without a GPU run
 * after `gpu-doctor check --fix`, and do where there are GPUs what they did. See README.md beside this file.
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
  restate,
  runAll,
  type Stage,
  setUp,
  startRunners,
  type Turn,
} from './stage.ts';
import { withChoice } from './variants.ts';

const places = FRAMEWORKS.map((name) => path.join(import.meta.dirname, 'programs', name));
const programs = [...FRAMEWORKS.flatMap((name, n) => programsIn(places[n] ?? '', name)), ...stories];

/** As many GPUs as any of the programs was written for. */
const AT_HOME = 4;

/** The numbers of GPUs with which programs are run as written and as fixed, to do the same. */
const GPUS = [1, 2, AT_HOME];

/** The places, counted from 0, of the fixes that a person may take instead of the first. */
const CHOICES = [1, 2];

suite('Proof by running', { skip: process.platform === 'win32' && 'programs are started by fork' }, () => {
  let runners: Runners | undefined;
  let stage: Stage;
  let runOf: (program: Turn['program'], round: Round) => Run;
  const written = (gpus: number): Round => ({ state: stage.written, gpus });
  const fixed = (gpus: number): Round => ({ state: stage.fixed, gpus });
  const textOf = (state: string, { folder, name }: Turn['program']) => readFile(path.join(state, folder, name), 'utf8');

  let choices: readonly Choice[];
  let offered: Choice;
  before(async () => {
    runners = startRunners(await ensurePython());
    stage = await setUp([...places, path.join(root, 'examples')], runners);
    const rounds = [0, ...GPUS].flatMap((gpus) => [written(gpus), fixed(gpus)]);
    const rewritings = CHOICES.map((n) =>
      restate(stage.written, `choice ${n}`, programs, (file) => withChoice(file, n)),
    );
    choices = await Promise.all(rewritings);
    const toBeOffered = programs.filter(({ expects }) => expects.offered);
    offered = await restate(stage.fixed, 'offered', toBeOffered, (file) => withChoice(file, 0));
    const turns = [...turnsOf(programs, rounds), ...choices.flatMap(turnsOfChoice), ...turnsOfOffered(offered)];
    runOf = await runAll(turns, runners);
    runners.end();
  });
  after(() => {
    runners?.end();
    return stage?.remove();
  });

  const ranToItsEnd = async (program: Program, round: Round) => {
    const { error, output } = runOf(program, round);
    assert.equal(error, null, `${output}\n--- the program ---\n${await textOf(round.state, program)}`);
  };

  for (const program of programs) {
    const { name, folder, framework, expects } = program;
    const title = `${folder}/${name}`;

    test(`${title} ${expects.kind} as written`, async () => {
      const { error, memory } = runOf(program, written(0));
      if (expects.kind === 'fails')
        assert.ok(error?.startsWith(expects.what), `not with ${expects.what}, but ${error}`);
      else await ranToItsEnd(program, written(0));
      assert.equal(memory?.taken ?? false, expects.kind === 'takes', 'whether all memory of the GPU is taken');
    });

    const isLeft = expects.stays !== undefined || expects.offered !== undefined;

    test(`${title} ${isLeft ? 'stays as it is' : 'runs'} after the fixes`, async () => {
      const { error, memory } = runOf(program, fixed(0));
      if (isLeft) {
        // A reason that holds no longer is not to be listed; and what is written is sound all the same.
        assert.ok(error !== null || memory?.taken, 'It runs after the fixes');
        assert.doesNotMatch(error ?? '', MISTAKE);
      } else {
        await ranToItsEnd(program, fixed(0));
        assert.equal(memory?.taken ?? false, false, 'All memory of the GPU is taken');
      }
    });

    test(`${title} is fixed at once${expects.kind === 'runs' ? ', which is nothing' : ''}`, async () => {
      const text = await textOf(stage.fixed, program);
      assert.equal(await textOf(stage.fixedTwice, program), text);
      if (expects.kind === 'runs') assert.equal(text, await textOf(stage.written, program));
    });

    if (expects.offered)
      test(`${title} runs after the fixes that are offered`, async () => {
        for (const gpus of [0, ...GPUS]) await ranToItsEnd(program, { state: offered.state, gpus });
      });

    if (framework !== 'torch' || expects.stays) continue;
    test(`${title} does with GPUs what it did`, async () => {
      await ranToItsEnd(program, written(AT_HOME));
      for (const gpus of GPUS) {
        const before = runOf(program, written(gpus));
        if (before.error !== null && isLeft) continue;
        await ranToItsEnd(program, fixed(gpus));
        if (before.error !== null) continue;
        const after = runOf(program, fixed(gpus));
        assert.equal(untimed(after.output), untimed(before.output));
        if (expects.moves) assert.notDeepEqual(after.devices, before.devices);
        else assert.deepEqual(after.devices, before.devices, 'the devices that calculated');
      }
    });
  }

  // What is only offered leaves a decision to the person who takes it, so that nothing says on which machine a program
  // runs after it; but what it writes is bound and called rightly.
  for (const [index, n] of CHOICES.entries())
    test(`The fixes that are offered at place ${n + 1} make no new mistake`, async () => {
      const turns = turnsOfChoice(choices[index] as Choice);
      for (const { program, round } of turns) {
        const { error, output } = runOf(program, round);
        const text = await textOf(round.state, program);
        assert.doesNotMatch(error ?? '', MISTAKE, `${output}\n--- the program ---\n${text}`);
      }
      assert.ok(turns.length > 0);
    });
});

/** Each program in each round; a Keras program on a machine without GPUs alone, since they are not pretended for it. */
function turnsOf(programs: readonly Program[], rounds: readonly Round[]): Turn[] {
  return programs.flatMap((program) =>
    rounds.filter(({ gpus }) => gpus === 0 || program.framework === 'torch').map((round) => ({ program, round })),
  );
}

function turnsOfChoice({ state, rewritten }: Choice): Turn[] {
  return turnsOf(
    rewritten,
    [0, AT_HOME].map((gpus) => ({ state, gpus })),
  );
}

const turnsOfOffered = ({ state, rewritten }: Choice): Turn[] =>
  turnsOf(
    rewritten,
    [0, ...GPUS].map((gpus) => ({ state, gpus })),
  );

const MISTAKE = /^(?:Syntax|Indentation|Name|UnboundLocal)Error|multiple values for|unexpected keyword/;

/** An output without what differs from run to run. */
function untimed(output: string): string {
  return output.replace(/\d+\.\d+ s\b/g, '- s');
}
