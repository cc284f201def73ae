import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ignoringRules, withChanges } from '../../server/src/settings/ignoreRules.ts';

/** The changed text, line by line; undefined if nothing changes. */
function ignoring(file: string, text: string, ...codes: string[]): string | undefined {
  const changes = ignoringRules(`/project/${file}`, text, codes.length === 0 ? ['GPU101'] : codes);
  return changes && withChanges(text, changes);
}

const YAML = '.gpu-doctor.yaml';
const TOML = 'pyproject.toml';

for (const [what, file, before, after] of [
  ['an empty file', YAML, '', 'ignore: [GPU101]\n'],
  ['a file with only comments', YAML, '# ours\n', '# ours\nignore: [GPU101]\n'],
  ['other settings', YAML, 'exclude: [a/]  # old\n', 'exclude: [a/]  # old\nignore: [GPU101]\n'],
  ['a last line without a line end', YAML, 'exclude: [a/]', 'exclude: [a/]\nignore: [GPU101]\n'],
  [
    'a list on one line',
    YAML,
    'ignore: [GPU301] # loud\nexclude: []\n',
    'ignore: [GPU301, GPU101] # loud\nexclude: []\n',
  ],
  ['an empty list', YAML, 'ignore: []\n', 'ignore: [GPU101]\n'],
  [
    'a multi-line list with comments',
    YAML,
    'ignore:\n  - GPU301  # keras\n  - "GPU4"  # apple\n# end\n',
    'ignore:\n  - GPU301  # keras\n  - "GPU4"  # apple\n  - GPU101\n# end\n',
  ],
  ['an unindented list', YAML, 'ignore:\n- GPU301\nexclude: []', 'ignore:\n- GPU301\n- GPU101\nexclude: []'],
  ['Windows line ends', YAML, 'ignore:\r\n  - GPU301\r\n', 'ignore:\r\n  - GPU301\r\n  - GPU101\r\n'],
  ['no file yet', TOML, '', '[tool.gpu-doctor]\nignore = ["GPU101"]\n'],
  [
    'a file with other settings',
    TOML,
    '[project]\nname = "x"  # mine\n',
    '[project]\nname = "x"  # mine\n\n[tool.gpu-doctor]\nignore = ["GPU101"]\n',
  ],
  [
    'an existing table',
    TOML,
    '[tool.gpu-doctor]  # settings\nexclude = ["a/"]\n\n[tool.ruff]\nignore = ["E501"]\n',
    '[tool.gpu-doctor]  # settings\nignore = ["GPU101"]\nexclude = ["a/"]\n\n[tool.ruff]\nignore = ["E501"]\n',
  ],
  [
    'an existing list',
    TOML,
    '[tool.gpu-doctor]\nignore = ["GPU301"]  # keras\n',
    '[tool.gpu-doctor]\nignore = ["GPU301", "GPU101"]  # keras\n',
  ],
  [
    'a multi-line list',
    TOML,
    '[tool.gpu-doctor]\nignore = [\n    "GPU301",  # keras\n    "GPU4",  # apple\n]\n',
    '[tool.gpu-doctor]\nignore = [\n    "GPU301",  # keras\n    "GPU4",  # apple\n    "GPU101",\n]\n',
  ],
  [
    'a multi-line list without a trailing comma',
    TOML,
    '[tool.gpu-doctor]\nignore = [\n  "GPU301" # keras\n]\n',
    '[tool.gpu-doctor]\nignore = [\n  "GPU301", # keras\n  "GPU101"\n]\n',
  ],
  [
    'dotted keys',
    TOML,
    '[tool]\ngpu-doctor.ignore = ["GPU301"]\n',
    '[tool]\ngpu-doctor.ignore = ["GPU301", "GPU101"]\n',
  ],
] as const)
  test(`a rule is ignored in ${what} (${file})`, () => {
    assert.equal(ignoring(file, before), after);
    // A second request changes nothing.
    assert.equal(ignoring(file, after), undefined);
  });

test('nothing is written if it would have another effect', () => {
  assert.equal(ignoring(YAML, 'ignroe: []\n'), undefined);
  assert.equal(ignoring(YAML, '{ exclude: [a/] }\n'), undefined);
  assert.equal(ignoring(YAML, 'ignore: [GPU101]\n'), undefined);
  assert.equal(ignoring(YAML, 'ignore: [\n'), undefined);
  assert.equal(ignoring(YAML, 'exclude: [a/]\n...\n'), undefined);
  assert.equal(ignoring(TOML, '[tool]\ngpu-doctor = { exclude = ["a/"] }\n'), undefined);
  assert.equal(ignoring(TOML, '[tool.gpu-doctor\n'), undefined);
});

test('two rules are ignored together, and one that is ignored already is not repeated', () => {
  assert.equal(ignoring(YAML, '', 'GPU101', 'GPU202'), 'ignore: [GPU101, GPU202]\n');
  assert.equal(ignoring(YAML, 'ignore:\n  - GPU101\n', 'GPU101', 'GPU202'), 'ignore:\n  - GPU101\n  - GPU202\n');
  const brackets = (items: string) => `[tool.gpu-doctor]\nignore = [\n${items}\n]\n`;
  assert.equal(
    ignoring(TOML, brackets('  "GPU301"'), 'GPU101', 'GPU202'),
    brackets('  "GPU301",\n  "GPU101",\n  "GPU202"'),
  );
});
