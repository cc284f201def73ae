import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layoutOf } from '../../server/src/python/comments.ts';

function comments(text: string): string[] {
  return layoutOf(text).comments.map(({ start, end }) => text.slice(start, end));
}

test('comments are found, number signs in strings are not comments', () => {
  assert.deepEqual(comments('x = 1 # a\r\n# b\rx # c'), ['# a', '# b', '# c']);
  for (const string of [
    '"# no"',
    "'# no \\' # no'",
    'r"\\" # no"',
    '"""# no\n" # no\n"" # no"""',
    "'''# no\n'''",
    'b"# no"',
    '"a\\\n# no"',
    '"a\\\r\n# no"',
    'f"{x["# no"]} # no"',
    'f"{x:{w}# no}"',
    "f'{x!r:>{len('# no')}} # no'",
    'f"{{# no"',
    'rf"""{x["""# no"""]} # no"""',
    'f"{f"{"# no"}"}"',
  ]) {
    assert.deepEqual(comments(`x = ${string} # yes\ny # yes`), ['# yes', '# yes'], string);
  }
});

test('a string that is not closed ends with its line', () => {
  assert.deepEqual(comments('x = "abc # no\ny = 1 # yes'), ['# yes']);
  assert.deepEqual(comments('x = f"{abc # no\ny = 1 # yes'), ['# yes']);
  assert.deepEqual(comments('x = f"{abc"  # yes\ny = 1 # yes'), ['# yes', '# yes']);
});
