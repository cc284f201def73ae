import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folderWith, run } from './run.ts';

const LOAD = 'import torch\n\nstate = torch.load("a.pt")\n';

test('findings in copies are hints without safe fixes', async (t) => {
  const cwd = await folderWith(t, { 'train.py': LOAD, 'vendor/load.py': LOAD, 'own/load.py': LOAD });
  const shown = async (...args: string[]) => {
    const { stdout } = await run(['check', '.', '--no-cache', ...args], { cwd });
    return stdout
      .split('\n')
      .flatMap((line) => /^(\S+\.py):\d+:\d+: GPU101( \(hint\))?/.exec(line)?.slice(1, 3).join('') ?? []);
  };
  assert.deepEqual(await shown('--hints'), ['own/load.py', 'train.py', 'vendor/load.py (hint)']);
  const { stdout } = await run(['check', '.', '--diff'], { cwd });
  assert.match(stdout, /own\/load\.py/);
  assert.doesNotMatch(stdout, /vendor/, 'nothing is written into a copy');
});

test('the setting adds and removes folders', async (t) => {
  const cwd = await folderWith(t, {
    '.gpu-doctor.yaml': 'vendored: ["copies/", "!vendor/own/"]\n',
    'copies/load.py': LOAD,
    'vendor/own/load.py': LOAD,
    'vendor/other/load.py': LOAD,
  });
  const { stdout } = await run(['check', '.', '--hints', '--output-format', 'json'], { cwd });
  const found = JSON.parse(stdout) as { filename: string; severity: string; reasons: { because: string }[] }[];
  assert.deepEqual(
    found.map(({ filename, severity, reasons }) => [filename.slice(cwd.length + 1), severity, reasons[0]?.because]),
    [
      ['copies/load.py', 'hint', 'its folder is listed in the setting `vendored`'],
      ['vendor/other/load.py', 'hint', "`vendor/` holds other projects' code"],
      ['vendor/own/load.py', 'warning', undefined],
    ],
  );
});
