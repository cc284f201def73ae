import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { loadParser, type Program, parseProgram } from '../../server/src/python/program.ts';
import { script } from '../../server/src/python/source.ts';
import { check } from '../../server/src/rules/check.ts';

const verdicts = (program: Program) =>
  check(program).map(({ code, severity, span }) => `${program.text.slice(span.start, span.end)} ${code} ${severity}`);

/** Edits in the body of one function that make another thing of what stands outside of it, or in it. */
const STORIES: Readonly<Record<string, { text: string; from: string; to: string }>> = {
  'an attribute is set': {
    text: `class Trainer:
    def prepare(self):
        self.fast = False

    def run(self, net):
        if self.fast:
            net.cuda()
`,
    from: 'False',
    to: 'torch.cuda.is_available()',
  },
  'an attribute is set for the first time': {
    text: `def prepare(args):
    pass


def run(args, net):
    if args.fast:
        net.cuda()
`,
    from: 'pass',
    to: 'args.fast = torch.cuda.is_available()',
  },
  'an option is declared': {
    text: `def parse(parser):
    parser.add_argument("--gpu", default=False)


def run(args, net):
    if args.gpu:
        net.cuda()
`,
    from: 'default=False',
    to: 'default=True',
  },
  'a function answers another thing': {
    text: `def ready():
    return True


def run(net):
    if ready():
        net.cuda()
`,
    from: 'return True',
    to: 'return torch.cuda.is_available()',
  },
  'a function is called without a guard': {
    text: `def main(net):
    if torch.cuda.is_available():
        run(net)


def run(net):
    net.cuda()
`,
    from: '        run(net)',
    to: '        print(net)\n    run(net)',
  },
  'a function is called for the first time': {
    text: `def main(net):
    if torch.cuda.is_available():
        print(net)


def run(net):
    net.cuda()
`,
    from: 'print(net)',
    to: 'run(net)',
  },
  'a constructor makes sure of a GPU': {
    text: `class Trainer:
    def __init__(self, net):
        print(net)

    def run(self, net):
        net.cuda()
`,
    from: 'print(net)',
    to: 'assert torch.cuda.is_available()',
  },
  'a function within is called without a guard': {
    text: `def main(net):
    def inner():
        net.cuda()
    if torch.cuda.is_available():
        inner()
`,
    from: '        inner()',
    to: '        print(net)\n    inner()',
  },
  'a function within is new, and called under a guard': {
    text: `def main(net):
    print(net)


def run(net):
    net.cuda()
`,
    from: 'print(net)',
    to: 'def inner():\n        net.cuda()\n    net.cuda()\n    if torch.cuda.is_available():\n        inner()',
  },
  'a name is another function below': {
    text: `def main(path):
    load = torch.load
    if path:
        return load(path)
`,
    from: 'torch.load',
    to: 'json.load',
  },
  'a name gets another value above its use': {
    text: `def run(net):
    fast = False
    if fast:
        net.cuda()
    for batch in net:
        if fast:
            batch.cuda()
`,
    from: 'fast = False',
    to: 'fast = torch.cuda.is_available()',
  },
  'a global is set': {
    text: `FAST = False


def prepare():
    print("FAST")


def run(net):
    if FAST:
        net.cuda()
`,
    from: 'print("FAST")',
    to: 'global FAST; FAST = torch.cuda.is_available()',
  },
};

describe('the meaning of a program after an edit within a function', () => {
  before(loadParser);

  for (const [name, story] of Object.entries(STORIES)) {
    it(`is another one where ${name}`, () => {
      const text = `import json\nimport torch\n\n\n${story.text}`;
      const edited = text.replace(story.from, story.to);
      let program = parseProgram(script('/train.py', text));
      const first = verdicts(program);
      program = parseProgram(script('/train.py', edited), program);
      assert.ok(program.parsed[0]?.edited, 'the edit lies within a function');
      const second = verdicts(program);
      assert.notDeepEqual(second, first);
      assert.deepEqual(second, verdicts(parseProgram(script('/train.py', edited))));
      program = parseProgram(script('/train.py', text), program);
      assert.deepEqual(verdicts(program), first);
    });
  }

  it('is that of the text that is read at last, however broken it was on the way', () => {
    const text = 'import torch\n\n\ndef run(net):\n    net.half()\n\n\ndef other(net):\n    net.cuda()\n';
    const last = text.replace('net.half()', 'x = net.cuda()');
    let program = parseProgram(script('/train.py', text));
    const other = verdicts(program);
    for (const typed of ['', 'x', 'x = ', 'x = net.', 'x = net.cuda(', 'x = net.cuda()']) {
      const now = script('/train.py', text.replace('net.half()', typed));
      program = parseProgram(now, program);
      assert.equal(program.hasErrors, /^$|[=(]\s*$|\.$/.test(typed), typed);
      if (!program.hasErrors) assert.equal(verdicts(program).length, typed.includes('cuda') ? 2 : 1);
    }
    assert.deepEqual(verdicts(program), verdicts(parseProgram(script('/train.py', last))));
    assert.deepEqual(verdicts(parseProgram(script('/train.py', text), program)), other);
  });
});
