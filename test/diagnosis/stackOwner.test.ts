/** The selector of the Python that the stack belongs to. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectorText } from '../../server/src/diagnosis/readout/stackOwner.ts';
import type { Interpreter } from '../../server/src/stack/facts/facts.ts';

const interpreter = (chosenBy: string) => ({ chosenBy }) as Interpreter;

test('names the selector of an interpreter', () => {
  assert.equal(selectorText(interpreter('selected'), 'kernel'), 'kernel of the notebook');
  assert.equal(selectorText(interpreter('selected'), 'pythonExtension'), 'selected in the Python extension');
  assert.equal(selectorText(interpreter('selected')), 'the setting gpuDoctor.interpreter');
  // A kernel that the notebook was saved with counts before what is selected.
  assert.equal(selectorText(interpreter('kernel "vision"'), 'pythonExtension'), 'kernel "vision" of the notebook');
  assert.equal(selectorText(interpreter('workspace folder')), 'environment in the workspace folder');
  assert.equal(selectorText(interpreter('CONDA_PREFIX')), 'activated environment (CONDA_PREFIX)');
});
