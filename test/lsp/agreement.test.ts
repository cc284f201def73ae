/** The command line and the editor report and fix the same in each file. */
import assert from 'node:assert/strict';
import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { CodeAction, WorkspaceDiagnosticReport } from 'vscode-languageserver/node';
import { root } from '../../scripts/root.ts';
import { folderWith, run } from '../cli/run.ts';
import { FULL, startClient } from './client.ts';

const SEVERITIES = ['', 'error', 'warning', 'information', 'hint'];
/** Rules with many fixtures, including notebooks and projects. */
const FIXTURES = ['GPU101', 'GPU201', 'GPU202', 'GPU301', 'GPU502'];

test('check and the editor agree file by file', { timeout: 600_000 }, async (t) => {
  const folder = await folderWith(t, {});
  for (const name of FIXTURES)
    await cp(path.join(root, 'test/rules', name), path.join(folder, name), { recursive: true });
  await cp(path.join(root, 'examples'), path.join(folder, 'examples'), { recursive: true });
  const home = await folderWith(t, {});

  const { stdout } = await run(['check', '.', '--output-format', 'json', '--hints'], { cwd: folder });
  const ofCommand = new Map<string, string[]>();
  const problems: {
    filename: string;
    code: string;
    severity: string;
    cell: number | null;
    location: { row: number };
  }[] = JSON.parse(stdout);
  for (const { filename, code, severity, cell, location } of problems) {
    const name = path.relative(folder, filename);
    ofCommand.set(name, [...(ofCommand.get(name) ?? []), `${code} ${severity} ${cell ?? ''}:${location.row}`]);
  }
  assert.ok(ofCommand.size > 50);

  const client = await startClient(t, {
    capabilities: FULL,
    initializationOptions: { checkWorkspace: 'onSave' },
    workspaceFolders: [{ name: 'project', uri: pathToFileURL(folder).href }],
    env: { XDG_CACHE_HOME: home },
  });
  const { items }: WorkspaceDiagnosticReport = await client.connection.sendRequest('workspace/diagnostic', {
    previousResultIds: [],
  });
  const ofEditor = new Map<string, string[]>();
  for (const report of items) {
    const name = path.relative(folder, decodeURIComponent(new URL(report.uri).pathname));
    const found = report.kind === 'full' ? report.items : [];
    ofEditor.set(
      name,
      found.map(({ code, severity = 0, range, message }) => {
        const [, cell = '', row = range.start.line + 1] = /^Cell (\d+), line (\d+): /.exec(String(message)) ?? [];
        return `${code} ${SEVERITIES[severity]} ${cell}:${row}`;
      }),
    );
  }
  assert.deepEqual(Object.fromEntries([...ofEditor].sort()), Object.fromEntries([...ofCommand].sort()));

  // The same for open files and their fixed versions.
  const programs = [...ofCommand.keys()]
    .filter((name) => name.startsWith('GPU201') && name.endsWith('.py'))
    .slice(0, 40);
  const uris = programs.map((name) => pathToFileURL(path.join(folder, name)).href);
  for (const [index, name] of programs.entries()) {
    const uri = uris[index] ?? '';
    client.open(uri, await readFile(path.join(folder, name), 'utf8'));
    const shown = (await client.diagnostics(uri)).map(
      ({ code, severity = 0, range }) => `${code} ${SEVERITIES[severity]} :${range.start.line + 1}`,
    );
    assert.deepEqual(shown, ofCommand.get(name), name);
    const start = { line: 0, character: 0 };
    const [action] = await client.actions(uri, { start, end: start }, ['source.fixAll']);
    const { edit } = action ? await client.resolve(action as CodeAction) : {};
    if (edit) client.apply(edit);
  }
  await run(['check', ...programs, '--fix'], { cwd: folder });
  for (const [index, name] of programs.entries())
    assert.equal(client.text(uris[index] ?? ''), await readFile(path.join(folder, name), 'utf8'), name);
});
