import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Budget, BudgetExhausted, createBudget } from '../../server/src/checkpoint/budget.ts';
import { inMemory, withFile } from '../../server/src/checkpoint/bytes.ts';
import { readBytes, readCheckpoint } from '../../server/src/checkpoint/read.ts';
import { Unreadable } from '../../server/src/projectFile.ts';
import { zipWith } from './archiveWriter.ts';
import { pickle } from './pickleWriter.ts';
import { safetensorsOf } from './safetensorsWriter.ts';

const HARMLESS = pickle([0x80, 2], '}.');
const DANGEROUS = pickle("cos\nsystem\n(S'id'\ntR.");

const folderIn = (t: TestContext) => {
  const folder = mkdtempSync(join(tmpdir(), 'gpu-doctor-budget-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
};

test('a budget refuses work beyond its limit, and everything after that', () => {
  const budget = createBudget();
  budget.spend(budget.left());
  assert.throws(() => budget.spend(1), BudgetExhausted);
  assert.throws(() => budget.hold(1), BudgetExhausted);
  assert.equal(budget.left(), 0);
});

test('memory has a separate limit, and both limits can be raised', () => {
  assert.throws(() => createBudget().hold(200 * 1024 * 1024), BudgetExhausted);
  createBudget(2).hold(200 * 1024 * 1024);
  assert.ok(createBudget(10).left() > 9 * createBudget().left());
});

test('a part of a budget ends before the whole and counts toward it', () => {
  const budget = createBudget();
  const before = budget.left();
  const part = budget.part(100);
  part.spend(60);
  assert.throws(() => part.spend(60), BudgetExhausted);
  assert.equal(before - budget.left(), 60);
  budget.spend(1);
});

test('work in many turns of the event loop adds up, and the work of others does not', async () => {
  const busy = () => {
    const { user } = process.cpuUsage();
    while (process.cpuUsage().user - user < 100_000);
  };
  const workInTurns = async (budget: Budget, isOwn: boolean) => {
    for (let turn = 0; turn < 10; turn++) {
      budget.spend(1_100_000);
      if (!isOwn) await new Promise(setImmediate);
      busy();
      if (isOwn) await new Promise(setImmediate);
    }
  };
  await assert.rejects(workInTurns(createBudget(0.1), true), BudgetExhausted);
  await workInTurns(createBudget(0.1), false);
});

test('inner files share the budget of the containing file', async () => {
  const many = Buffer.alloc(20_000_000, 'N0');
  const inner = pickle([0x80, 2], many, 'N.');
  const one = await readBytes(inMemory(zipWith([{ name: 'a.pkl', content: inner }])));
  assert.doesNotMatch(one.safety.reason, /more work/);
  const members = Array.from({ length: 9 }, (_, index) => ({ name: `${index}.pkl`, content: inner }));
  const all = await readBytes(inMemory(zipWith(members)));
  assert.equal(all.safety.verdict, 'not-checked');
  assert.match(all.safety.reason, /more work than an inspection allows/);
});

test('a configuration with very many values is refused before it is parsed', async () => {
  const configured = (count: number) => {
    const layers = Array.from({ length: count }, (_, index) => ({ class_name: `A${index}`, config: {} }));
    const members = { 'metadata.json': {}, 'config.json': { class_name: 'Sequential', config: { layers } } };
    const entries = Object.entries(members);
    return readBytes(
      inMemory(zipWith(entries.map(([name, json]) => ({ name, content: Buffer.from(JSON.stringify(json)) })))),
    );
  };
  assert.match((await configured(250_000)).safety.reason, /more work than an inspection allows/);
  assert.doesNotMatch((await configured(20_000)).safety.reason, /more work than an inspection allows/);
});

test('nothing is read after a dangerous member', async () => {
  const budget = createBudget();
  const before = budget.left();
  const rest = pickle([0x80, 2], Buffer.alloc(20_000_000, 'N0'), 'N.');
  const members = [
    { name: 'a.pkl', content: DANGEROUS },
    ...Array.from({ length: 20 }, (_, index) => ({ name: `${index}.pkl`, content: rest })),
  ];
  const { safety } = await readBytes(inMemory(zipWith(members)), undefined, budget);
  assert.equal(safety.verdict, 'dangerous');
  assert.ok(before - budget.left() < 1_000_000, `${before - budget.left()} steps`);
});

test('the verdict on a complete file does not depend on the limits', async () => {
  for (const factor of [1, 10]) {
    const { safety, problems } = await readBytes(inMemory(HARMLESS), undefined, createBudget(factor));
    assert.deepEqual([safety.verdict, problems], ['refused', []]);
  }
});

test('larger limits allow more to be read', async () => {
  const long = inMemory(pickle([0x80, 2], Buffer.alloc(40_000_000, 'N0'), '}.'));
  assert.equal((await readBytes(long)).safety.verdict, 'not-checked');
  assert.equal((await readBytes(long, undefined, createBudget(2))).safety.verdict, 'refused');
});

test('a pipe, socket or device is refused by its kind and never opened', { timeout: 20_000 }, async (t) => {
  if (process.platform === 'win32') return t.skip('Windows has neither');
  const folder = folderIn(t);
  const pipe = join(folder, 'pipe.pt');
  execFileSync('mkfifo', [pipe]);
  const socket = join(folder, 'socket.pt');
  const server = createServer().listen(socket);
  t.after(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  for (const [path, kind] of [
    [pipe, 'pipe'],
    [socket, 'socket'],
    ['/dev/zero', 'device'],
  ] as const) {
    const refused = { name: 'Error', message: `is a ${kind}, not a regular file, and is not opened` };
    await assert.rejects(readCheckpoint(path), refused);
    await assert.rejects(
      withFile(path, async () => {}),
      Unreadable,
    );
  }
});

test('an index that names a pipe is reported', { timeout: 20_000 }, async (t) => {
  if (process.platform === 'win32') return t.skip('Windows has none');
  const folder = folderIn(t);
  execFileSync('mkfifo', [join(folder, 'w.safetensors')]);
  const path = join(folder, 'model.safetensors.index.json');
  writeFileSync(path, JSON.stringify({ metadata: {}, weight_map: { w: 'w.safetensors' } }));
  const { safety, problems } = await readCheckpoint(path);
  assert.equal(safety.verdict, 'not-checked');
  assert.match(problems.join(' '), /The shard `w\.safetensors` is a pipe, not a regular file/);
});

test('each shard of an index counts, and an index with more than fit is not checked', async (t) => {
  const folder = folderIn(t);
  const map: Record<string, string> = {};
  for (let index = 0; index < 1000; index++) {
    map[`layer${index}`] = `${index}.safetensors`;
    writeFileSync(join(folder, `${index}.safetensors`), safetensorsOf({ [`layer${index}`]: [1] }));
  }
  writeFileSync(join(folder, 'model.safetensors.index.json'), JSON.stringify({ metadata: {}, weight_map: map }));
  const budget = createBudget();
  const before = budget.left();
  const whole = await readCheckpoint(folder, budget);
  assert.deepEqual([whole.safety.verdict, whole.tensors.length, whole.problems], ['no-code', 1000, []]);
  const used = before - budget.left();
  assert.ok(used > 1000 * 50_000, `${used} steps`);
  const cut = await readCheckpoint(folder, createBudget().part(used / 2));
  assert.equal(cut.safety.verdict, 'not-checked');
  assert.ok(cut.tensors.length > 300 && cut.tensors.length < 700, `${cut.tensors.length} tensors`);
  assert.ok(cut.problems.length < 5);
});

test('components of a pipeline count, and a pipeline with thousands is not checked', async (t) => {
  const folder = folderIn(t);
  const withComponents = (count: number) => {
    const parts = Array.from({ length: count }, (_, index) => [`unet${index}`, ['diffusers', 'UNet2DConditionModel']]);
    const index = { _class_name: 'StableDiffusionPipeline', ...Object.fromEntries(parts) };
    writeFileSync(join(folder, 'model_index.json'), JSON.stringify(index));
  };
  for (let index = 0; index < 100; index++) {
    mkdirSync(join(folder, `unet${index}`));
    writeFileSync(join(folder, `unet${index}`, 'config.json'), '{}');
    writeFileSync(join(folder, `unet${index}`, 'diffusion_pytorch_model.safetensors'), safetensorsOf({ weight: [1] }));
  }
  withComponents(100);
  const budget = createBudget();
  const before = budget.left();
  const whole = await readCheckpoint(folder, budget);
  assert.deepEqual([whole.safety.verdict, whole.tensors.length, whole.problems], ['no-code', 100, []]);
  const used = before - budget.left();
  assert.ok(used > 100 * 50_000, `${used} steps`);
  const cut = await readCheckpoint(folder, createBudget().part(used / 2));
  assert.equal(cut.safety.verdict, 'not-checked');
  withComponents(2000);
  const large = createBudget();
  const all = await readCheckpoint(folder, large);
  assert.equal(all.safety.verdict, 'not-checked');
  assert.ok(before - large.left() < 3 * used, 'components after the first hundred cost nothing');
});
