/** A made-up package for each key with requirements on torch: environment files, the stack, plans and explanations know it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { explainErrors } from '../../server/src/explain/explain.ts';
import { gather } from '../../server/src/explain/gather.ts';
import { readPaste } from '../../server/src/explain/reading/paste.ts';
import { lintEnvironment } from '../../server/src/lint/lintEnvironment.ts';
import { planEnvironment } from '../../server/src/provision/planEnvironment.ts';
import { gpuPackageFiles } from '../../server/src/published/gpuPackages.ts';
import { type GpuPackage, gpuPackageSchema, REQUIREMENT_READERS } from '../../server/src/published/packageSchema.ts';
import { script } from '../../server/src/python/semantic/source.ts';
import { needOf } from '../../server/src/solver/needs.ts';
import { readStack } from '../../server/src/stack/readStack.ts';
import { type Description, describedMachine, verdictsOn } from '../stack/describedMachine.ts';

type Key = keyof typeof REQUIREMENT_READERS;

/** Release 1.2.0 works with torch 2.6.0 and not with 2.5.1 or 2.9.0. */
const ROWS: Record<Key, GpuPackage> = {
  torch: {
    as_of: '2026-11',
    needs: 'torch',
    torch: [
      { versions: '==1.1.0', needs: '==2.5.1' },
      { versions: '==1.2.0', needs: '==2.6.0' },
    ],
  },
  follows_torch: {
    as_of: '2026-11',
    needs: 'torch',
    follows_torch: [
      { versions: '==1.1.0', torch: '==2.5.*', severity: 'warning', effect: 'importing it fails' },
      { versions: '==1.2.0', torch: '==2.6.*', severity: 'warning', effect: 'importing it fails' },
      { versions: '==1.3.0', torch: '==2.9.*', severity: 'warning', effect: 'importing it fails' },
    ],
  },
  clashes: {
    as_of: '2026-11',
    needs: 'torch',
    clashes: ['<2.6', '>=2.9'].map((than) => ({
      versions: '==1.2.0',
      with: 'torch',
      than,
      severity: 'warning',
      effect: 'is compiled for another one',
      fails: '`import made_up` fails',
      want: 'torch==2.6.0',
    })),
  },
};

/** Releases 1.1 fail with torch 2.9; newer ones do not. */
const RANGE = {
  ...ROWS.clashes,
  clashes: [{ ...ROWS.clashes.clashes?.[0], versions: '>=1.1,<1.2', than: '>=2.9', want: 'made-up-range>=1.2' }],
};

const nameOf = (key: Key) => `made-up-${key.replace('_', '-')}`;
const files = gpuPackageFiles() as Record<string, GpuPackage>;

// Rows are collected on first use, so the packages must be there before.
before(() => {
  for (const key of Object.keys(ROWS) as Key[]) files[nameOf(key)] = gpuPackageSchema.parse(ROWS[key]);
  files['made-up-range'] = gpuPackageSchema.parse(RANGE);
});
after(() => {
  for (const name of [...(Object.keys(ROWS) as Key[]).map(nameOf), 'made-up-range']) delete files[name];
});

const GPU = 'NVIDIA GeForce RTX 3090 8.6';

const check = (text: string) =>
  lintEnvironment('requirements', script('requirements.txt', text), {})
    .findings.filter(({ severity }) => severity !== 'hint')
    .map(({ message }) => message);

const stack = (key: Key, torch: string) =>
  verdictsOn({ gpus: [GPU], driverCuda: '12.4', torch: `${torch}+cu124`, packages: [`${nameOf(key)}==1.2.0`] });

async function plan(machine: Description, ...requirements: string[]) {
  const facts = await readStack(describedMachine(machine));
  const packages = requirements.flatMap((each) => needOf(each, 'asked for') ?? []);
  const { outcome, installations } = planEnvironment(facts, { python: null, packages }, 'pip');
  return { outcome, wanted: installations.flatMap((each) => each.requirements) };
}

async function explained(key: Key, torch: string): Promise<string> {
  const packages = [`${nameOf(key)}==1.2.0`];
  const facts = await readStack(describedMachine({ gpus: [GPU], driverCuda: '12.4', torch, packages }));
  const paste = readPaste(
    'ImportError: /venv/lib/python3.11/site-packages/made_up/_C.so: undefined symbol: _ZN3c104cuda9SetDeviceEi',
  );
  const nothing = async () => undefined;
  const known = await gather(paste, facts, { readText: nothing, readCheckpoint: nothing }, '/nowhere');
  return JSON.stringify(explainErrors(paste, known));
}

for (const key of Object.keys(REQUIREMENT_READERS) as Key[]) {
  const name = nameOf(key);
  describe(`a requirement under ${key}`, () => {
    for (const torch of ['2.5.1', '2.9.0']) {
      it(`is not met by torch ${torch} in an environment file and on the stack`, async () => {
        assert.match(check(`torch==${torch}\n${name}==1.2.0\n`).join(), new RegExp(name));
        assert.ok((await stack(key, torch)).includes('packages-clash'));
        assert.match(await explained(key, `${torch}+cu124`), new RegExp(`${name} 1\\.2\\.0`));
      });

      it(`keeps release 1.2.0 out of a plan with torch ${torch}`, async () => {
        const { outcome } = await plan({ gpus: [GPU], driverCuda: '13.0' }, `torch==${torch}`, `${name}==1.2.0`);
        assert.equal(outcome, 'impossible');
      });
    }

    it('is met by torch 2.6.0', async () => {
      assert.deepEqual(
        check(`torch==2.6.0\n${name}==1.2.0\n`).filter((message) => message.includes(name)),
        [],
      );
      assert.ok(!(await stack(key, '2.6.0')).includes('packages-clash'));
      assert.doesNotMatch(await explained(key, '2.6.0+cu124'), new RegExp(`${name} 1\\.2\\.0`));
    });

    for (const [what, machine] of [
      ['an older driver', { gpus: [GPU], driver: '525.60.13', driverCuda: '12.0' }],
      ['no GPU', {}],
    ] as const)
      it(`is planned with its torch on a machine with ${what}`, async () => {
        const { outcome, wanted } = await plan(machine, 'torch==2.6.0', `${name}==1.2.0`);
        assert.equal(outcome, 'works');
        assert.match(wanted.join(' '), new RegExp(`${name}==1\\.2\\.0`));
      });
  });
}

it('a package that only needs a torch is planned without a GPU, in its newest release', async () => {
  const { outcome, wanted } = await plan({}, nameOf('torch'));
  assert.equal(outcome, 'works');
  assert.ok(wanted.includes(`${nameOf('torch')}==1.2.0`), wanted.join());
});

it('a plan asks for what the row of a failing range names', async () => {
  const { wanted } = await plan({ gpus: [GPU], driverCuda: '13.0' }, 'torch==2.9.0', 'made-up-range');
  assert.ok(wanted.includes('made-up-range>=1.2'), wanted.join());
});

it('releases for another torch are left out of a plan', async () => {
  const { wanted } = await plan({ gpus: [GPU], driverCuda: '12.4' }, 'torch==2.4.1', nameOf('follows_torch'));
  assert.ok(wanted.includes(`${nameOf('follows_torch')}!=1.1.0,!=1.2.0,!=1.3.0`), wanted.join());
});

it('rows with another form are rejected', () => {
  const [clash] = ROWS.clashes.clashes ?? [];
  const [follower, ...others] = ROWS.follows_torch.follows_torch ?? [];
  const mixed = [{ ...follower, severity: 'information' }, ...others];
  assert.ok(!gpuPackageSchema.safeParse({ ...ROWS.follows_torch, follows_torch: mixed }).success);
  assert.ok(!gpuPackageSchema.safeParse({ ...ROWS.clashes, clashes: [{ ...clash, effect: 'too new' }] }).success);
  assert.ok(!gpuPackageSchema.safeParse({ ...ROWS.torch, torch: [{ versions: '1.2', needs: '2.6' }] }).success);
});
