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
  'an attribute is a loader': {
    text: `class Trainer:
    def prepare(self):
        self.read = print

    def run(self):
        self.read("net.pt")
`,
    from: 'print',
    to: 'torch.load',
  },
  'a file is saved': {
    text: `def keep(net):
    print(net)


def restore():
    return torch.load("net.pt")
`,
    from: 'print(net)',
    to: 'torch.save(net, "net.pt")',
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
  'the test around a statement is another one': {
    text: `class Trainer:
    def prepare(self, fast):
        self.fast = False
        if fast:
            self.fast = True

    def run(self, net):
        if self.fast:
            net.cuda()
`,
    from: 'if fast:',
    to: 'if torch.cuda.is_available():',
  },
  'the test of a loop is another one': {
    text: `def main(net):
    while net.waits():
        start(net)


def start(net):
    net.cuda()
`,
    from: 'net.waits()',
    to: 'torch.cuda.is_available()',
  },
  'a loop is over another thing': {
    text: `def main(net):
    for gpu in range(2):
        start(net)


def start(net):
    net.cuda()
`,
    from: 'range(2)',
    to: 'range(torch.cuda.device_count())',
  },
  'another error is caught': {
    text: `def main(net):
    try:
        start(net)
    except ValueError:
        print(1)


def start(net):
    net.cuda()
`,
    from: 'ValueError',
    to: 'RuntimeError',
  },
  'one more error is caught': {
    text: `def main(net):
    try:
        start(net)
    except ValueError:
        print(1)


def start(net):
    net.cuda()
`,
    from: 'print(1)\n',
    to: 'print(1)\n    except RuntimeError:\n        print(2)\n',
  },
  'a function is called below a block that is edited too': {
    text: `def main(net):
    if torch.cuda.is_available():
        start(net)
    if net:
        print(1)


def start(net):
    net.cuda()
`,
    from: 'print(1)',
    to: 'print(2)\n    start(net)',
  },
  'a block is put below one that is edited too': {
    text: `def main(net):
    if net:
        print(1)


def start(net):
    net.cuda()
`,
    from: 'print(1)',
    to: 'print(2)\n    if torch.cuda.is_available():\n        start(net)',
  },
  'an error is bound to another name': {
    text: `def main(net):
    fast = torch.cuda.is_available()
    try:
        print(1)
    except ValueError as slow:
        print(2)
    if fast:
        start(net)


def start(net):
    net.cuda()
`,
    from: 'slow',
    to: 'fast',
  },
  'errors are suppressed': {
    text: `def main(net):
    with net.timer():
        start(net)


def start(net):
    net.cuda()
`,
    from: 'net.timer()',
    to: 'contextlib.suppress(RuntimeError)',
  },
  'a call goes to another branch': {
    text: `def main(net):
    if torch.cuda.is_available():
        print(1)
        start(net)


def start(net):
    net.cuda()
`,
    from: '        start(net)',
    to: '    else:\n        start(net)',
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

/** Edits outside of functions that make another thing of what is within them. */
const OUTSIDE: typeof STORIES = {
  'a name is a loader': {
    text: `read = print


def run():
    return read("net.pt")
`,
    from: 'print',
    to: 'torch.load',
  },
  'a parameter takes a device': {
    text: `def place(net, kind):
    print(net, kind)


def run(net):
    place(net, "cuda:1")
`,
    from: 'kind):',
    to: 'device):',
  },
  'a name gets another value': {
    text: `FAST = False


def run(net):
    if FAST:
        net.cuda()
`,
    from: 'False',
    to: 'torch.cuda.is_available()',
  },
  'a name is bound in an expression': {
    text: `FAST = False
print(1)


def run(net):
    if FAST:
        net.cuda()
`,
    from: 'print(1)',
    to: 'print(FAST := torch.cuda.is_available())',
  },
  'a name is bound in an annotation': {
    text: `FAST = False
print(1)


def run(net):
    if FAST:
        net.cuda()
`,
    from: 'print(1)',
    to: 'RATE: (FAST := torch.cuda.is_available()) = 3',
  },
  'a name is bound to a list of what has the same name': {
    text: `FAST = False
print(1)


def run(net):
    if FAST:
        net.cuda()
`,
    from: 'print(1)',
    to: 'FAST = [FAST for FAST in range(2) if torch.cuda.is_available()]',
  },
  'a name gets another value in place': {
    text: `FAST = True
print(1)


def run(net):
    if FAST:
        net.cuda()
`,
    from: 'print(1)',
    to: 'FAST &= torch.cuda.is_available()',
  },
  'an attribute is set': {
    text: `args.fast = False


def run(net):
    if args.fast:
        net.cuda()
`,
    from: 'False',
    to: 'torch.cuda.is_available()',
  },
  'a function is called': {
    text: `def run(net):
    net.cuda()


if torch.cuda.is_available():
    run(net)
print(1)
`,
    from: 'print(1)',
    to: 'run(net)',
  },
  'an option is declared': {
    text: `parser.add_argument("--gpu", default=False)


def run(args, net):
    if args.gpu:
        net.cuda()
`,
    from: 'default=False',
    to: 'default=True',
  },
  'the program ends': {
    text: `def run(net):
    net.cuda()


if torch.cuda.is_available():
    run(net)
print(1)
run(net)
`,
    from: 'print(1)',
    to: 'sys.exit(1)',
  },
  'all tests are marked': {
    text: `marks = 1


def test_run(net):
    net.cuda()
`,
    from: 'marks = 1',
    to: 'pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")',
  },
  'no test is marked any more, nor what they call': {
    text: `pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")


def run(net):
    net.cuda()


def test_run(net):
    run(net)
`,
    from: 'pytestmark',
    to: 'marks',
  },
};

/** The edit, where `lies` says, makes another thing of the program, and undoing it what it was. */
function tell(story: (typeof STORIES)[string], imports: string, lies: 'editedModule' | 'editedFunction'): void {
  const text = `${imports}${story.text}`;
  const edited = text.replace(story.from, story.to);
  let program = parseProgram(script('/train.py', text));
  const first = verdicts(program);
  program = parseProgram(script('/train.py', edited), program);
  assert.ok(program.parsed[0]?.[lies], `no ${lies}`);
  const second = verdicts(program);
  assert.notDeepEqual(second, first);
  assert.deepEqual(second, verdicts(parseProgram(script('/train.py', edited))));
  program = parseProgram(script('/train.py', text), program);
  assert.deepEqual(verdicts(program), first);
}

describe('the meaning of a program after an edit outside of functions', () => {
  before(loadParser);

  for (const [name, story] of Object.entries(OUTSIDE)) {
    it(`is another one where ${name}`, () => tell(story, 'import pytest\nimport torch\n\n', 'editedModule'));
  }

  it('is the same where nobody uses what is written, and what is called has the callers that it needs', () => {
    const text = `import torch

if torch:
    print()
    RATE = 3e-4


def run(net):
    net.cuda()


def other(net):
    net.cuda()


if torch.cuda.is_available():
    run(1)
`;
    const kept = ['', 'R', 'RATE', 'RATE = 3', 'RATE = max(3, 4)', 'other(2)', 'RATE = other'];
    for (const calls of ['run', 'run(2)', 'RATE = run']) {
      let program = parseProgram(script('/train.py', text));
      const first = verdicts(program);
      const concluded = program.remembered.last?.meaning.conclusions.callees;
      for (const typed of [...kept, calls]) {
        const now = text.replace('RATE = 3e-4', typed);
        const isSame = typed !== calls;
        program = parseProgram(script('/train.py', now), program);
        assert.deepEqual(verdicts(program), isSame ? first : verdicts(parseProgram(script('/train.py', now))), typed);
        assert.equal(program.remembered.last?.meaning.conclusions.callees === concluded, isSame, typed);
      }
    }
  });
});

describe('the meaning of a program after an edit within a function', () => {
  before(loadParser);

  for (const [name, story] of Object.entries(STORIES)) {
    it(`is another one where ${name}`, () => tell(story, 'import json\nimport torch\n\n\n', 'editedFunction'));
  }

  it('is that of all edits since somebody asked for it', () => {
    const text = `import torch


class Trainer:
    def prepare(self):
        self.fast = False
        RATE = 3e-4

    def run(self, net):
        if self.fast:
            net.cuda()
`;
    const edits = [
      (before: string) => before.replace('False', 'torch.cuda.is_available()'),
      (before: string) => before.replace('3e-4', '3'),
    ];
    for (const [one, other] of [edits, edits.toReversed()]) {
      let program = parseProgram(script('/train.py', text));
      const first = verdicts(program);
      const between = one?.(text) ?? '';
      const last = other?.(between) ?? '';
      for (const now of [between, last]) program = parseProgram(script('/train.py', now), program);
      assert.notDeepEqual(verdicts(program), first);
      assert.deepEqual(verdicts(program), verdicts(parseProgram(script('/train.py', last))));
    }
  });

  it('is the same where nobody uses what is written', () => {
    const text = `import torch


class Trainer:
    def __init__(self, net):
        self.fast = torch.cuda.is_available()
        assert ready()
        RATE = 3e-4
        def inner():
            net.cuda()
        if self.fast:
            inner()

    def run(self, net):
        RATE = 1
        if self.fast:
            net.cuda(RATE)


def ready():
    print()
    RATE = 3e-4
    return torch.cuda.is_available()


def guarded(net):
    net.cuda()


def run(net):
    if torch.cuda.is_available():
        guarded(net)
    with torch.no_grad():
        for batch in net:
            RATE = 3e-4
            print(batch)
        else:
            RATE = 3e-4
            print()
    try:
        while net:
            print()
            RATE = 3e-4
    except ValueError as error:
        RATE = 3e-4
        print(error)
    finally:
        if ready():
            print(1)
        elif net:
            print(2)
            RATE = 3e-4
        else:
            net.cuda()
    if ready():
        net.cuda()
    net.cuda()
`;
    for (const line of text.matchAll(/RATE = 3e-4/g)) {
      let program = parseProgram(script('/train.py', text));
      const first = verdicts(program);
      const concluded = program.remembered.last?.meaning.conclusions.callees;
      const kept = ['', 'R', 'RATE', 'RATE = 3', 'self.rate = self.rate = 3', 'self.a, b = max(3, lambda c: 4)'];
      for (const typed of [...kept, 'RATE = run', 'RATE = guarded']) {
        const now = text.slice(0, line.index) + typed + text.slice(line.index + line[0].length);
        program = parseProgram(script('/train.py', now), program);
        const isSame = typed !== 'RATE = guarded';
        assert.deepEqual(verdicts(program), isSame ? first : verdicts(parseProgram(script('/train.py', now))), typed);
        assert.equal(program.remembered.last?.meaning.conclusions.callees === concluded, isSame, typed);
      }
    }
  });

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
