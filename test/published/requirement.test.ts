/** One parser reads PEP 508 requirements as written by each generation of tools. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRequirement, specifierOf } from '../../server/src/published/requirement.ts';

const read = (text: string) => {
  const parsed = parseRequirement(text);
  return (
    parsed && [parsed.name, parsed.extras.map((extra) => extra.text), specifierOf(parsed.clauses.text), parsed.marker]
  );
};

test('name, extras, versions and condition are read', () => {
  for (const [text, wanted] of [
    ['torch', ['torch', [], '', '']],
    ['Torch_Vision >= 0.20 , < 1,', ['torch-vision', [], '>=0.20,<1', '']],
    [
      'nvidia-cudnn-cu12 (==8.9.2.26) ; platform_system == "Linux"',
      ['nvidia-cudnn-cu12', [], '==8.9.2.26', 'platform_system == "Linux"'],
    ],
    ['jax[cuda12, k8s]~=0.7', ['jax', ['cuda12', 'k8s'], '~=0.7', '']],
    ['torch==2.6.0+cu124;extra=="x"', ['torch', [], '==2.6.0+cu124', 'extra=="x"']],
    ['cupy.cuda12x===13.0', ['cupy-cuda12x', [], '===13.0', '']],
  ] as const)
    assert.deepEqual(read(text), wanted, text);
});

test('a URL replaces versions', () => {
  const parsed = parseRequirement('torch @ https://example.org/torch-2.6.0.whl ; sys_platform == "linux"');
  assert.equal(parsed?.url, 'https://example.org/torch-2.6.0.whl');
  assert.equal(parsed?.marker, 'sys_platform == "linux"');
});

test('an invalid requirement is rejected', () => {
  for (const text of [
    '',
    '-r other.txt',
    'torch 2.6',
    'torch^2.3',
    'torch[$(id)]',
    'torch==',
    '==2.6',
    './wheels/torch.whl',
  ])
    assert.equal(parseRequirement(text), undefined, text);
});

test('the parts of a requirement have their offsets', () => {
  const text = '  jax [cuda12,  k8s] >= 0.7 ; python_version > "3.9"';
  const parsed = parseRequirement(text);
  assert.ok(parsed);
  for (const part of [parsed.written, ...parsed.extras, parsed.clauses])
    assert.equal(text.slice(part.start, part.start + part.text.length), part.text);
  assert.equal(text.slice(parsed.written.start, parsed.end), 'jax [cuda12,  k8s] >= 0.7');
});

test('hundreds of clauses are read, and thousands are no requirement', () => {
  const withClauses = (count: number) => `torch${Array.from({ length: count }, (_, at) => `!=1.${at}`).join(',')}`;
  assert.equal(parseRequirement(withClauses(400))?.name, 'torch');
  assert.equal(parseRequirement(withClauses(5000)), undefined);
});
