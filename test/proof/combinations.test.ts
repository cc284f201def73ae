/**
 * A safe fix is right at every later use of its value, with and without a GPU: each kind of fix meets each kind of use,
 * before and after the fixes, under real PyTorch on a machine without a GPU and on simulated ones.
 */
import assert from 'node:assert/strict';
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import { ensurePython } from '../../scripts/python.ts';
import { lint } from '../../server/src/lint/lint.ts';
import { script } from '../../server/src/python/semantic/source.ts';
import { combinations, companions } from './combinations.ts';
import { type Round, type Run, type Runners, runAll, type Stage, setUp, startRunners, type Turn } from './stage.ts';

const GPUS = [1, 2];
const PROGRAMS = path.join(import.meta.dirname, 'programs', 'torch');

/** Errors of a program in which a place without a safe fix still needs a GPU. */
const NEEDS_GPU = /no NVIDIA driver|not compiled with CUDA|CUDA-capable|torch\.cuda\.is_available\(\) is False/;

suite('safe fixes at every use of their value', { skip: process.platform === 'win32' && 'started by fork' }, () => {
  let runners: Runners | undefined;
  let home: string;
  let stage: Stage;
  let runOf: (program: Turn['program'], round: Round) => Run;
  const programOf = (name: string): Turn['program'] => ({ framework: 'torch', folder: 'torch', name });
  const textOf = (state: string, name: string) => readFile(path.join(state, 'torch', name), 'utf8');

  before(async () => {
    runners = startRunners(await ensurePython());
    home = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-uses-'));
    const folder = path.join(home, 'torch');
    await mkdir(folder);
    for (const name of ['networks.py', 'make_checkpoints.py'])
      await cp(path.join(PROGRAMS, name), path.join(folder, name));
    await appendFile(path.join(folder, 'make_checkpoints.py'), companions.appendedToCheckpoints);
    await writeFile(path.join(folder, 'faster_whisper.py'), companions['faster_whisper.py']);
    for (const { name, text } of combinations.values()) await writeFile(path.join(folder, name), text);
    stage = await setUp([folder], runners);
    const rounds = [stage.original, stage.fixed].flatMap((state) => [0, ...GPUS].map((gpus) => ({ state, gpus })));
    const turns = [...combinations.values()].flatMap(({ name }) =>
      rounds.map((round) => ({ program: programOf(name), round })),
    );
    runOf = await runAll(turns, runners);
  });
  after(async () => {
    runners?.end();
    await stage?.remove();
    await rm(home, { recursive: true, force: true });
  });

  let fixed = 0;
  for (const [title, { name, text }] of combinations)
    test(title, async () => {
      const after = await textOf(stage.fixed, name);
      if (after === text) return;
      fixed++;
      const program = programOf(name);
      const without = runOf(program, { state: stage.fixed, gpus: 0 });
      const isLeft = lint(script(name, after)).findings.some(({ severity }) => severity !== 'hint');
      if (!(isLeft && NEEDS_GPU.test(without.error ?? '')))
        assert.equal(without.error, null, `without a GPU: ${without.output}\n${after}`);
      for (const gpus of GPUS) {
        const original = runOf(program, { state: stage.original, gpus });
        if (original.error !== null) continue;
        const { error, output } = runOf(program, { state: stage.fixed, gpus });
        assert.equal(error, null, `with ${gpus} GPUs: ${output}\n${after}`);
        assert.equal(output, original.output);
      }
    });

  test('most programs have a safe fix', () =>
    assert.ok(fixed > combinations.size / 2, `${fixed} of ${combinations.size}`));
});
