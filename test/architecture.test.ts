/** Invariants of all sources: types, style and import directions. */
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

/** The implementation of the editor's server and of the command line. */
const BEHIND_DOORS = [
  'documentation.ts',
  'jsonObject.ts',
  'printable.ts',
  'projectFile.ts',
  'environment',
  'python',
  'guards',
  'rules',
  'explain',
  'files',
  'settings',
  'projectIndex',
  'provision',
  'repair',
  'published',
  'commands',
  'fit',
  'solver',
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

/** Each part of the sources, with the parts that it may import. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  // Reads the program's data files.
  'dataFiles.ts': [],
  // Distinguishes objects from other parsed values.
  'jsonObject.ts': [],
  // Makes text of unknown origin safe to print.
  'printable.ts': [],
  // Reads files that a project brings.
  'projectFile.ts': [],
  // Suggests names for misspelled ones.
  'nearest.ts': [],
  // Makes text of unknown origin safe for Markdown.
  'markdown.ts': ['printable.ts'],
  'documentation.ts': ['dataFiles.ts'],
  // Messages of frameworks and tools, as data.
  messages: ['published', 'dataFiles.ts'],
  'python/syntax': [],
  'python/semantic': ['python/syntax'],
  guards: ['python'],
  // Published releases, packages and their requirements. Independent of any machine.
  published: ['dataFiles.ts'],
  // Commands that users copy, and known objections to them.
  commands: ['published', 'stack', 'fit', 'environment'],
  // Facts about the machine.
  stack: ['published', 'messages', 'jsonObject.ts', 'printable.ts'],
  // Facts about a machine in pasted text.
  pasted: ['published', 'stack', 'printable.ts'],
  // Relations between a build, the machine and the other builds.
  fit: ['published', 'stack'],
  // Searches for published builds that work together and on a machine.
  solver: ['published', 'stack', 'fit'],
  // Diagnoses of a machine, their remedies, and their wording.
  diagnosis: [
    'published',
    'commands',
    'fit',
    'solver',
    'jsonObject.ts',
    'stack',
    'pasted',
    'located',
    'nearest.ts',
    'python',
    'documentation.ts',
    'markdown.ts',
    'printable.ts',
  ],
  checkpoint: ['published', 'jsonObject.ts', 'projectFile.ts'],
  // The outlook for loading a file on this machine, in the selected Python.
  loading: ['published', 'stack', 'checkpoint'],
  // YAML and TOML with source locations.
  located: [],
  environment: ['published', 'located', 'python/syntax', 'dataFiles.ts', 'jsonObject.ts', 'projectFile.ts'],
  // They report in the same way as the rules on Python.
  'environment/rules': ['environment', 'published', 'fit', 'rules/edits', 'rules/engine', 'python'],
  provision: [
    'published',
    'commands',
    'fit',
    'solver',
    'diagnosis',
    'python',
    'environment',
    'files',
    'settings',
    'stack',
    'nearest.ts',
    'printable.ts',
    'projectFile.ts',
  ],
  'rules/edits': ['python', 'guards'],
  'rules/catalogue': ['checkpoint', 'dataFiles.ts'],
  'rules/queries': [
    'published',
    'python',
    'guards',
    'stack',
    'checkpoint',
    'loading',
    'documentation.ts',
    'rules/catalogue',
    'rules/engine',
  ],
  'rules/fixes': [
    'python',
    'guards',
    'published',
    'checkpoint',
    'rules/catalogue',
    'rules/edits',
    'rules/engine',
    'rules/queries',
  ],
  rules: [
    'published',
    'python',
    'guards',
    'loading',
    'checkpoint',
    'rules/catalogue',
    'rules/edits',
    'rules/engine',
    'rules/queries',
    'rules/fixes',
  ],
  // The rules to run are passed in.
  'rules/engine': ['python', 'guards', 'rules/catalogue', 'rules/edits'],
  explain: [
    'messages',
    'commands',
    'fit',
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
  // Runs the rules as a project configures them: suppressions, vendored copies, the baseline.
  lint: [
    'python',
    'guards',
    'rules',
    'environment',
    'checkpoint',
    'files',
    'published',
    'nearest.ts',
    'printable.ts',
    'projectFile.ts',
  ],
  // Files on disk: texts, notebooks, paths and errors.
  files: ['python', 'environment', 'published', 'stack', 'jsonObject.ts', 'printable.ts', 'projectFile.ts'],
  // A project's settings for GPU Doctor and for other tools.
  settings: [
    'lint',
    'files',
    'jsonObject.ts',
    'projectFile.ts',
    'nearest.ts',
    'python',
    'guards',
    'published',
    'rules',
    'environment',
    'located',
  ],
  // Relations between the files of a project.
  projectIndex: ['python', 'guards', 'rules', 'files', 'stack', 'projectFile.ts'],
  report: [
    'environment',
    'fit',
    'python',
    'guards',
    'rules',
    'explain',
    'repair',
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
  'protocol.ts': ['diagnosis', 'stack', 'explain', 'report', 'provision', 'checkpoint'],
  // Tries remedies in copies.
  repair: ['commands', 'diagnosis', 'environment', 'explain', 'files', 'stack', 'python'],
  lsp: [...BEHIND_DOORS, 'protocol.ts'],
  cli: BEHIND_DOORS,
  'server.ts': ['lsp', 'checkpoint'],
  // Stands in for Node and the disk, which a browser does not have.
  browser: ['environment', 'settings', 'protocol.ts'],
  'webServer.ts': ['lsp', 'browser'],
  'cli.ts': ['cli'],
  client: ['protocol.ts', 'webview'],
  // The server formats the text of pages; only sizes and shapes are formatted here.
  webview: ['protocol.ts', 'report', 'checkpoint'],
};

/** The folders of a room in order: each may import those before it. */
const FLOORS: Readonly<Record<string, readonly string[]>> = {
  browser: ['node'],
  checkpoint: ['encodings', 'pickle', 'formats'],
  cli: ['agents'],
  diagnosis: ['remedies', 'judges', 'readout', 'record', 'smoke'],
  environment: ['catalogue', 'shell', 'readers', 'rules'],
  explain: ['conditions', 'reading', 'parts'],
  messages: ['catalogue'],
  provision: ['forms'],
  fit: ['builds'],
  published: ['packages', 'releases'],
  python: ['syntax', 'semantic'],
  rules: ['edits', 'catalogue', 'engine', 'queries', 'fixes'],
  stack: ['facts', 'builds', 'machine', 'readers', 'live', 'runtime'],
};

/**
 * The part that a file of the client or the server belongs to, or its room if the part has rooms; undefined for others.
 */
function partOf(file: string): string | undefined {
  const [side, source, part = '', inner = ''] = file.split(path.sep);
  if (source === 'webview') return source;
  if (source !== 'src') return undefined;
  const room = `${part}/${inner}`;
  return side !== 'server' ? side : room in MAY_IMPORT ? room : part;
}

/** The sources with their imports, including type imports; paths are relative to the root. */
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
      // If a part may be imported, so may its rooms.
      const isAllowed =
        other === undefined || other === part || allowed.includes(other) || allowed.includes(other.split('/')[0] ?? '');
      const isRoom = other !== undefined && part.split('/')[0] === other.split('/')[0];
      if (!isAllowed || (isRoom && other !== part && !allowed.includes(other))) wrong.push(`${file} imports ${target}`);
    }
  }
  assert.deepEqual(wrong, []);
});

/** The room of a server file and its part of it: a folder, or the file itself. */
function placeOf(file: string): { readonly room: string; readonly part: string } | undefined {
  const [side, source, room = '', part] = file.split(path.sep);
  return side === 'server' && source === 'src' && part !== undefined ? { room, part } : undefined;
}

/** The imports between the groups that `nameOf` defines, without those within a group. */
function importsBetween(
  imports: ReadonlyMap<string, readonly string[]>,
  nameOf: (file: string) => string | undefined,
): ReadonlyMap<string, readonly string[]> {
  const between = new Map<string, string[]>();
  for (const [file, imported] of imports) {
    const from = nameOf(file);
    const others = imported.flatMap((target) => nameOf(target) ?? []).filter((name) => name !== from);
    if (from !== undefined) between.set(from, [...(between.get(from) ?? []), ...others]);
  }
  return between;
}

/** Returns every cycle that a traversal finds, as "a -> b -> a". */
function circlesIn(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (name: string, way: readonly string[]): void => {
    if (way.includes(name)) circles.push([...way.slice(way.indexOf(name)), name].join(' -> '));
    if (way.includes(name) || done.has(name)) return;
    for (const imported of imports.get(name) ?? []) visit(imported, [...way, name]);
    done.add(name);
  };
  for (const name of imports.keys()) visit(name, []);
  return circles;
}

test('no import cycle between files, types included', async () => {
  assert.deepEqual(circlesIn(await importsOfSources()), []);
});

test('no import cycle between rooms', async () => {
  assert.deepEqual(circlesIn(importsBetween(await importsOfSources(), partOf)), []);
});

test('no import cycle within a room, where a folder counts as one', async () => {
  const imports = await importsOfSources();
  const rooms = new Set([...imports.keys()].flatMap((file) => placeOf(file)?.room ?? []));
  for (const room of rooms) {
    const within = importsBetween(imports, (file) => {
      const place = placeOf(file);
      return place?.room === room ? `${room}/${place.part}` : undefined;
    });
    assert.deepEqual(circlesIn(within), []);
  }
});

test('the folders of a room have an order', async () => {
  const wrong: string[] = [];
  for (const [file, imported] of await importsOfSources()) {
    const { room, part } = placeOf(file) ?? {};
    if (room === undefined || part === undefined || part.endsWith('.ts')) continue;
    const floors = FLOORS[room] ?? [];
    if (!floors.includes(part)) wrong.push(`${room}/${part} has no floor`);
    for (const target of imported) {
      const other = placeOf(target);
      if (other?.room !== room || other.part.endsWith('.ts')) continue;
      if (floors.indexOf(other.part) > floors.indexOf(part)) wrong.push(`${file} imports ${target}`);
    }
  }
  assert.deepEqual([...new Set(wrong)], []);
});

test('every allowed import direction is used', async () => {
  const used = importsBetween(await importsOfSources(), partOf);
  const idle: string[] = [];
  for (const [part, allowed] of Object.entries(MAY_IMPORT)) {
    // The two entry points share a list.
    if (BEHIND_DOORS.every((each) => allowed.includes(each))) continue;
    const needed = used.get(part) ?? [];
    for (const other of allowed)
      if (!needed.some((name) => name === other || name.split('/')[0] === other)) idle.push(`${part}: ${other}`);
  }
  assert.deepEqual(idle, []);
});

/** An exported declaration at the start of a line. */
const EXPORTED = /^export (?:async )?(?:abstract )?(?:function\*?|const|class|interface|type|enum) (\w+)/gm;

test('an exported name of the server has one meaning', async () => {
  const places = new Map<string, string[]>();
  // The browser's replacements of Node's modules have the same names.
  for (const file of globSync('server/src/**/*.ts', { cwd: root }).filter((each) => !each.includes('/browser/')))
    for (const [, name = ''] of (await readFile(path.join(root, file), 'utf8')).matchAll(EXPORTED))
      places.set(name, [...(places.get(name) ?? []), file]);
  const ambiguous = [...places].filter(([, files]) => new Set(files).size > 1);
  assert.deepEqual(ambiguous, []);
});
