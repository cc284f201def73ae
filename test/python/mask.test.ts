import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mask } from '../../server/src/python/mask.ts';

/** Texts with what is masked of them; a text that is Python stays as it is. */
const MASKED: Readonly<Record<string, readonly [text: string, masked: string]>> = {
  'a line magic': ['x = 1\n%time fit()\ny = 2\n', 'x = 1\n0          \ny = 2\n'],
  'a shell command in a block': ['if x:\n    !ls\n', 'if x:\n    0  \n'],
  'a magic that goes on below': ['!ls \\\n  -l\nx\n', '0    \n    \nx\n'],
  'a magic whose value is kept': ['files = !ls\n', '0          \n'],
  'a question about a name': ['torch.load??\r\nx\r\n', '0           \r\nx\r\n'],
  'a magic below a comment that ends in a backslash': ['# c:\\\n%time x\n', '# c:\\\n0      \n'],
  'a magic below a string that nobody closed': ['x = "a\n%time x\n', 'x = "a\n0      \n'],
  'two magics, the first with a bracket and a quote of its own': ["!echo (it's\n!ls\n", '0          \n0  \n'],
  'a magic below brackets': ['x = f([1])\n!ls\n', 'x = f([1])\n0  \n'],
  'a question with blanks behind it': ['load?  \n', '0      \n'],
  'a cell of another language': ['%%bash\nls\n', '      \n  \n'],
  'a timed cell': ['%%time\nx = 1\n', '0     \nx = 1\n'],
};

const PYTHON: Readonly<Record<string, string>> = {
  'a format string whose arguments stand below': 'print("%d"\n      % x)\n',
  'the same after a backslash': 'x = "%d" \\\n    % y\n',
  'the same with the line ends of Windows': 'x = "%d" \\\r\n    % y\r\n',
  'a line of a longer string': 'x = """\n%time\n!ls\nwhat?\n"""\n',
  'a line of a string that a backslash continues': "x = 'a \\\n%b'\n",
  'the same with the line ends of Windows, in a string': "x = 'a \\\r\n%b'\r\n",
  'a comment that asks': 'x = 1  # really?\n# why?\n',
  'a format of a value': 'print("loss=%f" % loss)\n',
  'an inequality': 'x = (a\n!= b)\n',
  'an inequality that is not written well': 'x =!= b\n',
  'a remainder': 'x = a % b\nx %= 2\n',
};

describe('what only IPython understands', () => {
  for (const [name, [text, masked]] of Object.entries(MASKED)) {
    it(`is masked: ${name}`, () => assert.equal(mask(text), masked));
  }
  for (const [name, text] of Object.entries(PYTHON)) {
    it(`is not ${name}`, () => assert.equal(mask(text), text));
  }
});
