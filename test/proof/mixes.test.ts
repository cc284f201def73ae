/**
 * The basis of the proof: an operation on tensors on different devices fails on simulated GPUs as it does in PyTorch.
 */
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { execa } from 'execa';
import { ensurePython } from '../../scripts/python.ts';

test("simulated GPUs reject the same operations as PyTorch's fake tensors", async () => {
  const { torch: python } = await ensurePython();
  const outcomesOf = async (way: string): Promise<Record<string, string | null>> => {
    const script = path.join(import.meta.dirname, 'mixes.py');
    const { stdout } = await execa(python, [script, way], { env: { PYTHONDONTWRITEBYTECODE: '1' } });
    return JSON.parse(stdout);
  };
  const [pretended, fake] = await Promise.all(['pretended', 'fake'].map(outcomesOf));
  assert.ok(pretended && fake);
  const refusedIn = (outcomes: Record<string, string | null>) =>
    Object.keys(outcomes).filter((code) => outcomes[code] !== null);
  assert.deepEqual(refusedIn(pretended), refusedIn(fake));
  assert.ok(refusedIn(fake).length >= 8 && refusedIn(fake).length < Object.keys(fake).length);
  for (const code of refusedIn(pretended))
    assert.match(pretended[code] ?? '', /same device, but found at least two devices/, code);
});
