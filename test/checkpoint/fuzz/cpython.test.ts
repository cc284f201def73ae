/**
 * Compares our readers with Python's own on damaged and random streams: every import and call that CPython makes must
 * be seen by our reader, or the file must be reported as not checked.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { createBudget } from '../../../server/src/checkpoint/budget.ts';
import { inMemory } from '../../../server/src/checkpoint/bytes.ts';
import { isTar, readTarMembers } from '../../../server/src/checkpoint/encodings/tar.ts';
import { readArchive } from '../../../server/src/checkpoint/encodings/zip.ts';
import { headerIn } from '../../../server/src/checkpoint/formats/numpy/numpy.ts';
import { interpretPickle, namesIn, type Pickle } from '../../../server/src/checkpoint/pickle/interpret.ts';
import { importedBy } from '../../../server/src/checkpoint/pickle/python2.ts';
import { importName } from '../../../server/src/checkpoint/pickle/symbols.ts';
import { readBytes } from '../../../server/src/checkpoint/read.ts';
import { isHarmless } from '../../../server/src/checkpoint/verdicts.ts';
import { SEED, share } from '../../fuzz/amount.ts';
import { tarWith, zipWith } from '../archiveWriter.ts';
import { randomNumpy, randomTar } from './archives.ts';
import { type Event, type Kind, startJudge, type Unpickled } from './judge.ts';
import { damaged, type Random, randomNumbers } from './mutations.ts';
import { randomStream } from './streams.ts';

const fixtures = join(import.meta.dirname, '../fixtures');
/** Streams per batch. */
const BATCH = 500;
/** Limits on reported differences and on the characters shown of a stream. */
const MOST_SHOWN = 20;
const LONGEST_SHOWN = 2000;
/** Only streams of nothing but numbers and texts are longer than this. */
const LONGEST = 20_000;

/**
 * Outcomes: both agree, ours did not check the stream, Python fails before anything can be compared, or they differ.
 */
type Outcome = 'same' | 'not checked' | 'refused' | { readonly difference: string };

/** Compares our reader with Python's on streams from a seed. */
function compare<T>(
  kind: Kind,
  what: string,
  cases: number,
  make: (random: Random) => Buffer,
  outcomeOf: (stream: Buffer, judged: T) => Promise<Outcome>,
): void {
  test(`${cases} ${what}, compared with Python's own reader`, async (t) => {
    const judge = startJudge(kind);
    if (!judge) return t.skip(`No Python here has ${kind}.`);
    t.after(judge.stop);
    const counts = { same: 0, 'not checked': 0, refused: 0, different: 0 };
    const found: string[] = [];
    for (let first = 0; first < cases; first += BATCH) {
      const numbers = Array.from({ length: Math.min(BATCH, cases - first) }, (_, index) => first + index);
      const streams = numbers.map((number) => make(randomNumbers(SEED * 1_000_003 + number)));
      const answers = await judge.ask<T>(kind, streams);
      for (const [index, stream] of streams.entries()) {
        const outcome = await outcomeOf(stream, answers[index] as T);
        counts[typeof outcome === 'string' ? outcome : 'different']++;
        if (typeof outcome === 'string' || found.length >= MOST_SHOWN) continue;
        const shown = JSON.stringify(stream.toString('latin1').slice(0, LONGEST_SHOWN));
        found.push(`${numbers[index]}: ${outcome.difference}\n  ${shown}`);
      }
    }
    t.diagnostic(JSON.stringify(counts));
    assert.equal(counts.different, 0, `seed ${SEED}\n${found.join('\n')}`);
    // A reader that checks nothing would never be wrong.
    assert.ok(counts.same > cases / 10, 'too few are read in the same way');
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

/** Returns the observations of our reader in the judge's form; a repeated name is imported once. */
function eventsOf({ globals, calls }: Pickle) {
  return {
    imports: namesIn({ globals }),
    calls: calls.map(({ callee, args }) => `${(importName(callee) ?? '?').replaceAll('\0', '?')} ${args.length}`),
  };
}

/** Returns the actions of an unpickler up to the first import that Python refuses. */
function actionsIn(events: readonly Event[]) {
  const refused = events.findIndex(([kind, module]) => kind === 'import' && (module === '' || module.includes('\0')));
  const done = refused < 0 ? events : events.slice(0, refused);
  const imported = done.flatMap(([kind, module, name]) => (kind === 'import' ? [{ module, name }] : []));
  const fullName = ({ module, name }: { module: string; name: string }) => `${module}.${name}`;
  return {
    imports: [...new Set(imported.map(fullName))],
    /** Names as in the stream and as Python 3 calls them. */
    spellings: imported.map((each) => [fullName(each), fullName(importedBy(each.module, each.name, 0))]),
    calls: done.flatMap(([kind, name, count]) => (kind === 'call' ? [`${name} ${count}`] : [])),
    isRefused: refused >= 0,
  };
}

function isPrefix(some: readonly string[], all: readonly string[]): boolean {
  return some.length <= all.length && some.every((each, index) => each === all[index]);
}

async function outcomeOfPickle(stream: Buffer, judged: BothUnpicklers): Promise<Outcome> {
  const ours = await interpretPickle(inMemory(stream), 0, createBudget());
  if ((ours.trouble !== undefined && !ours.fails) || ours.doubts.size > 0) return 'not checked';
  const seen = eventsOf(ours);
  for (const name of ['c', 'python'] as const) {
    const { end, events } = judged[name];
    const { imports, spellings, calls, isRefused } = actionsIn(events);
    const isStop = end === 'stop' && !isRefused;
    const differs = (what: string) => ({ difference: `${name} ${what}, and ours ${JSON.stringify(seen)}` });
    if (isStop && ours.trouble !== undefined) return differs(`reads it to its end, though it ${ours.trouble}`);
    // For the C unpickler, the judge does not translate Python 2 names.
    const isForeign = (names: readonly string[]) => !names.some((each) => seen.imports.includes(each));
    if (name === 'python' ? !isPrefix(imports, seen.imports) : spellings.some(isForeign))
      return differs(`imports ${imports}`);
    if (name === 'python' ? !isPrefix(calls, seen.calls) : calls.length > seen.calls.length)
      return differs(`calls ${calls}`);
    if (isStop && (calls.length !== seen.calls.length || (name === 'python' && imports.length !== seen.imports.length)))
      return differs(`imports and calls less: ${imports}; ${calls}`);
  }
  return 'same';
}

compare<BothUnpicklers>('pickle', 'random pickles', share(100_000), randomStream, outcomeOfPickle);
compare<BothUnpicklers>(
  'pickle',
  'damaged pickles',
  share(50_000),
  (random) => damaged(small[random(small.length)] as Buffer, random, small),
  outcomeOfPickle,
);
compare<BothUnpicklers>(
  'pickle',
  'damaged random pickles',
  share(50_000),
  (random) => {
    const others = Array.from({ length: 3 }, () => randomStream(random));
    return damaged(others[0] as Buffer, random, others);
  },
  outcomeOfPickle,
);

interface Listed {
  readonly error?: string;
  readonly members?: readonly (readonly [name: string, offset: number, size: number])[];
}

async function outcomeOfTar(stream: Buffer, { members: theirs = [] }: Listed): Promise<Outcome> {
  if (theirs.length === 0) return 'refused';
  if (!isTar(stream.subarray(0, 512)))
    return { difference: `Python finds ${JSON.stringify(theirs)}, and ours no archive` };
  const { members, doubts } = await readTarMembers(inMemory(stream));
  if (doubts.length > 0) return 'not checked';
  const ours = await Promise.all(
    [...members].map(async ([name, content]) => [name, await content.read(0, content.size)] as const),
  );
  const isSame =
    ours.length === theirs.length &&
    theirs.every(([name, offset, size], index) => {
      const [own, content] = ours[index] as (typeof ours)[number];
      return own === name && content.equals(stream.subarray(offset, offset + size));
    });
  return isSame
    ? 'same'
    : { difference: `Python finds ${JSON.stringify(theirs)}, and ours ${ours.map(([name]) => name)}` };
}

compare<Listed>('tar', 'random tar archives', share(50_000), randomTar, outcomeOfTar);

interface ArrayHeader {
  readonly error?: string;
  readonly shape: readonly number[];
  readonly bytes: number;
  readonly objects: boolean;
  readonly end: number;
}

async function outcomeOfArray(stream: Buffer, theirs: ArrayHeader): Promise<Outcome> {
  // If NumPy refuses a file, it reads no further.
  if (theirs.error !== undefined) return 'refused';
  const ours = await headerIn(inMemory(stream), createBudget());
  if (!ours) return 'not checked';
  const { tensor, hasObjects, end } = ours;
  const own = { shape: tensor.shape, bytes: hasObjects ? 0 : tensor.bytes, objects: hasObjects, end };
  return isDeepStrictEqual(own, theirs)
    ? 'same'
    : { difference: `NumPy reads ${JSON.stringify(theirs)}, and ours ${JSON.stringify(own)}` };
}

compare<ArrayHeader>('numpy', 'headers of arrays', share(50_000), randomNumpy, outcomeOfArray);

const torchFiles = globSync('{torch,recent}/*.{pt,pth,ckpt}', { cwd: fixtures })
  .sort()
  .filter((file) => !file.includes('script'))
  .map((file) => readFileSync(join(fixtures, file)));
const inZips = await Promise.all(torchFiles.filter((file) => file.toString('latin1', 0, 2) === 'PK').map(contentOfZip));
const [oldTar] = torchFiles.filter(isTar);
const inTar = await contentOfTar(oldTar as Buffer);
const legacies = torchFiles.filter((file) => file.toString('latin1', 0, 2) !== 'PK' && !isTar(file));

interface NamedContent {
  readonly name: string;
  readonly content: Buffer;
}

async function contentOfZip(file: Buffer): Promise<NamedContent[]> {
  const archive = await readArchive(inMemory(file), createBudget());
  assert.ok(typeof archive === 'object');
  return Promise.all(
    archive.members.map(async (member) => {
      const content = await archive.open(member);
      return { name: member.name, content: (await content?.read(0, content.size)) ?? Buffer.alloc(0) };
    }),
  );
}

async function contentOfTar(file: Buffer): Promise<NamedContent[]> {
  const { members } = await readTarMembers(inMemory(file));
  return Promise.all(
    [...members].map(async ([name, content]) => ({ name, content: await content.read(0, content.size) })),
  );
}

/** Returns a `torch.save` file in one of its forms, with one of its pickles damaged. */
function randomTorchFile(random: Random): Buffer {
  const changed = (members: readonly NamedContent[], isPickle: (name: string) => boolean) => {
    const pickles = members.filter(({ name }) => isPickle(name));
    const chosen = pickles[random(pickles.length)];
    return members.map((member) =>
      member === chosen ? { ...member, content: changedPickle(member.content, random) } : member,
    );
  };
  const form = random(4);
  if (form < 2)
    return zipWith(changed(inZips[random(inZips.length)] as NamedContent[], (name) => name.endsWith('/data.pkl')));
  if (form === 2) return changedPickle(legacies[random(legacies.length)] as Buffer, random);
  return tarWith(changed(inTar, (name) => name !== 'sys_info'));
}

/** Returns a pickle with damage or random instructions. */
function changedPickle(content: Buffer, random: Random): Buffer {
  if (random(2) === 0) return damaged(content, random, small);
  const at = random(content.length);
  return Buffer.concat([content.subarray(0, at), randomStream(random).subarray(0, -1), content.subarray(at)]);
}

async function outcomeOfLoader(stream: Buffer, { end, events }: Unpickled): Promise<Outcome> {
  if (events.length === 0 && end !== 'stop') return 'refused';
  const { safety, imports } = await readBytes(inMemory(stream));
  const names = new Set(imports.map(({ name }) => name));
  const unseen = actionsIn(events).spellings.find((spellings) => !spellings.some((name) => names.has(name)));
  if (unseen === undefined) return 'same';
  if (!isHarmless(safety)) return 'not checked';
  return { difference: `it imports ${unseen[0]}, and ours says ${safety.verdict}` };
}

compare<Unpickled>('torch', 'damaged files of PyTorch', share(10_000), randomTorchFile, outcomeOfLoader);

const joblibFiles = globSync('joblib/*.joblib', { cwd: fixtures })
  .sort()
  .map((file) => readFileSync(join(fixtures, file)))
  .filter((file) => file[0] === 0x80 || file[0] === 0x28 || file[0] === 0x63);
const SPELLINGS = ['d', 'f', '?', 'f4', 'i2', 'f16', 'b1', 'u1', 'S3', 'U2', 'c8'];

/** Returns a joblib file with another element type, random instructions or damage. */
function randomJoblib(random: Random): Buffer {
  const file = joblibFiles[random(joblibFiles.length)] as Buffer;
  if (random(3) > 0) return changedPickle(file, random);
  const spelling = SPELLINGS[random(SPELLINGS.length)] as string;
  const spelled = (opcode: string, bytes: number, value: string) =>
    `${opcode}${String.fromCharCode(value.length)}${'\0'.repeat(bytes - 1)}${value}`;
  let changed = file.toString('latin1');
  for (const [opcode, bytes] of [
    ['U', 1],
    ['\x8c', 1],
    ['X', 4],
  ] as const)
    for (const known of ['f8', 'f4', 'i8'])
      changed = changed.replaceAll(spelled(opcode, bytes, known), spelled(opcode, bytes, spelling));
  return Buffer.from(changed, 'latin1');
}

compare<Unpickled>('joblib', 'damaged files of joblib', share(20_000), randomJoblib, outcomeOfLoader);
