import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readCheckpoint } from '../../server/src/checkpoint/read.ts';
import { judgeCheckpoint } from '../../server/src/loading/checkpointHere.ts';
import type { Here } from '../../server/src/loading/here.ts';
import { loadableOf } from '../../server/src/loading/outlook.ts';
import { newestScript } from '../../server/src/published/releases/torchFiles.ts';

const fixtures = join(import.meta.dirname, '../checkpoint/fixtures');

/** The result of each PyTorch for each file, loaded plainly and with `map_location="cpu"`. */
type Results = Readonly<
  Record<string, Readonly<Record<string, readonly [plain: string | null, onCpu: string | null]>>>
>;
const results: Results = JSON.parse(readFileSync(join(fixtures, 'forms.json'), 'utf8'));

/** An old torch may lack the operators of a newer program. */
const UNCERTAIN = ['newer.jit', 'older.jit'];

for (const [torch, files] of Object.entries(results))
  test(`files in newer forms and for other devices in torch ${torch}`, async () => {
    const here: Here = { devices: {}, torch, packages: ['torch', 'numpy'] };
    for (const [name, [plain, onCpu]] of Object.entries(files)) {
      const { outlook, remedies } = await judge(`forms/${name}`, here);
      const isUnknown = UNCERTAIN.includes(name) && outlook === 'unknown';
      if (!isUnknown) assert.equal(outlook, plain === null ? 'loads' : 'fails', name);
      if (plain !== null && onCpu === null) assert.match(remedies.join(' '), /^With `map_location="cpu"`/, name);
    }
  });

test('a device of an add-on package fails without it and is unknown with it', async () => {
  const judgeWith = (packages: readonly string[]) =>
    judge('forms/tagged_hpu.pt', { devices: {}, torch: '2.9.0', packages });
  const without = await judgeWith(['torch']);
  assert.deepEqual(without.because, [
    'The file contains tensors saved on `hpu:0`, and the selected Python has no habana-torch-plugin, which provides support for that kind of device.',
  ]);
  const beside = await judgeWith(['torch', 'habana-torch-plugin']);
  assert.equal(beside.outlook, 'unknown');
  assert.match(beside.because.join(), /The program must import habana-torch-plugin before it loads the file\.$/);
});

test('an old torch ignores map_location for tensors whose call names a device', async () => {
  const judged = await judge('forms/moved_xla.pt', { devices: {}, torch: '2.3.1', packages: [] });
  assert.doesNotMatch(judged.remedies.join(' '), /With `map_location/);
});

test('float64 fails only on a Mac that maps to its GPU', async () => {
  const mac: Here = { devices: { mps: { count: 1, because: 'this machine is a Mac with a GPU' } }, torch: '2.9.0' };
  const { outlook, because } = await judge('forms/plain.pt', mac);
  assert.equal(outlook, 'loads');
  assert.match(because.join(' '), /With `map_location="mps"` it fails: the file contains float64 tensors/);
  assert.doesNotMatch((await judge('torch/cpu.pt', mac)).because.join(' '), /mps/);
  const linux = { ...mac, devices: { mps: { count: 0, because: 'this machine is not a Mac' } } };
  assert.doesNotMatch((await judge('forms/plain.pt', linux)).because.join(' '), /mps/);
});

test('a program in a newer format fails in a torch that does not read it', async () => {
  assert.deepEqual(['1.4.0', '1.8.1', '1.10.2', '1.13.1', '2.9.1', '9.0'].map(newestScript), [
    2,
    5,
    6,
    10,
    10,
    undefined,
  ]);
  const old = await judge('forms/newer.jit', { devices: {}, torch: '1.10.2' });
  assert.deepEqual(old.because, ['Its format version is 10, but torch 1.10.2 reads at most 6.']);
  const scripted = await judge('torch/scripted.pt', { devices: {}, torch: '1.10.2' });
  assert.equal(scripted.outlook, 'loads', 'no mark of a newer torch');
});

async function judge(file: string, here: Here) {
  return judgeCheckpoint(loadableOf(await readCheckpoint(join(fixtures, file))), here);
}
