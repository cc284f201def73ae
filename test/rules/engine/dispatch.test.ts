import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProgram } from '../../../server/src/guards/program.ts';
import { namedCheckpoints } from '../../../server/src/lint/namedCheckpoints.ts';
import { type Source, script } from '../../../server/src/python/semantic/source.ts';
import type { Call } from '../../../server/src/python/syntax/nodes.ts';
import { dispatch, matchesIn } from '../../../server/src/rules/engine/dispatch.ts';
import { callsOf, type Selector } from '../../../server/src/rules/engine/selector.ts';

const program = (...lines: string[]) => parseProgram(script('train.py', `${lines.join('\n')}\n`));

test('calls are found under all of their names', () => {
  const saves = callsOf('torch.save');
  const { text, ...rest } = program(
    'import functools, torch',
    'from torch import save as keep',
    'writer = torch.save',
    'store = functools.partial(torch.save, model)',
    'torch.save(model, "1.pt")',
    'keep(model, "2.pt")',
    'writer(model, "3.pt")',
    'store("4.pt")',
    'pick(torch)[0].save(model, "other.pt")',
    'save(model, "other.pt")',
  );
  const found = dispatch({ text, ...rest }, [saves]).of(saves);
  assert.deepEqual(
    found.map(({ call, args }) => [text.slice(call.func.start, call.func.end), args.length]),
    [
      ['torch.save', 2],
      ['keep', 2],
      ['writer', 2],
      ['store', 2],
    ],
  );
});

test('keywords, strings, uses, definitions and magics are found at their places', () => {
  const all: Selector<string> = {
    calls: { names: new Set(), hasKeyword: (name) => name === 'device', resolve: () => ['call'] },
    strings: { values: new Set(['cuda']), resolve: () => ['string'] },
    uses: { isWanted: (name) => name === 'cuda', resolve: () => ['use'] },
    definitions: { isWanted: (name) => name === 'device', resolve: () => ['definition'] },
    magics: { resolve: () => ['magic'] },
  };
  const text = '%env A=1\nf(device="cuda")\nx.cuda\ndevice = other = 1\n';
  const notebook: Source = { path: 'a.ipynb', kind: 'notebook', cells: [{ index: 0, text }] };
  const found = matchesIn(parseProgram(notebook), all);
  assert.deepEqual(found, ['call', 'string', 'use', 'definition', 'magic']);
});

test('a place is resolved once, and the result is reused', () => {
  let times = 0;
  const counting: Selector<Call> = {
    calls: {
      names: new Set(['load']),
      // Both paths lead to the same call.
      hasKeyword: (name) => name === 'f',
      resolve(call) {
        times++;
        return [call];
      },
    },
  };
  const selectors = [counting];
  const once = program('load(f=1)', 'save(2)');
  assert.equal(dispatch(once, selectors).of(counting).length, 1);
  assert.equal(dispatch(once, selectors).of(counting), matchesIn(once, counting));
  assert.equal(times, 1);
});

test('an error in a selector loses one match', () => {
  const brittle: Selector<Call> = {
    calls: {
      names: new Set(['load']),
      resolve(call) {
        if (call.args.length > 1) throw new Error('no such thing');
        return [call];
      },
    },
  };
  const working = callsOf('torch.load');
  const matches = dispatch(program('import torch', 'torch.load(1)', 'torch.load(1, 2)', 'torch.load(3)'), [
    brittle,
    working,
  ]);
  assert.equal(matches.of(brittle).length, 2);
  assert.deepEqual(matches.errorsOf(brittle).map(String), ['Error: no such thing']);
  assert.equal(matches.of(working).length, 3);
  assert.deepEqual(matches.errorsOf(working), []);
});

test("a program's checkpoints are known before any rule runs", () => {
  const named = program(
    'import torch, pickle',
    'ROOT = "runs/"',
    'torch.load(ROOT + "a.pt")',
    'torch.load("b.pt", map_location="cpu")',
    'torch.load("a" if x else y)',
    'torch.jit.load("runs/a.pt")',
    'open("c.txt")',
  );
  const texts = (options = {}) => namedCheckpoints(named, options).map(({ text }) => text);
  assert.deepEqual(texts(), ['runs/a.pt', 'b.pt']);
  assert.deepEqual(texts({ select: ['GPU101'] }), ['runs/a.pt']);
  assert.deepEqual(texts({ select: ['GPU202'] }), []);
});
