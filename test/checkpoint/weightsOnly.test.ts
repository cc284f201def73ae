/** What `weights_only=True` refuses, by the torch that is asked, held against what PyTorch itself did. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isAllowed } from '../../server/src/checkpoint/pickle/allowList.ts';
import { readCheckpoint } from '../../server/src/checkpoint/read.ts';
import { blockersUnder, loads } from '../../server/src/checkpoint/weightsOnly.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');

interface Said {
  readonly allowed: readonly string[];
  readonly files: Readonly<Record<string, { readonly loads: boolean; readonly globals: readonly string[] | null }>>;
}
const said: Record<string, Said> = JSON.parse(readFileSync(join(FIXTURES, 'weights_only.json'), 'utf8'));
const everAllowed = new Set([
  ...Object.values(said).flatMap(({ allowed }) => allowed),
  'torch._utils._rebuild_nested_tensor',
]);

/** What `torch.load` does not take for a checkpoint, whatever its `weights_only` is. */
const OTHER_FORMATS = /plain.*\.pkl|scripted|traced|exported|package|safetensors/;
/** Debian's build had renamed this function; no release has it on its list. */
const DEBIAN_ONLY = 'torch._utils._rebuild_sparse_csr_tensor';

for (const [version, { allowed, files }] of Object.entries(said)) {
  test(`torch ${version} allows these imports and no other`, () => {
    const ours = [...everAllowed].filter((name) => isAllowed(name, version)).sort();
    assert.deepEqual(
      ours,
      allowed.filter((name) => name !== DEBIAN_ONLY),
    );
  });
  for (const [name, { loads: loaded, globals }] of Object.entries(files))
    test(`torch ${version} ${loaded ? 'loads' : 'refuses'} ${name}`, async () => {
      const blockers = blockersUnder(await readCheckpoint(join(FIXTURES, name)), version);
      assert.equal(blockers !== undefined, !OTHER_FORMATS.test(name));
      if (!blockers) return;
      assert.equal(loads(blockers), loaded);
      if (globals) assert.deepEqual([...blockers.globals].sort(), globals);
    });
}

test('the list of safe globals helps where there is one', async () => {
  const checkpoint = await readCheckpoint(join(FIXTURES, 'torch/namespace.pt'));
  const ask = (torch: string) => blockersUnder(checkpoint, torch);
  assert.deepEqual(ask('2.6.0+cu124'), {
    globals: ['argparse.Namespace'],
    opcodes: [],
    isOldForm: false,
    canBeAllowed: true,
  });
  assert.equal(ask('2.3.1')?.canBeAllowed, false);
  assert.equal(ask('1.12.1'), undefined);
  const ofProtocol4 = blockersUnder(await readCheckpoint(join(FIXTURES, 'torch/protocol4.pt')), '2.15');
  assert.equal(ofProtocol4?.canBeAllowed, false);
  assert.ok(ofProtocol4?.opcodes.includes('STACK_GLOBAL'));
});
