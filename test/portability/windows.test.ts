/** Windows paths: drives, backslashes, case-insensitive names, files with CRLF. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { EXPLAIN, type ExplainAnswer } from '../../server/src/protocol.ts';
import { folderWith, keptIn, run } from '../cli/run.ts';
import { startClient } from '../lsp/client.ts';
import { runOnWindows, SERVER_ON_WINDOWS, withDrives } from './windows.ts';

const crlf = (text: string) => text.replaceAll('\n', '\r\n');
const LOAD = crlf('import torch\n\n# Zustand\nstate = torch.load("a b.pt")\n');

const twoDrives = (t: TestContext) =>
  folderWith(t, {
    'c/Work/Übung 1/Train.py': LOAD,
    'c/Work/Übung 1/Other.py': LOAD,
    'c/Work/Build/copy.py': LOAD,
    'c/Work/old/Legacy.py': LOAD,
    'c/Work/skipped/b.py': LOAD,
    'c/Work/.git/HEAD': '',
    'c/Work/.gitignore': crlf('build/\n'),
    'c/Work/.gpu-doctor.yaml': crlf('exclude:\n  - Skipped/\nper-file-ignores:\n  "old/*.py": [GPU1]\n'),
    'd/settings.yaml': crlf('exclude:\n  - a.py\nper-file-ignores:\n  "**": [GPU1]\n'),
    'd/a.py': LOAD,
  });

/** The places in a text report, with Linux separators. */
const places = (report: string) =>
  (report.match(/^.*\.py:\d+:\d+: \w+/gm) ?? []).map((place) => place.replaceAll('\\', '/'));

test('findings are the same as on Linux, except where the case of names matters', async (t) => {
  const drives = await twoDrives(t);
  const there = await runOnWindows(['check'], drives);
  assert.equal(there.stderr, '');
  assert.deepEqual(places(there.stdout), ['Übung 1/Other.py:4:9: GPU101', 'Übung 1/Train.py:4:9: GPU101']);
  assert.match(there.stdout, /^Übung 1\\Train\.py:/m);
  const here = await run(['check'], { cwd: join(drives, 'c/Work') });
  const byCase = ['Build/copy.py:4:9: GPU101', 'skipped/b.py:4:9: GPU101'];
  assert.deepEqual(places(here.stdout).sort(), [...places(there.stdout), ...byCase].sort());
});

test('paths are accepted in any case, with either slash and with a drive', async (t) => {
  const drives = await twoDrives(t);
  for (const path of [
    'übung 1\\train.py',
    'Übung 1/TRAIN.PY',
    'c:\\work\\Übung 1\\Train.py',
    'C:/Work/Übung 1/Train.py',
  ]) {
    const { status, stdout, stderr } = await runOnWindows(['check', path], drives);
    assert.equal(status, 1, `${path}: ${stderr}`);
    assert.match(stdout, /^Übung 1\\Train\.py:4:9: GPU101/im);
  }
  assert.match((await runOnWindows(['check', 'd:/a.py'], drives)).stdout, /^d:\\a\.py:4:9/);
  const { stderr } = await runOnWindows(['check', 'E:\\a.py'], drives);
  assert.match(stderr, /^error: E:\\a\.py does not exist/);
});

test('settings apply to the drive on which the command runs, not to another one', async (t) => {
  const drives = await twoDrives(t);
  const { stdout, stderr } = await runOnWindows(
    ['check', 'Build/copy.py', 'D:\\', '--config', 'D:\\settings.yaml'],
    drives,
  );
  assert.equal(stderr, '');
  assert.deepEqual(places(stdout), ['D:/a.py:4:9: GPU101']);
});

test('reports for other systems use slashes', async (t) => {
  const drives = await twoDrives(t);
  const report = async (...args: string[]) => (await runOnWindows(['check', 'Übung 1', ...args], drives)).stdout;
  assert.match(await report('--output-format', 'github'), /file=Übung 1\/Train\.py,/);
  assert.match(await report('--output-format', 'gitlab'), /"path": "Übung 1\/Train\.py"/);
  assert.match(await report('--output-format', 'junit'), /"Übung 1\/Train\.py"/);
  const sarif = await report('--output-format', 'sarif');
  assert.match(sarif, /"uri": "file:\/\/\/C:\/Work\/"/);
  assert.match(sarif, /"uri": "%C3%9Cbung%201\/Train\.py"/);
  // Git itself quotes non-ASCII characters in this way.
  assert.match(await report('--diff'), /^--- "\\303\\234bung 1\/Train\.py"$/m);
  assert.equal(JSON.parse(await report('--output-format', 'json'))[0].filename, 'C:\\Work\\Übung 1\\Other.py');
});

test('a fix keeps CRLF and the spelling of the file name', async (t) => {
  const drives = await twoDrives(t);
  const { stdout } = await runOnWindows(['check', '--fix', 'übung 1\\train.py'], drives);
  assert.match(stdout, /1 fixed, 0 remaining/);
  const written = await readFile(join(drives, 'c/Work/Übung 1/Train.py'), 'utf8');
  assert.equal(written, LOAD.replace('"a b.pt"', '"a b.pt", map_location="cpu"'));
});

test('worker threads and the cache handle Windows paths', async (t) => {
  const files = Object.fromEntries(
    Array.from({ length: 130 }, (_, index) => [
      `c/Work/a/f${index}.py`,
      crlf('import torch\n\nx = torch.ones(3).cuda()\n'),
    ]),
  );
  const drives = await folderWith(t, files);
  const first = await runOnWindows(['check', '--jobs', '2'], drives);
  assert.equal(places(first.stdout).length, 130);
  const kept = await keptIn(join(drives, 'c/Users/Zoë/AppData/Local'));
  assert.ok((await readFile(kept, 'utf8')).includes('C:\\\\Work\\\\a\\\\f129.py'));
  assert.equal((await runOnWindows(['check', '--jobs', '2'], drives)).stdout, first.stdout);
});

test('the server accepts the URIs that VS Code writes', { timeout: 180_000 }, async (t) => {
  const drives = await twoDrives(t);
  const address = (path: string) => `file:///c%3A/Work/${path}`;
  const client = await startClient(t, {
    command: SERVER_ON_WINDOWS,
    env: withDrives(drives),
    workspaceFolders: [{ uri: 'file:///c%3A/Work', name: 'Work' }],
  });
  const codes = async (path: string) => (await client.diagnostics(address(path))).map(({ code }) => code);
  client.open(address('%C3%9Cbung%201/Train.py'), LOAD);
  assert.deepEqual(await codes('%C3%9Cbung%201/Train.py'), ['GPU101']);
  client.open(address('old/Legacy.py'), LOAD);
  assert.deepEqual(await codes('old/Legacy.py'), [], 'the settings of the project hold');
  // Unsaved text counts, even if a traceback spells the path differently.
  client.edit(
    address('%C3%9Cbung%201/Train.py'),
    undefined,
    crlf('import torch\n\n\n\nmodel = torch.load("new.pt")\n'),
  );
  const text = `Traceback (most recent call last):
  File "C:\\Work\\Übung 1\\train.py", line 5, in <module>
    model = torch.load("new.pt")
RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If you are running on a CPU-only machine, please use torch.load with map_location=torch.device('cpu') to map your storages to the CPU.`;
  const { document = '' }: ExplainAnswer = await client.connection.sendRequest(EXPLAIN, { text, folder: 'C:\\Work' });
  assert.match(document, /new\.pt/);
});
