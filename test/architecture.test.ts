/** What holds for all of the sources: their types, their style, and who may know whom. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { execa } from 'execa';
import { root } from '../scripts/root.ts';

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

/** What the editor's server and the command line are made of. */
const BEHIND_DOORS = [
  'documentation.ts',
  'printable.ts',
  'environment',
  'python',
  'guards',
  'rules',
  'explain',
  'files',
  'settings',
  'projectIndex',
  'provision',
  'published',
  'commands',
  'report',
  'stack',
  'pasted',
  'diagnosis',
  'markdown.ts',
  'loading',
  'lint',
  'nearest.ts',
  'checkpoint',
] as const;

/** Each part of the sources with the parts that it may import. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  // Reads what is a part of the program as data.
  'dataFiles.ts': [],
  // Text of unknown origin, made safe to print.
  'printable.ts': [],
  // Names that misspelled ones most likely mean.
  'nearest.ts': [],
  // The same as Markdown.
  'markdown.ts': ['printable.ts'],
  'documentation.ts': ['dataFiles.ts'],
  // What frameworks and tools say, as data.
  messages: ['dataFiles.ts'],
  'python/syntax': [],
  'python/semantic': ['python/syntax'],
  guards: ['python'],
  // What was published: releases, packages and what they require. It knows no machine.
  published: ['dataFiles.ts'],
  // Commands that people copy, and what is known against them.
  commands: ['published', 'stack'],
  // What the machine is.
  stack: ['published', 'messages', 'dataFiles.ts', 'documentation.ts', 'printable.ts'],
  // What a text says of a machine.
  pasted: ['published', 'stack', 'printable.ts'],
  // What is wrong with a machine, what to do about it, and both in words.
  diagnosis: [
    'published',
    'commands',
    'stack',
    'pasted',
    'located',
    'nearest.ts',
    'python',
    'documentation.ts',
    'markdown.ts',
    'printable.ts',
  ],
  checkpoint: ['published'],
  // Does a file load on this machine, in the selected Python?
  loading: ['published', 'stack', 'checkpoint', 'dataFiles.ts'],
  // YAML and TOML with the places of what stands in them.
  located: [],
  environment: ['published', 'located', 'stack', 'dataFiles.ts'],
  // They report as the rules on Python do.
  'environment/rules': ['environment', 'published', 'stack', 'rules/edits', 'rules/engine', 'python'],
  provision: [
    'published',
    'commands',
    'diagnosis',
    'python',
    'environment',
    'files',
    'settings',
    'stack',
    'dataFiles.ts',
    'printable.ts',
  ],
  'rules/edits': ['python', 'guards'],
  'rules/catalogue': ['checkpoint', 'dataFiles.ts'],
  'rules/queries': [
    'python',
    'guards',
    'published',
    'stack',
    'checkpoint',
    'loading',
    'documentation.ts',
    'rules/catalogue',
    'rules/edits',
    'rules/engine',
  ],
  'rules/fixes': [
    'python',
    'guards',
    'published',
    'loading',
    'checkpoint',
    'rules/catalogue',
    'rules/edits',
    'rules/engine',
    'rules/queries',
  ],
  rules: [
    'python',
    'guards',
    'published',
    'stack',
    'loading',
    'checkpoint',
    'rules/catalogue',
    'rules/edits',
    'rules/engine',
    'rules/queries',
    'rules/fixes',
  ],
  // It is handed the rules that it runs.
  'rules/engine': ['python', 'guards', 'loading', 'checkpoint', 'rules/catalogue', 'rules/edits'],
  explain: [
    'messages',
    'commands',
    'python',
    'guards',
    'rules',
    'published',
    'diagnosis',
    'stack',
    'pasted',
    'loading',
    'checkpoint',
    'documentation.ts',
    'printable.ts',
  ],
  // Runs the rules as a project asks for it: suppressions, copies of other projects, the baseline.
  lint: ['python', 'guards', 'rules', 'environment', 'checkpoint', 'files', 'published', 'nearest.ts', 'printable.ts'],
  // Files on disk: texts, notebooks, paths, what goes wrong with them.
  files: ['python', 'environment', 'published'],
  // What a project has configured, for GPU Doctor and for the tools beside it.
  settings: [
    'lint',
    'files',
    'nearest.ts',
    'python',
    'guards',
    'published',
    'rules',
    'environment',
    'located',
    'printable.ts',
  ],
  // What the files of a project mean to each other.
  projectIndex: ['python', 'guards', 'rules', 'lint', 'files', 'published', 'stack'],
  report: [
    'environment',
    'python',
    'guards',
    'rules',
    'explain',
    'lint',
    'files',
    'published',
    'diagnosis',
    'markdown.ts',
    'stack',
    'loading',
    'checkpoint',
    'printable.ts',
    'documentation.ts',
  ],
  'protocol.ts': ['diagnosis', 'stack', 'rules', 'explain', 'report'],
  lsp: [...BEHIND_DOORS, 'protocol.ts'],
  cli: BEHIND_DOORS,
  'server.ts': ['lsp', 'guards', 'checkpoint', 'files'],
  'cli.ts': ['cli'],
  client: ['protocol.ts', 'webview'],
  // What a page shows is put into words on the server; it names sizes and shapes itself.
  webview: ['protocol.ts', 'report', 'checkpoint'],
};

/** The part that a file of the client or the server belongs to, a room of it where rooms are told apart; undefined for what lies elsewhere. */
function partOf(file: string): string | undefined {
  const [side, source, part = '', inner = ''] = file.split(path.sep);
  if (source === 'webview') return source;
  if (source !== 'src') return undefined;
  const room = `${part}/${inner}`;
  return side !== 'server' ? side : room in MAY_IMPORT ? room : part;
}

/** The sources, each with what it imports, types included; paths are relative to the root. */
async function importsOfSources(): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const file of globSync('{client,server}/{src,webview}/**/*.ts', { cwd: root })) {
    const text = await readFile(path.join(root, file), 'utf8');
    const imported = [...text.matchAll(/(?:\bfrom |\bimport\()'(\.[^']+)'/g)];
    found.set(
      file,
      imported.map(([, relative = '']) => path.join(path.dirname(file), relative)),
    );
  }
  return found;
}

test('imports run one way', async () => {
  const wrong: string[] = [];
  for (const [file, imported] of await importsOfSources()) {
    const part = partOf(file) ?? '';
    const allowed = MAY_IMPORT[part] ?? [];
    for (const target of imported) {
      const other = partOf(target);
      // Whoever may import a part may import its rooms.
      const isAllowed =
        other === undefined || other === part || allowed.includes(other) || allowed.includes(other.split('/')[0] ?? '');
      const isRoom = other !== undefined && part.split('/')[0] === other.split('/')[0];
      if (!isAllowed || (isRoom && other !== part && !allowed.includes(other))) wrong.push(`${file} imports ${target}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('no import cycle, types included', async () => {
  const imports = await importsOfSources();
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) cycles.push([...way.slice(way.indexOf(file)), file].join(' -> '));
    if (way.includes(file) || done.has(file)) return;
    for (const imported of imports.get(file) ?? []) visit(imported, [...way, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  assert.deepEqual(cycles, []);
});
