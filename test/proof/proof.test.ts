/**
 * The proof by running: programs that fail, or take a whole GPU, under real PyTorch and real Keras without a GPU run
 * after `gpu-doctor check --fix`. See README.md beside this file.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import { ensurePython } from '../../scripts/python.ts';
import { root } from '../../scripts/root.ts';
import { type Program, programsIn, stories } from './programs.ts';
import { type Run, runAll, type Stage, setUp } from './stage.ts';

const folders = ['torch', 'keras'].map((name) => path.join(import.meta.dirname, 'programs', name));
const programs: readonly Program[] = [
  ...programsIn(folders[0] as string, 'torch'),
  ...programsIn(folders[1] as string, 'keras'),
  ...stories,
];

suite('Proof by running', { skip: process.platform === 'win32' && 'programs are started by fork' }, () => {
  let stage: Stage;
  let runOf: (program: Program, state: string) => Run;

  before(async () => {
    const pythons = await ensurePython();
    stage = await setUp([...folders, path.join(root, 'examples')], pythons);
    runOf = await runAll(programs, [stage.written, stage.fixed], pythons);
  });
  after(() => stage?.remove());

  const textOf = (state: string, { folder, name }: Program) => readFile(path.join(state, folder, name), 'utf8');

  for (const program of programs) {
    const { name, folder, expects } = program;

    test(`${folder}/${name} ${expects.stays ? 'stays as it is' : expects.kind}`, async () => {
      const [asWritten, asFixed] = [runOf(program, stage.written), runOf(program, stage.fixed)];
      const fixed = await textOf(stage.fixed, program);
      const about = `${asFixed.output}\n--- after the fixes ---\n${fixed}`;

      if (expects.kind === 'fails') {
        assert.ok(
          asWritten.error?.startsWith(expects.what),
          `It should fail with\n${expects.what}, not\n${asWritten.error}`,
        );
      } else {
        assert.equal(asWritten.error, null, asWritten.output);
        assert.equal(asWritten.memory?.taken ?? false, expects.kind === 'takes', 'all the memory of the GPU');
      }

      if (expects.kind === 'runs') assert.equal(fixed, await textOf(stage.written, program));
      if (expects.stays) {
        // A reason that holds no longer is not to be listed.
        assert.ok(asFixed.error !== null || asFixed.memory?.taken, 'It runs after the fixes');
        assert.doesNotMatch(asFixed.error ?? '', /^(?:Syntax|Indentation|Name|UnboundLocal)Error/, about);
      } else {
        assert.equal(asFixed.error, null, about);
        assert.equal(asFixed.memory?.taken ?? false, false, about);
      }
      assert.equal(await textOf(stage.fixedTwice, program), fixed, 'Fixing twice changes something more');
    });
  }
});
