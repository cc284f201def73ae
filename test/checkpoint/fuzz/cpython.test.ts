/**
 * Our readers beside Python's own, over damaged and random streams: what CPython imports or calls, ours has seen or says
 * that it did not check.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createBudget } from '../../../server/src/checkpoint/budget.ts';
import { inMemory } from '../../../server/src/checkpoint/bytes.ts';
import { interpretPickle, type Pickle } from '../../../server/src/checkpoint/pickle/interpret.ts';
import { importedBy } from '../../../server/src/checkpoint/pickle/python2.ts';
import { nameOf } from '../../../server/src/checkpoint/pickle/symbols.ts';
import { SEED, share } from '../../fuzz/amount.ts';
import { type Event, type Kind, startJudge, type Unpickled } from './judge.ts';
import { damaged, type Random, randomNumbers } from './mutations.ts';
import { randomStream } from './streams.ts';

const fixtures = join(import.meta.dirname, '../fixtures');
/** Streams that are judged at once. */
const BATCH = 500;
/** A stream is longer than this only if it is made of nothing but numbers and texts. */
const LONGEST = 20_000;

/** Judges streams; each disagreement is a sentence. */
function compare<T>(
  kind: Kind,
  what: string,
  cases: number,
  make: (random: Random) => Buffer,
  disagreement: (stream: Buffer, judged: T) => Promise<string | undefined>,
): void {
  test(`${cases} ${what}, beside Python's own reader`, async (t) => {
    const judge = startJudge(kind);
    if (!judge) return t.skip(`No Python here has ${kind}.`);
    t.after(judge.stop);
    const found: string[] = [];
    let count = 0;
    for (let first = 0; first < cases; first += BATCH) {
      const numbers = Array.from({ length: Math.min(BATCH, cases - first) }, (_, index) => first + index);
      const streams = numbers.map((number) => make(randomNumbers(SEED * 1_000_003 + number)));
      const answers = await judge.ask<T>(kind, streams);
      for (const [index, stream] of streams.entries()) {
        const wrong = await disagreement(stream, answers[index] as T);
        if (wrong === undefined) continue;
        count++;
        if (found.length < 20)
          found.push(`${numbers[index]}: ${wrong}\n  ${JSON.stringify(stream.toString('latin1').slice(0, 2000))}`);
      }
    }
    assert.equal(count, 0, `seed ${SEED}, ${count} disagreements\n${found.join('\n')}`);
  });
}

const small = globSync('{pickles,functions,others}/*.{pkl,pickle,p,pt,bin}', { cwd: fixtures })
  .sort()
  .map((file) => readFileSync(join(fixtures, file)))
  .filter(({ length }) => length < LONGEST);

interface BothUnpicklers {
  readonly c: Unpickled;
  readonly python: Unpickled;
}

/** What our reader saw, in the judge's form; the same name is imported once. */
function eventsOf({ globals, calls }: Pickle) {
  return {
    imports: [...globals.keys()],
    calls: calls.map(({ callee, args }) => `${(nameOf(callee) ?? '?').replaceAll('\0', '?')} ${args.length}`),
  };
}

/** What an unpickler did, up to what Python's import refuses. */
function happened(events: readonly Event[]) {
  const refused = events.findIndex(([kind, module]) => kind === 'import' && (module === '' || module.includes('\0')));
  const done = refused < 0 ? events : events.slice(0, refused);
  const imported = done.flatMap(([kind, module, name]) => (kind === 'import' ? [{ module, name }] : []));
  const fullName = ({ module, name }: { module: string; name: string }) => `${module}.${name}`;
  return {
    imports: [...new Set(imported.map(fullName))],
    /** As they are in the stream, and as Python 3 calls them. */
    spellings: imported.map((each) => [fullName(each), fullName(importedBy(each.module, each.name, 0))]),
    calls: done.flatMap(([kind, name, count]) => (kind === 'call' ? [`${name} ${count}`] : [])),
    isRefused: refused >= 0,
  };
}

function isPrefix(some: readonly string[], all: readonly string[]): boolean {
  return some.length <= all.length && some.every((each, index) => each === all[index]);
}

async function disagreementOn(stream: Buffer, { c, python }: BothUnpicklers): Promise<string | undefined> {
  const ours = await interpretPickle(inMemory(stream), 0, createBudget());
  // Said not to be checked.
  if ((ours.trouble !== undefined && !ours.fails) || ours.doubts.size > 0) return undefined;
  const seen = eventsOf(ours);
  for (const [name, { end, events }] of Object.entries({ c, python })) {
    const { imports, spellings, calls, isRefused } = happened(events);
    const isStop = end === 'stop' && !isRefused;
    if (isStop && ours.trouble !== undefined)
      return `${name} reads it to its end, and ours says that it ${ours.trouble}`;
    // The judge does not translate the names of Python 2 for the unpickler in C.
    if (name === 'python') {
      if (!isPrefix(imports, seen.imports)) return `${name} imports ${imports}, and ours ${seen.imports}`;
      if (!isPrefix(calls, seen.calls)) return `${name} calls ${calls}, and ours ${seen.calls}`;
      if (isStop && imports.length !== seen.imports.length) return `${name} imports less: ${imports}, ${seen.imports}`;
    } else {
      const other = spellings.find((names) => !names.some((each) => seen.imports.includes(each)));
      if (other) return `${name} imports ${other[0]}, and ours ${seen.imports}`;
    }
    if (calls.length > seen.calls.length || (isStop && calls.length !== seen.calls.length))
      return `${name} calls ${calls}, and ours ${seen.calls}`;
  }
  return undefined;
}

compare<BothUnpicklers>('pickle', 'random pickles', share(100_000), randomStream, disagreementOn);
compare<BothUnpicklers>(
  'pickle',
  'damaged pickles',
  share(50_000),
  (random) => damaged(small[random(small.length)] as Buffer, random, small),
  disagreementOn,
);
compare<BothUnpicklers>(
  'pickle',
  'damaged random pickles',
  share(50_000),
  (random) => {
    const others = Array.from({ length: 3 }, () => randomStream(random));
    return damaged(others[0] as Buffer, random, others);
  },
  disagreementOn,
);
