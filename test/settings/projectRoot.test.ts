import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { parseProgram } from '../../server/src/guards/program.ts';
import { script } from '../../server/src/python/semantic/source.ts';
import { checkProgram } from '../../server/src/rules/engine/check.ts';
import { rules } from '../../server/src/rules/index.ts';
import { defaultSettings, optionsFor } from '../../server/src/settings/settings.ts';

const below = path.join(mkdtempSync(path.join(tmpdir(), 'gpu-doctor-root-')), 'tests');
after(() => rmSync(path.dirname(below), { recursive: true }));

/** The severity of a checkpoint load without a device in a file. */
function severityIn(file: string): string | undefined {
  mkdirSync(path.dirname(file), { recursive: true });
  const program = parseProgram(script(file, 'import torch\nmodel = torch.load("best.pt")\n'));
  return checkProgram(program, rules, optionsFor(defaultSettings('/'), file)).find(({ code }) => code === 'GPU101')
    ?.severity;
}

function project(name: string, mark: string): string {
  const folder = path.join(below, name);
  mkdirSync(folder, { recursive: true });
  if (mark === '.git') mkdirSync(path.join(folder, mark));
  else writeFileSync(path.join(folder, mark), '');
  return folder;
}

for (const mark of ['.git', 'setup.py'])
  test(`names of folders above a project with ${mark} do not turn its files into tests`, () => {
    const folder = project(`by-${mark}`, mark);
    assert.equal(severityIn(path.join(folder, 'src', 'train.py')), 'warning');
    assert.equal(severityIn(path.join(folder, 'tests', 'train.py')), 'hint');
  });

test('a package among the tests of a repository is one of its tests', () => {
  const folder = project('whole', '.git');
  const file = path.join(folder, 'tests', 'sample', 'train.py');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(path.join(path.dirname(file), 'pyproject.toml'), '');
  assert.equal(severityIn(file), 'hint');
});

test('without a project root, the whole path counts', () => {
  assert.equal(severityIn(path.join(below, 'loose', 'train.py')), 'hint');
});
