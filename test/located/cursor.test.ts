import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cursorInToml, cursorInYaml } from '../../server/src/located/cursor.ts';

/** The cursor stands at the bar. */
function at(marked: string, read: (text: string, offset: number) => ReturnType<typeof cursorInYaml>) {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const cursor = read(text, offset);
  if (!cursor) return undefined;
  const { path, isKey, word, span } = cursor;
  const role = isKey === undefined ? 'either' : isKey ? 'key' : 'value';
  return `${path.join('/')} ${role} ${word} ${text.slice(span.start, span.end)}`;
}

const YAML: readonly (readonly [string, string | undefined])[] = [
  ['|', ' key  '],
  ['sel|', ' key sel sel'],
  ['sev|erity:\n  GPU101: off\n', ' key severity severity'],
  ['select: |', 'select value  '],
  ['select: GPU|', 'select value GPU GPU'],
  ['select: [GPU101, G|]', 'select/0 value G G'],
  ['select: [GPU101, "G|"]\n', 'select/0 value G "G"'],
  ['select:\n  - G|\n', 'select/0 either G G'],
  ['select:\n- |\n', 'select/0 either  '],
  ['ignore: [GPU1]\nseverity:\n  |', 'severity key  '],
  ['severity:\n  # a comment\n\n  GPU101: er|\n', 'severity/GPU101 value er er'],
  ['severity:\n  GPU101: error\n|', ' key  '],
  ['severity: { GPU101: e|', 'severity/GPU101 value e e'],
  ['severity: { GPU101: error, |', 'severity key  '],
  ['loaders:\n  - name: a.b\n    dev|', 'loaders/0 key dev dev'],
  ['loaders:\n  - name: a.b\n    position: 1\n    |', 'loaders/0 key  '],
  ['loaders:\n- na|', 'loaders/0 either na na'],
  ['guards:\n  functions: [a]\n  dec|', 'guards key dec dec'],
  ['per-file-ignores:\n  "*.py": [G|]', 'per-file-ignores/*.py/0 value G G'],
  ['frameworks:\n  torch:\n    ver|', 'frameworks/torch key ver ver'],
  ['select: [] # G|', undefined],
];

test('the place of the cursor in YAML', () => {
  for (const [marked, expected] of YAML) assert.equal(at(marked, cursorInYaml), expected, marked);
});

const OURS = '[tool.gpu-doctor]\n';
const TOML: readonly (readonly [string, string | undefined])[] = [
  ['|', undefined],
  ['[project]\nname = "|"\n', undefined],
  [`${OURS}|`, ' key  '],
  [`${OURS}sel|`, ' key sel sel'],
  [`${OURS}select = |`, 'select value  '],
  [`${OURS}select = ["GPU101", "G|"]`, 'select/0 value G "G"'],
  [`${OURS}select = [\n  "GPU101",\n  |\n]\n`, 'select/0 value  '],
  [`${OURS}select = []\n|`, ' key  '],
  [`${OURS}severity.GPU101 = "e|"`, 'severity/GPU101 value e "e"'],
  [`${OURS}severity = { GPU101 = "|" }`, 'severity/GPU101 value  ""'],
  ['[tool.gpu-doctor.severity]\n|', 'severity key  '],
  ['[tool.gpu-doctor.severity]\nGPU101 = |', 'severity/GPU101 value  '],
  ['[[tool.gpu-doctor.loaders]]\nna|', 'loaders/0 key na na'],
  ['[tool.gpu-doctor.|', ' key  '],
  [`${OURS}\n[tool.ruff]\nsel|`, undefined],
  [`${OURS}# sel|`, undefined],
];

test('the place of the cursor in a table of TOML', () => {
  const read = (text: string, offset: number) => cursorInToml(text, offset, ['tool', 'gpu-doctor']);
  for (const [marked, expected] of TOML) assert.equal(at(marked, read), expected, marked);
});
