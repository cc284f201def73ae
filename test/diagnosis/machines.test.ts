import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { judgeStack } from '../../server/src/diagnosis/judgeStack.ts';
import { stackText } from '../../server/src/diagnosis/readout/readout.ts';
import { type StackState, summarizeStack } from '../../server/src/diagnosis/readout/summary.ts';
import { isComplete, type StackFacts } from '../../server/src/stack/facts/facts.ts';
import { readStack } from '../../server/src/stack/readStack.ts';
import { hasAnswers, loadRecording, recordedMachine } from '../stack/recordedMachine.ts';

/** `expected.yaml`, written by hand. UPDATE_READOUTS=1 rewrites `readout.txt` next to it. */
interface Expected {
  status: string;
  state: StackState;
  verdicts: string[];
  /** Values by dotted path into the facts; `cause` for unknown facts. */
  facts?: Record<string, unknown>;
}

const MACHINES = fileURLToPath(new URL('../stack/machines/', import.meta.url));

for (const name of readdirSync(MACHINES)) {
  test(`machine ${name}`, async () => {
    const folder = path.join(MACHINES, name);
    const recording = await loadRecording(folder);
    const expected: Expected = parse(await readFile(path.join(folder, 'expected.yaml'), 'utf8'));
    const machine = recordedMachine(folder, recording);
    const { interpreter, folders = [] } = recording;

    const states: StackState[] = [];
    const early = new Set<string>();
    const facts = await readStack({
      machine,
      interpreter,
      folders,
      runtime: hasAnswers(recording) ? { refusal: () => undefined } : undefined,
      onFacts: (soFar) => {
        const verdicts = judgeStack(soFar);
        for (const { id } of verdicts) early.add(id);
        states.push(summarizeStack(soFar, verdicts).state);
      },
    });
    const verdicts = judgeStack(facts);
    for (const { id } of verdicts) early.delete(id);
    assert.deepEqual([...early], [], 'shown while it is read, and taken back');
    const summary = summarizeStack(facts, verdicts);

    assert.deepEqual(
      { status: summary.text, state: summary.state, verdicts: verdicts.map(({ id }) => id) },
      { status: expected.status, state: expected.state, verdicts: expected.verdicts },
    );
    assert.ok(isComplete(facts));
    assert.equal(states[0], 'probing');
    assert.equal(states.at(-1), expected.state);
    for (const [dotted, value] of Object.entries(expected.facts ?? {})) {
      assert.deepEqual(factAt(facts, dotted), value, dotted);
    }

    const text = stackText(facts, verdicts);
    const readout = path.join(folder, 'readout.txt');
    if (process.env.UPDATE_READOUTS) await writeFile(readout, text);
    assert.equal(text, await readFile(readout, 'utf8'));
  });
}

/** Follows a path through the values of facts and returns a value, or the cause why it is unknown. */
function factAt(facts: StackFacts, dotted: string): unknown {
  let at: unknown = facts;
  for (const step of dotted.split('.')) at = (open(at) as Record<string, unknown> | undefined)?.[step];
  return open(at);
}

function open(at: unknown): unknown {
  if (typeof at !== 'object' || at === null) return at;
  if ('readAt' in at) return 'value' in at ? at.value : (at as unknown as { cause: unknown }).cause;
  return at;
}
