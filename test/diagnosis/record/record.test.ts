import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, it, test } from 'node:test';
import { parse } from 'yaml';
import { compareStacks } from '../../../server/src/diagnosis/record/compareStacks.ts';
import { readRecord, troubleOf } from '../../../server/src/diagnosis/record/readRecord.ts';
import { recordStack } from '../../../server/src/diagnosis/record/recordStack.ts';
import { rewriteRecord, writeRecord } from '../../../server/src/diagnosis/record/recordText.ts';
import { readStack } from '../../../server/src/stack/readStack.ts';
import { loadRecording, recordedMachine } from '../../stack/recordedMachine.ts';

const MACHINES = path.join(import.meta.dirname, '../../stack/machines');

async function factsOf(name: string) {
  const folder = path.join(MACHINES, name);
  const recording = await loadRecording(folder);
  return readStack({
    machine: recordedMachine(folder, recording),
    interpreter: recording.interpreter,
    folders: recording.folders ?? [],
  });
}

for (const name of readdirSync(MACHINES).sort()) {
  test(`the record of ${name} reads back unchanged and names nobody`, async () => {
    const facts = await factsOf(name);
    const record = recordStack(facts);
    const text = writeRecord(record);
    const { record: back, problems } = readRecord(text);
    assert.deepEqual(problems, []);
    assert.deepEqual(back, record);
    assert.deepEqual(compareStacks(record, recordStack(JSON.parse(JSON.stringify(facts))), true), []);
    assert.equal(rewriteRecord(text, record), text, 'recording again changes nothing');
    assert.doesNotMatch(text, /GPU-[0-9a-f]{8}|\/home\/|\/Users\/|C:\\/);
  });
}

describe('the text of a record', () => {
  const record = { format: '1' as const, driver: '550.54', python: '3.10', packages: { numpy: '1.26.4', is: '12.10' } };

  it('keeps versions from being parsed as numbers', () => {
    assert.deepEqual(parse(writeRecord(record)), {
      format: 1,
      driver: '550.54',
      python: '3.10',
      packages: { numpy: '1.26.4', is: '12.10' },
    });
  });

  it('keeps comments and order of a file that is recorded again', () => {
    const mine = '# ours\npackages:\n  numpy: 1.25.0 # pinned\n  gone: "1"\npython: 3.9 # old\nformat: 1\n';
    assert.equal(
      rewriteRecord(mine, record),
      '# ours\npackages:\n  numpy: 1.26.4 # pinned\n  is: "12.10"\npython: "3.10" # old\nformat: 1\ndriver: "550.54"\n',
    );
    assert.equal(rewriteRecord('', record), writeRecord(record));
    assert.equal(rewriteRecord('a: [', record), undefined);
    assert.equal(rewriteRecord('- a', record), undefined);
  });
});

describe('errors in the file', () => {
  const mistakes = (text: string) =>
    readRecord(text).problems.map(({ message, span }) => `${text.slice(span.start, span.end)}: ${message}`);

  it('are reported at their place', () => {
    assert.deepEqual(mistakes('format: 1\ndrvier: 550.54\n'), ['drvier: There is no `drvier`: did you mean `driver`?']);
    assert.deepEqual(mistakes('format: 1\nframeworks:\n  tortch: {version: 2.6}\n'), [
      'tortch: There is no `tortch` in `frameworks`: did you mean `torch`?',
    ]);
    assert.deepEqual(mistakes('format: 1\nframeworks: {torch: {buld: CPU, version: 2.6}}\n'), [
      'buld: There is no `buld` in `frameworks.torch`: did you mean `build`?',
    ]);
    assert.deepEqual(mistakes('format: 1\npackages: { "": 1 }\n'), ['"": A name in `packages` must not be empty.']);
    assert.deepEqual(mistakes('format: 1\ndriver: newest\n'), ['newest: `driver` must be a version, such as "2.6.0".']);
    assert.deepEqual(mistakes('format: 1\ngpus: 2\n'), ['2: `gpus` must be a list, not text.']);
    assert.deepEqual(mistakes('format: 1\ngpus:\n- count: 0\n  name: A\n'), [
      '0: `gpus[0].count` must be a whole number, 1 or greater.',
    ]);
    assert.deepEqual(mistakes('format: 1\nframeworks: {torch: {build: CUDA 12.4}}\n'), [
      '{build: CUDA 12.4}: `frameworks.torch` lacks `version`.',
    ]);
  });

  it('are reported for the whole file', () => {
    assert.match(mistakes('')[0] ?? '', /must be a mapping/);
    assert.match(mistakes('driver: 1\n')[0] ?? '', /gpu-stack\.yaml lacks `format: 1`\./);
    assert.match(mistakes('format: 2\n')[0] ?? '', /2: `format` must be 1: .*another version/);
    const broken = 'format: 1\ngpus: [\n';
    assert.match(troubleOf(broken, readRecord(broken).problems) ?? '', /^\d+:\d+: Not YAML: /);
  });

  it('never make reading fail, whatever has been typed so far', () => {
    const text = writeRecord({
      format: '1',
      gpus: [{ name: 'A', count: '2' }],
      frameworks: { torch: { version: '2.6.0' } },
    });
    for (let length = 0; length <= text.length; length++) readRecord(text.slice(0, length));
  });
});
