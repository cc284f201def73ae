import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentsIn, layoutOf } from '../../server/src/python/comments.ts';
import { randomFrom } from '../random.ts';

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

/** What may begin or end strings and comments, and join lines. */
const PIECES =
  '\n|\n|\n|\n|\r\n|\r| |x|x = |#|# noqa|# noqa|"|\'|f"|"""|\'\'\'|rf"""|f\'\'\'|{|}|:|{{|(|)|\\|\\\n|\\\r\n'.split(
    '|',
  );

test('the wanted comments of an edited text are those that are found afresh', () => {
  const isWanted = (comment: string) => comment.includes('noqa');
  const random = randomFrom(20261123);
  const anything = (pieces: number) =>
    Array.from({ length: random(pieces) }, () => PIECES[random(PIECES.length)]).join('');
  for (let program = 0; program < 600; program++) {
    let text = anything(60);
    let found = commentsIn(text, isWanted);
    for (let step = 0; step < 20; step++) {
      const start = random(text.length + 1);
      const end = Math.min(text.length, start + (random(2) === 0 ? random(8) : 0));
      text = text.slice(0, start) + anything(4) + text.slice(end);
      found = commentsIn(text, isWanted, found);
      assert.deepEqual(found, commentsIn(text, isWanted), JSON.stringify(text));
      const all = layoutOf(text).comments.filter((comment) => isWanted(text.slice(comment.start, comment.end)));
      assert.deepEqual(found.comments, all, JSON.stringify(text));
    }
  }
});
