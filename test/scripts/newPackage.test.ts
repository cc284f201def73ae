/**
 * A package is one file: a made-up one in a copy of the sources is known to stack, environment files, plans and
 * explanations.
 */
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { parse } from 'yaml';
import { root } from '../../scripts/root.ts';
import { gpuPackageSchema } from '../../server/src/published/packageSchema.ts';

const NAME = 'hyper-attn';
const FILE = `server/src/published/packages/${NAME}.yaml`;

/** Rows added to the scaffolded file. */
const MORE = `
native: ["hyper_attn*"]
decides: 1
brings_cuda: true
systems: [linux]
images: [hyperlab/hyper-server]
sign_of: torch
torch:
  - { versions: ">=1,<2", needs: "==2.6.0" }
gpus:
  - { versions: ">=1", capability: "8.0", instead: "the attention of torch" }
extension: true
`;

/** The copied parts of the checkout. */
const COPIED = ['package.json', 'scripts', 'server', 'test/stack', 'test/cases'];

let copy = '';
const node = (...args: string[]) => execa(process.execPath, args, { cwd: copy, all: true, reject: false });
const from = <T>(file: string): Promise<T> => import(pathToFileURL(path.join(copy, file)).href);

before(async () => {
  copy = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-new-package-'));
  for (const each of COPIED) await cp(path.join(root, each), path.join(copy, each), { recursive: true });
  await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
});

after(() => rm(copy, { recursive: true, force: true }));

describe('a made-up package', () => {
  it('is scaffolded once, with a valid file', async () => {
    const scaffolded = await node('scripts/newPackage.ts', NAME);
    assert.equal(scaffolded.exitCode, 0, scaffolded.all);
    const text = await readFile(path.join(copy, FILE), 'utf8');
    assert.equal(gpuPackageSchema.safeParse(parse(text)).error, undefined);
    assert.match((await node('scripts/newPackage.ts', NAME)).all, /hyper-attn\.yaml already exists/);
    assert.match((await node('scripts/newPackage.ts', 'Hyper_Attn')).all, /npm run new-package -- some-name/);
    await writeFile(path.join(copy, FILE), `${text}${MORE}`);
    assert.equal(gpuPackageSchema.safeParse(parse(`${text}${MORE}`)).error, undefined);
  });

  it('is checked on the stack', async () => {
    const { verdictsOn } = await from<typeof import('../stack/describedMachine.ts')>('test/stack/describedMachine.ts');
    const on = (gpu: string, torch: string) =>
      verdictsOn({ gpus: [gpu], driverCuda: '12.4', torch, packages: [`${NAME}==1.2.0 torch==2.6.0`] });
    assert.deepEqual(await on('NVIDIA GeForce RTX 3090 8.6', '2.6.0+cu124'), []);
    assert.ok((await on('Tesla T4 7.5', '2.6.0+cu124')).includes('package-without-this-gpu'));
    assert.notDeepEqual(await on('NVIDIA GeForce RTX 3090 8.6', '2.5.1+cu124'), []);
  });

  it('is checked in environment files', async () => {
    const { lintEnvironment } = await from<typeof import('../../server/src/lint/lintEnvironment.ts')>(
      'server/src/lint/lintEnvironment.ts',
    );
    const { script } = await from<typeof import('../../server/src/python/semantic/source.ts')>(
      'server/src/python/semantic/source.ts',
    );
    const { knownImage } = await from<typeof import('../../server/src/published/images.ts')>(
      'server/src/published/images.ts',
    );
    const found = (text: string) =>
      lintEnvironment('requirements', script('requirements.txt', text), {}).findings.map(({ message }) => message);
    assert.match(found(`torch==2.5.1\n${NAME}==1.2.0\n`).join(), /hyper-attn 1\.2\.0 needs torch 2\.6\.0/);
    const findings = found(`torch==2.6.0\n${NAME}==1.2.0\n`);
    assert.deepEqual(
      findings.filter((message) => message.includes(NAME)),
      [],
    );
    assert.equal(knownImage('hyperlab/hyper-server:latest')?.maker, 'server');
    assert.equal(knownImage('hyperlab/other:latest'), undefined);
  });

  it('is planned with a matching torch', async () => {
    const { describedMachine } = await from<typeof import('../stack/describedMachine.ts')>(
      'test/stack/describedMachine.ts',
    );
    const { readStack } = await from<typeof import('../../server/src/stack/readStack.ts')>(
      'server/src/stack/readStack.ts',
    );
    const { planEnvironment } = await from<typeof import('../../server/src/provision/planEnvironment.ts')>(
      'server/src/provision/planEnvironment.ts',
    );
    const facts = await readStack(describedMachine({ gpus: ['NVIDIA GeForce RTX 3090 8.6'], driverCuda: '12.4' }));
    const need = { name: NAME, extras: [], specifier: '', because: 'asked for' };
    const plan = planEnvironment(facts, { python: null, packages: [need] }, 'pip');
    assert.ok(plan.outcome !== 'impossible');
    const wanted = plan.installations.flatMap(({ requirements }) => requirements).join(' ');
    assert.match(wanted, /torch==2\.6\.0/);
    assert.match(wanted, /hyper-attn/);
    const old = await readStack(describedMachine({ gpus: ['Tesla T4 7.5'], driverCuda: '12.4' }));
    assert.equal(planEnvironment(old, { python: null, packages: [need] }, 'pip').outcome, 'impossible');
  });

  it('is mentioned in explanations', async () => {
    const { explainCase } = await from<typeof import('../cases/explainCase.ts')>('test/cases/explainCase.ts');
    const explain = async (text: string) => JSON.stringify(await explainCase({ text }));
    const missing = await explain(
      "ImportError: cannot import name 'flash' from 'hyper_attn.ops' (/venv/hyper_attn/ops.py)",
    );
    assert.match(missing, /name-not-in-release/);
    assert.match(missing, /install --upgrade hyper-attn/);
    const built = await explain(
      'ImportError: /venv/lib/python3.11/site-packages/hyper_attn_cuda.cpython-311-x86_64-linux-gnu.so: undefined symbol: _ZN3c104cuda9SetDeviceEi',
    );
    assert.match(built, /hyper-attn/);
    const { frameworksOf } = await from<typeof import('../../server/src/explain/frameworks.ts')>(
      'server/src/explain/frameworks.ts',
    );
    assert.deepEqual([...frameworksOf('hyper_attn failed', { start: 0, end: 10 }, undefined)], ['torch']);
  });
});
