import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join, normalize, resolve } from 'node:path';
import { test } from 'node:test';
import { ConfigurationError, findConfigurations, readConfiguration } from '../../server/src/settings/configuration.ts';
import { isExcluded, optionsFor } from '../../server/src/settings/settings.ts';
import { folderWith } from '../cli/run.ts';

const YAML = `select: [GPU1]
ignore:
  - GPU900
severity:
  GPU101: error
exclude: ["*.gen.py", /build/]
per-file-ignores:
  "tests/**": [GPU1]
loaders:
  - name: mylib.io.load
    device-parameter: map_location
    position: 2
vendored: [lib/nets/, "!vendor/own/"]
baseline: ci/baseline.json
guards:
  functions: [mylib.has_gpu]
`;

const TOML = `[project]
name = "x"
[tool.gpu-doctor]
select = ["GPU1"]
ignore = [
  "GPU900",
]
severity.GPU101 = "error"
exclude = ["*.gen.py", "/build/"]
per-file-ignores = { "tests/**" = ["GPU1"] }
vendored = ["lib/nets/", "!vendor/own/"]
baseline = "ci/baseline.json"
[[tool.gpu-doctor.loaders]]
name = "mylib.io.load"
device-parameter = "map_location"
position = 2
[tool.gpu-doctor.guards]
functions = ["mylib.has_gpu"]
`;

async function problemsOf(path: string, text: string): Promise<string[]> {
  const { settings, problems } = await readConfiguration(path, text);
  assert.equal(settings, undefined);
  for (const { span } of problems) assert.ok(span.start <= span.end && span.end <= text.length);
  return problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

test('YAML and TOML are equivalent', async () => {
  const yaml = await readConfiguration('/x/.gpu-doctor.yaml', YAML);
  const toml = await readConfiguration('/x/pyproject.toml', TOML);
  assert.deepEqual(yaml.problems, []);
  assert.deepEqual(toml, yaml);
  assert.deepEqual(yaml.settings, {
    folder: '/x',
    select: ['GPU1'],
    ignore: ['GPU900'],
    severity: { GPU101: 'error' },
    exclude: ['*.gen.py', '/build/'],
    include: [],
    perFileIgnores: { 'tests/**': ['GPU1'] },
    loaders: [{ name: 'mylib.io.load', 'device-parameter': 'map_location', position: 2 }],
    vendored: ['lib/nets/', '!vendor/own/'],
    baseline: resolve('/x', 'ci/baseline.json'),
    guardNames: { decorators: new Set(), functions: new Set(['mylib.has_gpu']), variables: new Set() },
  });
});

test('patterns are relative to the file', async () => {
  const { settings } = await readConfiguration('/x/.gpu-doctor.yaml', YAML);
  assert.ok(settings);
  assert.equal(isExcluded(settings, '/x/a/b.gen.py'), true);
  assert.equal(isExcluded(settings, normalize('/x/build/')), true);
  assert.equal(isExcluded(settings, normalize('/x/a/build/')), false);
  assert.equal(isExcluded(settings, '/y/b.gen.py'), false);
  assert.deepEqual(optionsFor(settings, '/x/tests/a/b.py').ignore, ['GPU900', 'GPU1']);
  assert.deepEqual(optionsFor(settings, '/x/a.py').ignore, ['GPU900']);
});

test('errors in YAML are reported at the key or value', async () => {
  const cases: [string, string[]][] = [
    ['selct: [GPU1]', ['1:1 there is no setting `selct`: did you mean `select`?']],
    ['# é\nselect: [GPU1, GPU109]', ['2:16 there is no rule `GPU109`: did you mean `GPU101`?']],
    ['select: GPU1', ['1:9 `select` must be a list, not text']],
    ['select:', ['1:1 `select` must be a list, not empty']],
    ['loaders:\n  - \n', ['2:3 `loaders[0]` must be a mapping, not empty']],
    ['select: []\n---\nignore: []', ['2:1 not YAML: a second document begins here']],
    ['ignore: []\nselect: *all', ['2:9 not YAML: unresolved alias (the anchor must be set before the alias): all']],
    [
      'severity: { GPU101: eror }',
      ['1:21 `eror` is not a severity: use one of error, warning, information, hint, off'],
    ],
    ['severity: { GPU11: error }', ['1:13 there is no rule `GPU11`: did you mean `GPU101`?']],
    ['exclude: [1]', ['1:11 `exclude[0]` must be text, not `1`']],
    ['exclude: [""]', ['1:11 `exclude[0]` must not be empty']],
    ['per-file-ignores: { "": [GPU1] }', ['1:21 a name in `per-file-ignores` must not be empty']],
    ['loaders: [{name: a, device-parameter: d, position: 1e30}]', ['1:52 `loaders[0].position` is too large']],
    ['loaders:\n  - name: x\n', ['2:5 `loaders[0]` lacks `device-parameter`']],
    [
      'loaders:\n  - {name: a b, device-parameter: d, pos: 1}',
      [
        '2:12 `loaders[0].name` must be a Python name, such as `mylib.io.load_checkpoint`',
        '2:38 there is no setting `pos` in `loaders[0]`: did you mean `position`?',
      ],
    ],
    ['guards: { function: [x] }', ['1:11 there is no setting `function` in `guards`: did you mean `functions`?']],
    ['- GPU101', ['1:1 .gpu-doctor.yaml must be a mapping, not a list']],
  ];
  for (const [text, expected] of cases) assert.deepEqual(await problemsOf('/x/.gpu-doctor.yaml', text), expected, text);
  assert.match((await problemsOf('/x/.gpu-doctor.yaml', 'select: [GPU1\nx: 1'))[0] ?? '', /^\d+:\d+ not YAML: /);
  assert.match((await problemsOf('/x/.gpu-doctor.yaml', 'ignore: []\nignore: []'))[0] ?? '', /^2:1 not YAML: .*unique/);
});

test('errors in TOML are reported at the key or value', async () => {
  const table = '[tool.gpu-doctor]\n';
  const cases: [string, string[]][] = [
    [`${table}selct = []`, ['2:1 there is no setting `selct`: did you mean `select`?']],
    [`${table}select = ["GPU1", "GPU109"]`, ['2:19 there is no rule `GPU109`: did you mean `GPU101`?']],
    [
      `${table}severity = { GPU101 = "eror" }`,
      ['2:23 `eror` is not a severity: use one of error, warning, information, hint, off'],
    ],
    ['[tool.gpu-doctor.severity]\nGPU109 = "off"', ['2:1 there is no rule `GPU109`: did you mean `GPU101`?']],
    ['[tool.gpu-doctor.sevrity]\nGPU101 = "off"', ['1:18 there is no setting `sevrity`: did you mean `severity`?']],
    ['[tool]\ngpu-doctor.exclude = "x"', ['2:22 `exclude` must be a list, not text']],
    ['[[tool.gpu-doctor.loaders]]\nname = "x"', ['1:3 `loaders[0]` lacks `device-parameter`']],
    ['[tool]\ngpu-doctor = 1', ['2:14 pyproject.toml must be a mapping, not `1`']],
  ];
  for (const [text, expected] of cases) assert.deepEqual(await problemsOf('/x/pyproject.toml', text), expected, text);
  assert.match((await problemsOf('/x/pyproject.toml', `${table}select = [`))[0] ?? '', /^\d+:\d+ not TOML: /);
});

test('a pyproject.toml without our section is ignored', async () => {
  for (const text of [
    '',
    '[tool.ruff]',
    '[project]\ndependencies = ["gpu-doctor"]',
    'dependencies = ["gpu-doctor"\nx',
    'x = ',
  ]) {
    assert.deepEqual(await readConfiguration('/x/pyproject.toml', text), { problems: [] });
  }
});

test('every prefix of a configuration is read or rejected', async () => {
  for (const [path, text] of [
    ['/x/.gpu-doctor.yaml', YAML],
    ['/x/pyproject.toml', TOML],
  ] as const) {
    for (let length = 0; length < text.length; length++) await readConfiguration(path, text.slice(0, length));
  }
});

test('the nearest file applies, and is read again after the cache is cleared', async (t) => {
  const root = await folderWith(t, {
    '.gpu-doctor.yaml': 'ignore: [GPU101]',
    'pyproject.toml': '[tool.gpu-doctor]\nignore = []',
    'a/pyproject.toml': '[project]',
    'a/b/pyproject.toml': '[tool.gpu-doctor]',
    'c/.gpu-doctor.yaml': 'x: 1',
  });
  await mkdir(join(root, 'a/b/d'));
  const configurations = findConfigurations();
  const folderOf = async (path: string) => (await configurations.of(join(root, path))).folder;
  assert.equal(await folderOf('.'), root);
  assert.deepEqual((await configurations.of(root)).ignore, ['GPU101']);
  assert.equal(await folderOf('a'), root);
  assert.equal(await folderOf('a/b/d'), join(root, 'a/b'));
  await assert.rejects(configurations.of(join(root, 'c')), (error) => {
    assert.ok(error instanceof ConfigurationError);
    assert.equal(error.path, join(root, 'c/.gpu-doctor.yaml'));
    assert.match(error.message, /\.gpu-doctor\.yaml:1:1: there is no setting `x`/);
    return true;
  });
  assert.equal(await configurations.of(root), await configurations.of(root));
  const before = await configurations.of(root);
  configurations.forget();
  assert.notEqual(await configurations.of(root), before);
});
