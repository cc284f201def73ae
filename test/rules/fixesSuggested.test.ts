/** What fixes write that are only suggested, and so have no pair of fixtures. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { loadParser, parseProgram } from '../../server/src/python/program.ts';
import { script } from '../../server/src/python/source.ts';
import { check } from '../../server/src/rules/check.ts';
import type { Facts } from '../../server/src/rules/contract.ts';
import { applyEdits } from '../../server/src/rules/fixAll.ts';

/** The program after the first fix of the only finding of a rule. */
function suggested(code: string, text: string, facts: Facts = {}): string | undefined {
  const program = parseProgram(script('train.py', text));
  const [finding, ...others] = check(program, { select: [code], facts });
  assert.deepEqual(others, []);
  const [fix] = finding?.fixes() ?? [];
  assert.equal(fix?.tier, 'suggestion', text);
  return fix && applyEdits(program, fix.edits).cells[0]?.text;
}

describe('a suggested fix', () => {
  before(loadParser);

  it('loads weights only', () => {
    const facts = { torchVersion: '2.4.0' };
    const cases = [
      ['torch.load(p, weights_only=False)', 'torch.load(p, weights_only=True)'],
      ['torch.load(p, weights_only = False, mmap=True)', 'torch.load(p, weights_only = True, mmap=True)'],
      ['torch.load(p)', 'torch.load(p, weights_only=True)'],
      ['torch.load(\n    p,\n    "cpu",\n)', 'torch.load(\n    p,\n    "cpu",\n    weights_only=True,\n)'],
    ];
    for (const [before, after] of cases)
      assert.equal(suggested('GPU102', `import torch\n${before}\n`, facts), `import torch\n${after}\n`);
    const partial = 'from functools import partial\nimport torch\nread = partial(torch.load, weights_only=False)\n';
    assert.equal(suggested('GPU102', `${partial}read(p)\n`), `${partial.replace('False', 'True')}read(p)\n`);
  });

  it('saves the weights of a model', () => {
    const cases = [
      ['torch.save(m, p)', 'torch.save(m.state_dict(), p)'],
      ['torch.save(obj=m.eval(), f=p)', 'torch.save(obj=m.eval().state_dict(), f=p)'],
      ['torch.save(m.module if x else m, p)', 'torch.save((m.module if x else m).state_dict(), p)'],
      ['torch.save((m), p)', 'torch.save((m.state_dict()), p)'],
    ];
    const head = 'import torch\nm = torch.nn.Linear(2, 2)\n';
    for (const [before, after] of cases) assert.equal(suggested('GPU103', `${head}${before}\n`), `${head}${after}\n`);
  });

  it('lets Keras refuse code', () => {
    const cases = [
      ['load_model(p, safe_mode=False)', 'load_model(p)'],
      ['load_model(safe_mode=False, filepath=p)', 'load_model(filepath=p)'],
      ['load_model(p, safe_mode=False, compile=False)', 'load_model(p, compile=False)'],
      ['load_model(p, None, False, False)', 'load_model(p, None, False)'],
      ['load_model(p, safe_mode=False,)', 'load_model(p,)'],
      ['load_model((p), safe_mode=False)', 'load_model((p))'],
      ['load_model(\n    p,\n    safe_mode=False,  # trusted\n)', 'load_model(\n    p,\n)'],
      ['load_model(\n    p,\n    safe_mode=False)', 'load_model(\n    p)'],
      ['load_model(\n    p,\n    safe_mode=False\n)', 'load_model(\n    p,\n)'],
    ];
    const head = 'from keras.models import load_model\n';
    for (const [before, after] of cases) assert.equal(suggested('GPU304', `${head}${before}\n`), `${head}${after}\n`);
  });
});
