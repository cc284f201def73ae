/** GPU301: what another file of the program says about Keras decides the sentence and the fixes. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { parseProgram } from '../../server/src/guards/program.ts';
import { diskFiles } from '../../server/src/projectIndex/diskFiles.ts';
import { createProjectIndex } from '../../server/src/projectIndex/projectIndex.ts';
import { checkProgram } from '../../server/src/rules/engine/check.ts';
import { rules } from '../../server/src/rules/index.ts';
import { readSource } from './fixtures.ts';

function findingIn(folder: string, file: string) {
  const root = path.join(import.meta.dirname, 'GPU301', folder);
  const program = parseProgram(readSource(path.join(root, file), path.join(root, file)));
  const [first] = checkProgram(program, rules, {
    select: ['GPU301'],
    projectOf: createProjectIndex(diskFiles(root)).viewFor,
  });
  return {
    message: first?.message ?? '',
    written: (first?.fixes() ?? []).flatMap(({ edits }) => edits.map((edit) => edit.newText)).join(),
  };
}

test('TensorFlow 1 in another file: all GPUs, and no fix uses tf.config', () => {
  const { message, written } = findingIn('tensorflow1.project', 'show.py');
  assert.match(message, /memory of all GPUs/);
  assert.ok(!written.includes('tf.config'));
});

test('the backend torch in the file that runs this one: no TensorFlow at all', () => {
  const { message, written } = findingIn('torch_backend.project', 'score.py');
  assert.doesNotMatch(message + written, /tensorflow|tf\./i);
  assert.match(written, /torch/);
});
