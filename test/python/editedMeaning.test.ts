import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { loadParser, type Program, parseProgram } from '../../server/src/python/program.ts';
import { script } from '../../server/src/python/source.ts';
import { check } from '../../server/src/rules/check.ts';
import { randomFrom } from '../random.ts';

/** Statements that call and hand on functions, set attributes and use them, make sure of a GPU, and need one. */
const STATEMENTS = [
  'one(net)',
  'two(net, one)',
  'x = three()',
  'self.fit(1)',
  'net.fit(1)',
  'net = Trainer()',
  'Trainer().fit()',
  'self.net = Tuner()',
  'self.net.fit(2)',
  'super().__init__()',
  'call = two',
  'lambda: one(1)',
  'print(ready())',
  'mp.spawn(three, nprocs=count)',
  'assert torch.cuda.is_available()',
  'return torch.cuda.is_available()',
  'return',
  'fast = torch.cuda.is_available()',
  'net.cuda()',
  'net.to("cuda:1")',
  'torch.load("net.pt")',
  'self.net = torch.load',
  'self.net("net.pt")',
  'self.layer = Layer(net)',
  'self.fast = torch.cuda.is_available()',
  'self.fast = False',
  'self.device = "cuda:1"',
  'self.device = "cpu"',
  'net.to(self.device)',
];
const TESTS = ['torch.cuda.is_available()', 'not torch.cuda.is_available()', 'ready()', 'fast', 'net', 'self.fast'];

const verdicts = (program: Program) =>
  check(program).map(({ code, severity, span, related }) => [code, severity, span.start, span.end, related.length]);

before(loadParser);

it('judges what is called and assigned after an edit as it would judge it afresh', () => {
  const random = randomFrom(20261122);
  const any = (list: readonly string[]) => list[random(list.length)] ?? '';
  const statement = (indentation: string): string[] =>
    random(4) > 0
      ? [indentation + any(STATEMENTS)]
      : [`${indentation}if ${any(TESTS)}:`, `${indentation}    ${any(STATEMENTS)}`];
  const block = (head: string, indentation = '    ') => [
    head,
    ...Array.from({ length: 1 + random(3) }, () => statement(indentation)).flat(),
  ];
  const methods = () => [
    ...block('    def __init__(self):', '        '),
    ...block('    def fit(self, net=None):', '        '),
  ];
  let kept = 0;
  for (let round = 0; round < 60; round++) {
    const lines = [
      ...['import torch', 'import torch.multiprocessing as mp'],
      ...['one', 'two', 'ready'].flatMap((name) => block(`def ${name}(net=None):`)),
      ...['class Trainer:', ...methods(), 'class Tuner(Trainer):', ...methods()],
      ...[...block('def three(net=None):'), ...statement(''), ...statement('')],
    ];
    let program = parseProgram(script('/train.py', lines.join('\n')));
    for (let step = 0; step < 25; step++) {
      const era = verdicts(program) && program.conclusions.era;
      const index = 2 + random(lines.length - 2);
      const line = lines[index] ?? '';
      if (/^ *(?:def|class) /.test(line)) continue;
      const indentation = /^ */.exec(line)?.[0] ?? '';
      lines[index] = indentation + (/^ *if /.test(line) ? `if ${any(TESTS)}:` : any(STATEMENTS));
      const text = lines.join('\n');
      program = parseProgram(script('/train.py', text), program);
      assert.deepEqual(
        verdicts(program),
        verdicts(parseProgram(script('/train.py', text))),
        `${index}: ${line}\n${text}`,
      );
      if (program.conclusions.era === era) kept++;
    }
  }
  assert.ok(kept > 500, `most edits leave conclusions as they are: ${kept} did`);
});
