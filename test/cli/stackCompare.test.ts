import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext, test } from 'node:test';
import type { Fact } from '../../server/src/stack/facts/fact.ts';
import type { FrameworkBuild, Interpreter } from '../../server/src/stack/facts/facts.ts';
import type { Gpu } from '../../server/src/stack/facts/hardware.ts';
import { pretendMachine } from '../editor/pretendMachine.ts';
import { CLI } from '../programs.ts';
import { folderWith, run } from './run.ts';

const known = <T>(value: T): Fact<T> => ({ value, source: 'test', readAt: '2026-01-01T00:00:00.000Z' });

/** The parts of `gpu-doctor stack --output-format json` that matter here. */
const stack = (driver: string, torch = '2.6.0+cu124') => ({
  version: 1,
  driver: known(driver),
  gpus: known<Gpu[]>([
    {
      index: 0,
      name: 'NVIDIA H100',
      uuid: null,
      memoryTotal: 81559,
      memoryUsed: 0,
      utilization: 0,
      computeCapability: '9.0',
      mig: false,
      migInstances: [],
    },
  ]),
  interpreter: known<Interpreter>({
    path: '/opt/env/bin/python3',
    version: '3.11.7',
    prefix: '/opt/env',
    environment: 'venv',
    architecture: null,
    chosenBy: 'PATH',
    sitePackages: [],
  }),
  frameworks: {
    torch: known<FrameworkBuild>({
      name: 'torch',
      version: torch,
      folder: '/opt/env/lib/python3.11/site-packages/torch',
      alsoInstalled: [],
      target: 'cuda',
      cuda: '12.4',
      rocm: null,
      cudnn: null,
      architectures: null,
      pinned: [],
      installer: null,
    }),
  },
});
const hosts = (count: number, made: (index: number) => object) =>
  Array.from({ length: count }, (_, index) => ({ host: `node${index}`, stack: made(index) }));

test("a stack is recorded, compared with itself, and recorded again over a person's edits", async (t) => {
  const machine = await pretendMachine('rtx3090-cpu-torch');
  t.after(machine.forget);
  const cwd = await folderWith(t, machine.files);
  const call = (...args: string[]) => run(['stack', ...args], { cwd, env: machine.env });
  const file = join(cwd, 'gpu-stack.yaml');

  const recorded = await call('--record', '--force');
  assert.deepEqual([recorded.status, recorded.stdout, recorded.stderr], [0, '', 'Wrote gpu-stack.yaml.\n']);
  const text = await readFile(file, 'utf8');
  assert.match(text, /name: NVIDIA GeForce RTX 3090/);
  assert.equal((await call('--record', '--force')).stderr, 'gpu-stack.yaml is up to date.\n');

  const same = await call('--compare', 'gpu-stack.yaml', 'live');
  assert.deepEqual([same.status, same.stdout], [0, 'live has the stack of gpu-stack.yaml.\n']);
  const json = await call('--output-format', 'json');
  const saved = await folderWith(t, { 'here.json': json.stdout, 'gpu-stack.yaml': text });
  const both = await run(['stack', '--compare', 'here.json', 'gpu-stack.yaml'], { cwd: saved });
  assert.deepEqual([both.status, both.stderr], [0, '']);

  const own = await folderWith(t, {
    ...machine.files,
    'gpu-stack.yaml': '# ours\nformat: 1\ndriver: 1.0 # old\n',
    'broken.yaml': 'a: [',
  });
  const again = (...args: string[]) => run(['stack', ...args], { cwd: own, env: machine.env });
  const differing = await again('--compare', 'gpu-stack.yaml', 'live');
  assert.equal(differing.status, 1);
  assert.match(differing.stdout, /^STACK +WHAT +HAS +gpu-stack\.yaml\nlive +driver +\S+ +1\.0 +information\n/);
  assert.match((await again('--record', '--force')).stderr, /^Updated gpu-stack\.yaml\.\n$/);
  assert.match(await readFile(join(own, 'gpu-stack.yaml'), 'utf8'), /^# ours\nformat: 1\ndriver: \S+ # old\n/);

  const broken = await again('--record', '--force', 'broken.yaml');
  assert.equal(broken.status, 2);
  assert.match(
    broken.stderr,
    /^error: broken\.yaml is not a YAML mapping and was left unchanged: remove it first\.\n$/,
  );
  assert.equal(await readFile(join(own, 'broken.yaml'), 'utf8'), 'a: [');
});

describe('many hosts on standard input', () => {
  const compare = (input: string, ...args: string[]) => run(['stack', '--compare', '-', ...args], { cwd: '/', input });

  it('are one table of the differences from most of them', async () => {
    const all = hosts(1000, (index) =>
      stack(index % 250 === 7 ? '535.1' : '550.2', index === 9 ? '2.5.1+cu121' : undefined),
    );
    const table = [
      'HOSTS                      WHAT    HAS          MOST HAVE',
      'node7, node257 and 2 more  driver  535.1        550.2        warning',
      'node9                      torch   2.5.1+cu121  2.6.0+cu124  warning',
      '',
      '5 of 1000 differ from the stack that 995 share, in 2 ways.',
      '',
    ];
    const lines = all.map((host) => JSON.stringify(host)).join('\n');
    for (const input of [lines, JSON.stringify(all), JSON.stringify(all, null, 2)]) {
      const { status, stdout, stderr } = await compare(input);
      assert.deepEqual([status, stderr, stdout.split('\n')], [1, '', table]);
    }
    const { stdout } = await compare(lines, '--output-format', 'json');
    const { reference, groups } = JSON.parse(stdout);
    assert.equal(reference.names.length, 995);
    assert.deepEqual(groups[0].names, ['node7', 'node257', 'node507', 'node757']);
    assert.deepEqual(groups[1].differences, [
      {
        path: ['frameworks', 'torch', 'version'],
        severity: 'warning',
        subject: 'torch',
        expected: '2.6.0+cu124',
        found: '2.5.1+cu121',
      },
    ]);
  });

  it('need no table if they are equal', async () => {
    const same = await compare(
      hosts(3, () => stack('550.2'))
        .map((host) => JSON.stringify(host))
        .join('\n'),
    );
    assert.deepEqual([same.status, same.stdout], [0, 'All 3 have the same stack.\n']);
  });

  it('may include unreadable ones: they are named, and the others are compared', async () => {
    const [a, b] = hosts(2, () => stack('550.2')).map((host) => JSON.stringify(host));
    const input = [
      a,
      'srun: error: node5: connection lost',
      a?.slice(0, 200),
      JSON.stringify({ host: 'node6', stack: { ...stack('1.0'), version: 99 } }),
      JSON.stringify({ host: 'node7', stack: 'command not found' }),
      JSON.stringify({ host: 'node8', stack: { ...stack('1.0'), gpus: known('none') } }),
      b,
    ].join('\n');
    const { status, stdout, stderr } = await compare(input);
    assert.equal(status, 2);
    assert.equal(stdout, 'node0 and node1 have the same stack.\n');
    assert.deepEqual(stderr.trimEnd().split('\n'), [
      'error: standard input, entry 2 is not JSON: "srun: error: node5: connection lost".',
      'error: standard input, entry 3 is cut off.',
      'error: standard input, entry 4 (node6) has format 99, of another version of GPU Doctor; this one reads format 1.',
      'error: standard input, entry 5 (node7) is not what `gpu-doctor stack --output-format json` prints.',
      'error: standard input, entry 6 (node8) has text at gpus.value, where a list is expected: it is not what `gpu-doctor stack --output-format json` prints.',
    ]);
  });

  it('may be zero', async () => {
    const empty = await compare('\n');
    assert.deepEqual([empty.status, empty.stderr], [2, 'error: standard input is empty.\n']);
    const one = await compare(JSON.stringify(stack('550.2')));
    assert.deepEqual(
      [one.status, one.stderr],
      [2, 'error: there is only one stack, and nothing to compare it with.\n'],
    );
  });

  it('cannot affect the terminal through their names', async () => {
    const input = [stack('550.2'), stack('550.2'), stack('\u001b[31m535.1')].map((each, index) =>
      JSON.stringify({ host: `\u001b]0;x\u0007node${index}`, stack: each }),
    );
    const { stdout } = await compare(input.join('\n'));
    assert.ok(stdout.includes('node2') && !stdout.includes('\u001b') && !stdout.includes('\u0007'));
  });
});

test('files of collectors are compared under their names', async (t) => {
  const cwd = await folderWith(t, {
    'gpu-stack.yaml': 'format: 1\ndriver: 550.2\n',
    'out/a': JSON.stringify({ changed: true, cmd: ['gpu-doctor'], stdout: JSON.stringify(stack('550.2'), null, 2) }),
    'out/b': JSON.stringify({ changed: true, stdout: JSON.stringify(stack('535.1')) }),
    'out/empty': '',
    'bad.yaml': 'format: 1\ndrvier: 1\n',
  });
  const compared = await run(['stack', '--compare', 'gpu-stack.yaml', 'out/a', 'out/b'], { cwd });
  assert.equal(compared.status, 1);
  assert.match(compared.stdout, /^out\/b +driver +535\.1 +550\.2 +warning$/m);
  assert.match(compared.stdout, /^1 of 2 differs from gpu-stack\.yaml, in one way\.$/m);
  const bad = await run(['stack', '--compare', 'gpu-stack.yaml', 'bad.yaml', 'out/empty', 'gone.json', 'out/a'], {
    cwd,
  });
  assert.equal(bad.status, 2);
  assert.deepEqual(bad.stderr.trimEnd().split('\n'), [
    'error: bad.yaml:2:1: There is no `drvier`: did you mean `driver`?',
    'error: out/empty is empty.',
    'error: gone.json does not exist.',
  ]);
});

test('options that make no sense are rejected', async () => {
  const said = async (...args: string[]) => (await run(['stack', ...args], { cwd: '/' })).stderr;
  assert.match(await said('--compare'), /requires something to compare/);
  assert.match(await said('--compare', '-', '-'), /can be given once/);
  assert.match(await said('--record', '--compare'), /exclude each other/);
  assert.match(await said('--record', 'a', 'b'), /accepts no second path: `b`/);
  assert.match(await said('a'), /accepts no path: `a`/);
});

/** util-linux's script, which gives a program a terminal. */
const SCRIPT = '/usr/bin/script';

describe('a record of another stack', () => {
  const RECORD = '# ours\nformat: 1\ndriver: 1.0 # the cluster\n';

  async function start(t: TestContext) {
    const machine = await pretendMachine('rtx3090-cu124');
    t.after(machine.forget);
    const cwd = await folderWith(t, { ...machine.files, 'gpu-stack.yaml': RECORD });
    const text = () => readFile(join(cwd, 'gpu-stack.yaml'), 'utf8');
    return { cwd, env: machine.env, text };
  }

  it('is refused with one sentence if nobody can be asked', async (t) => {
    const { cwd, env, text } = await start(t);
    const { status, stdout, stderr } = await run(['stack', '--record'], { cwd, env });
    const sentence = 'error: gpu-stack.yaml records another stack and was not changed; `--force` replaces it.\n';
    assert.deepEqual([status, stdout, stderr], [2, '', sentence]);
    assert.equal(await text(), RECORD);
    const forced = await run(['stack', '--record', '--force'], { cwd, env });
    assert.deepEqual([forced.status, forced.stderr], [0, 'Updated gpu-stack.yaml.\n']);
    assert.match(await text(), /^# ours\nformat: 1\ndriver: 5\S+ # the cluster\n/);
    // An equal stack is not a different one.
    const again = await run(['stack', '--record'], { cwd, env });
    assert.deepEqual([again.status, again.stderr], [0, 'gpu-stack.yaml is up to date.\n']);
  });

  it('is shown next to this one on a terminal, and replaced after a yes', {
    skip: process.platform !== 'linux' || !existsSync(SCRIPT),
  }, async (t) => {
    const { cwd, env, text } = await start(t);
    const onTerminal = (answer: string) => {
      const command = [process.execPath, CLI, 'stack', '--record'].map((word) => `'${word}'`).join(' ');
      const args = ['--quiet', '--return', '--echo', 'never', '--command', command, '/dev/null'];
      const { status, stdout } = spawnSync(SCRIPT, args, {
        cwd,
        env: { ...process.env, ...env },
        input: `${answer}\n`,
        encoding: 'utf8',
      });
      return { status, shown: stdout.replaceAll('\r', '') };
    };
    const kept = onTerminal('n');
    assert.equal(kept.status, 2, kept.shown);
    assert.match(kept.shown, /^--- a\/gpu-stack\.yaml\n\+\+\+ b\/gpu-stack\.yaml\n/m);
    assert.match(kept.shown, /^-driver: 1\.0 # the cluster\n\+driver: 5\S+ # the cluster\n/m);
    assert.match(kept.shown, /Replace the stack that gpu-stack\.yaml records\? \[y\/N\] [\s\S]*was not changed\.\n$/);
    assert.equal(await text(), RECORD);
    const replaced = onTerminal('y');
    assert.equal(replaced.status, 0, replaced.shown);
    assert.match(replaced.shown, /Updated gpu-stack\.yaml\.\n$/);
    assert.match(await text(), /^# ours\nformat: 1\ndriver: 5\S+ # the cluster\n/);
  });
});
