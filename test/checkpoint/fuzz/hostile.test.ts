/** Costly files are read within the budget of one inspection and reported in bounded output. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createBudget } from '../../../server/src/checkpoint/budget.ts';
import type { SafetyVerdict } from '../../../server/src/checkpoint/checkpoint.ts';
import { readCheckpoint } from '../../../server/src/checkpoint/read.ts';
import { Unreadable } from '../../../server/src/projectFile.ts';
import { checkpointText } from '../../../server/src/report/checkpoint.ts';
import { viewOf } from '../../../server/src/report/checkpointView.ts';
import { cutTo, MOST_CHARACTERS } from '../../../server/src/report/cut.ts';
import { HOSTILE, NEEDS_PIPES } from './hostileFiles.ts';

/** Milliseconds of CPU time, several times the cost of a budget's steps on a slow machine. */
const MOST_CPU_MS = 10_000;
/** Characters of a report, including its sentences and table frames. */
const MOST_OUTPUT = 1.3 * MOST_CHARACTERS;

/** Kinds that get a verdict, because the part read within the budget decides it; all others end without one. */
const JUDGED: Readonly<Record<string, SafetyVerdict>> = {
  'a chat template of openings': 'needs-trust',
  'a chat template of openings and minus signs': 'needs-trust',
  'a million texts of metadata': 'no-code',
  'a Keras configuration of lists': 'not-checked',
  'a SavedModel of fields': 'needs-trust',
  'a SavedModel with a pipe': 'needs-trust',
  'texts of escapes': 'refused',
  'texts of Unicode escapes': 'refused',
  'texts of backslashes': 'refused',
  'binary numbers': 'refused',
  'a checkpoint loaded 300 times': 'suspicious',
  'a checkpoint loaded 28,000 times': 'suspicious',
  'globals by the hundred thousand': 'needs-trust',
  'globals of long names': 'needs-trust',
  'tensors below long names': 'refused',
  '49,000 arrays in one file': 'no-code',
  'members by the ten thousand': 'weights-only',
  'HDF5 with 10,000 groups': 'no-code',
  'HDF5 with 10,000 datasets': 'no-code',
  'HDF5 with a wide configuration': 'no-code',
};

for (const [name, write] of Object.entries(HOSTILE)) {
  const skip = NEEDS_PIPES.has(name) && process.platform === 'win32';
  test(name, { skip, timeout: 120_000 }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'gpu-doctor-hostile-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const path = await write(folder);
    const before = process.cpuUsage();
    if (name === 'a pipe') {
      await assert.rejects(readCheckpoint(path), Unreadable);
      return;
    }
    const checkpoint = await readCheckpoint(path, createBudget());
    const view = viewOf(checkpoint);
    const text = checkpointText(path, checkpoint, (_, shown) => shown, { all: true, metadata: true });
    const json = JSON.stringify(cutTo(checkpoint, 'tensors', MOST_CHARACTERS).value, null, 2);
    const { user, system } = process.cpuUsage(before);
    assert.ok((user + system) / 1000 < MOST_CPU_MS, `${(user + system) / 1000} ms`);
    assert.ok(text.length < MOST_OUTPUT, `${text.length} characters of text`);
    assert.ok(json.length < MOST_OUTPUT, `${json.length} characters of JSON`);
    assert.ok(view.tensors.names.join('').length < 16 * MOST_CHARACTERS);
    assert.equal(checkpoint.safety.verdict, JUDGED[name] ?? 'not-checked', checkpoint.safety.reason);
  });
}
