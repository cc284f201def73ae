/** What holds for all of the sources: their types, their style, and who may know whom. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { execa } from 'execa';
import { root } from '../scripts/root.ts';
import { rules } from '../server/src/rules/index.ts';

const tool = (name: string, ...args: string[]) =>
  execa(path.join(root, 'node_modules', '.bin', name), args, { cwd: root, all: true, reject: false });

for (const project of ['.', 'client/webview'])
  test(`types of ${project}`, async () => {
    const { exitCode, all } = await tool('tsc', '--project', project);
    assert.equal(exitCode, 0, all);
  });

test('style', async () => {
  const { exitCode, all } = await tool('biome', 'ci', '--colors=off', '.');
  assert.equal(exitCode, 0, all);
});

/** Each part of the sources with the parts that it may import. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'documentation.ts': [],
  // What frameworks and tools say, as data.
  messages: [],
  python: [],
  guards: ['python'],
  stack: ['messages', 'documentation.ts'],
  checkpoint: [],
  rules: ['python', 'guards', 'stack', 'checkpoint', 'documentation.ts'],
  explain: ['messages', 'python', 'guards', 'rules', 'stack', 'checkpoint', 'documentation.ts'],
  project: ['python', 'guards', 'rules', 'stack'],
  report: ['python', 'guards', 'rules', 'explain', 'project', 'stack', 'checkpoint'],
  'protocol.ts': ['stack', 'rules', 'report'],
  lsp: ['python', 'guards', 'rules', 'explain', 'project', 'report', 'stack', 'checkpoint', 'protocol.ts'],
  cli: ['python', 'guards', 'rules', 'explain', 'project', 'report', 'stack', 'checkpoint'],
  'server.ts': ['lsp', 'guards', 'checkpoint'],
  'cli.ts': ['cli'],
  client: ['protocol.ts', 'webview'],
  // What a page shows is put into words on the server; it names sizes and shapes itself.
  webview: ['protocol.ts', 'report', 'checkpoint'],
};

/** The part that a file of the client or the server belongs to; undefined for what lies elsewhere. */
function partOf(file: string): string | undefined {
  const [side, source, part] = file.split(path.sep);
  if (source === 'webview') return source;
  if (source !== 'src') return undefined;
  return side === 'server' ? part : side;
}

test('imports run one way', async () => {
  const wrong: string[] = [];
  for (const file of globSync('{client,server}/{src,webview}/**/*.ts', { cwd: root })) {
    const text = await readFile(path.join(root, file), 'utf8');
    const part = partOf(file) ?? '';
    for (const [, imported = ''] of text.matchAll(/(?:\bfrom |\bimport\()'(\.[^']+)'/g)) {
      const target = partOf(path.join(path.dirname(file), imported));
      if (target !== undefined && target !== part && !MAY_IMPORT[part]?.includes(target))
        wrong.push(`${file} imports ${imported}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('the settings offer a severity for every rule, in its own words', async () => {
  const { contributes } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const offered: Record<string, { description: string }> =
    contributes.configuration.properties['gpuDoctor.severity'].properties;
  const described = Object.entries(offered).map(([code, { description }]) => [code, description]);
  assert.deepEqual(
    described,
    rules.map(({ code, summary }) => [code, summary]),
  );
});
