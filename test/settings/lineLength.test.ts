import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { findLineLengths } from '../../server/src/settings/lineLength.ts';
import { folderWith } from '../cli/run.ts';

const CASES: readonly [file: string, text: string, expected: number | undefined][] = [
  ['pyproject.toml', '[tool.black]\nline-length = 100\n', 100],
  ['pyproject.toml', '[tool.black]\ntarget-version = ["py310"]\n', 88],
  ['pyproject.toml', '[tool.ruff]\nline-length = 110\n[tool.black]\nline-length = 99\n', 110],
  ['pyproject.toml', '[tool.ruff.lint]\nselect = ["E"]\n', 88],
  ['pyproject.toml', '[tool.other]\nline-length = 110\n', undefined],
  ['pyproject.toml', '[project]\nname = "x"\n', undefined],
  ['ruff.toml', 'line-length = 79\n', 79],
  ['setup.cfg', '[metadata]\nname = x\n\n[flake8]\nmax-line-length = 120\n', 120],
  ['setup.cfg', '[yapf]\nbased_on_style = pep8\ncolumn_limit = 79\n', 79],
  ['tox.ini', '[pycodestyle]\nmax_line_length = 100\n', 100],
  ['.flake8', '[flake8]\nmax-line-length = many\n', undefined],
  ['.editorconfig', '[*]\nmax_line_length = 140\n[*.py]\nmax_line_length = 99\n', 99],
  ['.editorconfig', '[*.{js,py}]\nmax_line_length = 90\n', 90],
  ['.editorconfig', '[*.md]\nmax_line_length = 60\n', undefined],
  ['setup.cfg', '[flake8]\nmax-line-length = 9999\n', undefined],
];

test('the line length of a project is read from its files', async (t) => {
  for (const [file, text, expected] of CASES) {
    const folder = await folderWith(t, { [file]: text, 'pkg/a.py': '' });
    assert.equal(await findLineLengths().of(join(folder, 'pkg')), expected, `${file}: ${text}`);
  }
});
