import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { askedArgument } from './askedArgument.ts';

/**
 * Programs, and the possible literals of the expression they ask about; `default` marks those that a user can change.
 */
const LITERALS: readonly (readonly [what: string, text: string, values: readonly (string | number)[]])[] = [
  ['itself', 'ask("cuda:1")', ['cuda:1']],
  ['with its escapes decoded', 'ask("a\\x62")', ['ab']],
  ['in parts', 'ask("cuda" ":" "0")', ['cuda:0']],
  ['an f-string without fields', 'ask(f"cuda")', ['cuda']],
  ['not an f-string with fields', 'ask(f"cuda:{i}")', []],
  ['not bytes', 'ask(b"cuda")', []],
  ['a number', 'n = 1\nask(n)', [1]],
  ['either branch of a conditional expression', 'ask("cuda" if x else "cpu")', ['cuda', 'cpu']],
  ['a fallback', 'ask(device or "cuda")', ['default cuda']],
  ['all assigned values', 'd = "cpu"\nif x:\n    d = "cuda"\nask(d)', ['cuda', 'cpu']],
  ['the items of a tuple', 'ask(("cuda:0", "cuda:1"))', ['cuda:0', 'cuda:1']],
  ['one item', 'd = ["cuda:0", "cuda:1"]\nask(d[1])', ['cuda:1']],
  ['the entry of a key', 'd = {"a": "cuda", "b": "cpu"}\nask(d["b"])', ['cpu']],
  ['the items that a loop iterates', 'for d in ("cuda:0", "cuda:1"):\n    ask(d)', ['cuda:0', 'cuda:1']],
  ['the default of a parameter', 'def f(d="cuda"):\n    ask(d)', ['default cuda']],
  ['the default of a keyword-only parameter', 'def f(*, d="cuda"):\n    ask(d)', ['default cuda']],
  ['the default of an option', 'p.add_argument("--device", default="cuda")\nask(args.device)', ['default cuda']],
  [
    'the field of a dataclass',
    '@dataclass\nclass C:\n    device: str = "cuda"\n    def f(self):\n        ask(self.device)',
    ['default cuda'],
  ],
  [
    'an attribute of the object',
    'class C:\n    def __init__(self):\n        self.d = "cuda"\n    def f(self):\n        ask(self.d)',
    ['cuda'],
  ],
  ['not the result of a call', 'ask(pick("cuda"))', []],
];

describe('an expression may hold', () => {
  for (const [what, text, values] of LITERALS)
    it(what, () => {
      const { program, expression } = askedArgument(text);
      const found = program.values
        .literalsOf(expression)
        .map(({ value, isDefault }) => (isDefault ? `default ${value}` : value));
      assert.deepEqual([...new Set(found)].sort(), [...values].sort());
    });
});
