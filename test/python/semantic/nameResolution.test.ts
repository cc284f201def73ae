import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { askedArgument } from './askedArgument.ts';

/** Programs, and the dotted names of the expression they ask about. */
const QUALIFIED: readonly (readonly [what: string, text: string, names: readonly string[]])[] = [
  ['an import', 'import torch\nask(torch.load)', ['torch.load']],
  ['an import under another name', 'import torch as th\nask(th.load)', ['torch.load']],
  [
    'an import of a submodule',
    'import torch.nn.functional\nask(torch.nn.functional.relu)',
    ['torch.nn.functional.relu'],
  ],
  ['an imported name', 'from torch import load as restore\nask(restore)', ['torch.load']],
  ['a relative import', 'from ..models import load\nask(load)', ['..models.load']],
  ['an import from the package itself', 'from . import models\nask(models.load)', ['.models.load']],
  ['an alias', 'import torch\nrestore = torch.load\nask(restore)', ['torch.load']],
  ['an alias of an alias', 'import torch\na = torch\nb = a\nask(b.load)', ['torch.load']],
  [
    'an attribute',
    'import torch\nclass A:\n    def f(self):\n        self.load = torch.load\n        ask(self.load)',
    ['torch.load'],
  ],
  [
    'an attribute that another method sets',
    'import torch\nclass A:\n    def __init__(self):\n        self.load = torch.load\n    def f(self):\n        ask(self.load)',
    ['torch.load'],
  ],
  [
    'an attribute of a base class',
    'import torch\nclass B:\n    load = torch.load\nclass A(B):\n    def f(self):\n        ask(self.load)',
    ['torch.load'],
  ],
  [
    'either of two',
    'import torch, numpy\nload = torch.load if x else numpy.load\nask(load)',
    ['torch.load', 'numpy.load'],
  ],
  [
    'an import in a branch',
    'try:\n    import torch\nexcept ImportError:\n    torch = None\nask(torch.load)',
    ['torch.load'],
  ],
  ['a walrus', 'import torch\nask((load := torch.load))', ['torch.load']],
  ['a star import', 'from torch import *\nask(load)', ['torch.load']],
  [
    'a global set in a function',
    'import torch\ndef f():\n    global load\n    load = torch.load\ndef g():\n    ask(load)',
    ['torch.load'],
  ],
  [
    'a name of the enclosing function',
    'def f():\n    import torch\n    def g():\n        ask(torch.load)',
    ['torch.load'],
  ],
  [
    'the Keras of TensorFlow',
    'import tensorflow.compat.v1 as tf\nask(tf.keras.models.load_model)',
    ['keras.models.load_model'],
  ],
  ['a capture of a pattern', 'import torch\nmatch x:\n    case torch:\n        ask(torch.load)', []],
  ['a name shadowed by a parameter', 'from torch import load\ndef f(load):\n    ask(load)', []],
  ['a name shadowed by an assignment', 'from torch import load\nload = 1\nask(load)', []],
  [
    'a name of a class body, from a method',
    'class A:\n    from torch import load\n    def f(self):\n        ask(load)',
    [],
  ],
  [
    'the variable of a comprehension, after it',
    'import torch\n[torch for torch in x]\nask(torch.load)',
    ['torch.load'],
  ],
  ['an unknown name', 'ask(load)', []],
];

describe('a name resolves', () => {
  for (const [what, text, names] of QUALIFIED)
    it(`${what}: ${names.join(' or ') || 'to nothing'}`, () => {
      const { program, expression } = askedArgument(text);
      assert.deepEqual(program.names.qualify(expression), names);
    });
});

/** Programs, and the lines of the definitions that reach the use they ask about. */
const REACHING: readonly (readonly [what: string, text: string, lines: readonly number[]])[] = [
  ['the last assignment', 'x = 1\nx = 2\nask(x)', [2]],
  ['both branches', 'if a:\n    x = 1\nelse:\n    x = 2\nask(x)', [2, 4]],
  ['a branch, and the earlier definition', 'x = 1\nif a:\n    x = 2\nask(x)', [2 + 1, 1]],
  ['not a branch that exits', 'def f():\n    x = 1\n    if a:\n        x = 2\n        return\n    ask(x)', [2]],
  ['not a path that ends the program', 'x = 1\nif a:\n    x = 2\n    sys.exit()\nask(x)', [1]],
  ['an earlier iteration of a loop', 'x = 1\nfor i in y:\n    ask(x)\n    x = 2', [1, 4]],
  ['the last iteration of a loop', 'x = 1\nfor i in y:\n    x = 2\nask(x)', [1, 3]],
  ['the break of an endless loop', 'x = 1\nwhile True:\n    x = 2\n    break\nask(x)', [3]],
  ['any definition of a try block, in its handler', 'x = 1\ntry:\n    x = 2\n    f()\nexcept E:\n    ask(x)', [1, 3]],
  ['its last definition, after it', 'try:\n    x = 1\nexcept E:\n    raise\nask(x)', [2]],
  ['each case', 'match a:\n    case 1:\n        x = 1\n    case _:\n        x = 2\nask(x)', [3, 5]],
  ['a parameter', 'def f(x):\n    ask(x)', [1]],
  ['the end of the module, from a function', 'x = 1\ndef f():\n    ask(x)\nx = 2', [4]],
  ['an augmented assignment', 'x = 1\nx += 2\nask(x)', [2]],
  ['one of several targets', 'x, y = 1, 2\nask(y)', [1]],
  ['an item of a path', 'c = {}\nc["gpu"] = 1\nc["gpu"] = 2\nask(c["gpu"])', [3]],
  ['the variable of a comprehension', 'x = 1\ny = [ask(x)\n     for x in z]', [3]],
];

describe('the definitions that reach a use', () => {
  for (const [what, text, lines] of REACHING)
    it(`are ${what}`, () => {
      const { program, expression } = askedArgument(text);
      const isUse = expression.kind === 'Name' || expression.kind === 'Attribute' || expression.kind === 'Subscript';
      assert.ok(isUse);
      const found = program.names
        .definitionsOf(expression)
        .map(({ node }) => program.placeOf(node?.start ?? -1).line + 1);
      assert.deepEqual(found.sort(), [...lines].sort());
    });
});
