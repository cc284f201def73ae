import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('../../', import.meta.url));

/** Runs the assertions in the comments of one Python file against VS Code's Python grammar and what the manifest injects. */
function assertScopes(file: string) {
  return execa({ cwd: root, reject: false, all: true })`${process.execPath} ${[
    require.resolve('vscode-tmgrammar-test/dist/unit.js'),
    '--grammar',
    require.resolve('tm-grammars/grammars/python.json'),
    '--config',
    'package.json',
    `test/grammar/${file}`,
  ]}`;
}

for (const file of ['device-strings.py', 'prose.py']) {
  test(`scopes of ${file}`, async () => {
    const { exitCode, all } = await assertScopes(file);
    assert.equal(exitCode, 0, all);
  });
}
