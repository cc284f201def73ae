import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { parseProgram } from '../../server/src/guards/program.ts';
import type { Reason } from '../../server/src/guards/reason.ts';
import { type Source, script } from '../../server/src/python/semantic/source.ts';
import { renderDiff } from '../../server/src/report/diff.ts';
import { renderGithub } from '../../server/src/report/github.ts';
import { renderGitlab } from '../../server/src/report/gitlab.ts';
import { renderJson } from '../../server/src/report/json.ts';
import { renderJunit } from '../../server/src/report/junit.ts';
import { paintFor } from '../../server/src/report/paint.ts';
import { type Problem, problemOf } from '../../server/src/report/problem.ts';
import { renderSarif } from '../../server/src/report/sarif.ts';
import { renderStatistics } from '../../server/src/report/statistics.ts';
import { renderText } from '../../server/src/report/text.ts';
import { uncheckedProblem } from '../../server/src/report/uncheckedFile.ts';
import type { Fix } from '../../server/src/rules/edits/fix.ts';
import type { Severity } from '../../server/src/rules/engine/contract.ts';

interface Made {
  readonly path?: string;
  readonly severity?: Severity;
  readonly fix?: boolean;
  readonly message?: string;
  readonly reasons?: readonly Reason[];
}

/** The problem of a text in which `«` and `»` enclose its span. */
function problemIn(
  marked: string | Source,
  { path = 'a.py', severity = 'warning', fix, message = 'Wrong.', reasons = [] }: Made = {},
): Problem {
  const source = typeof marked === 'string' ? script(path, marked) : marked;
  const all = source.cells.map(({ text }) => text).join('\n');
  const start = all.indexOf('«');
  const end = all.indexOf('»') - 1;
  const cells = source.cells.map((cell) => ({ ...cell, text: cell.text.replace(/[«»]/g, '') }));
  const program = parseProgram({ ...source, cells });
  const edits = [{ span: { start: end, end }, newText: '%\n' }];
  const fixes: Fix[] = fix ? [{ title: 'Mend it', tier: 'safe', edits }] : [];
  const related = [{ span: { start: 0, end: 1 }, message: 'began here' }];
  const finding = { code: 'GPU101', severity, span: { start, end }, message, related, reasons, fixes: () => fixes };
  // The second line of the fifth cell is line 52 of the notebook file.
  return problemOf(resolve(path), program, finding, (cell, row) => cell * 10 + row + 10);
}

const plain = paintFor({}, {});

async function shown(marked: string): Promise<string[]> {
  return (await renderText([problemIn(marked)], { paint: plain })).split('\n').filter((line) => /^ *\d* \|/.test(line));
}

test('the caret is under the finding', async () => {
  assert.deepEqual(await shown('a\nx = «y»\n'), ['  |', '2 | x = y', '  |     ^']);
  assert.deepEqual(await shown('\tx = \t«y»'), ['  |', '1 | \tx = \ty', '  | \t    \t^']);
  // Wide characters take two columns; combining characters count as part of one.
  assert.deepEqual(await shown('日本 = «é語»'), ['  |', '1 | 日本 = é語', '  |        ^^^']);
  assert.deepEqual(await shown('"👩‍👩‍👧" + «y»'), ['  |', '1 | "👩‍👩‍👧" + y', '  |        ^']);
  assert.deepEqual(await shown('\uFEFF«x»'), ['  |', '1 | x', '  | ^']);
  assert.deepEqual(await shown('x = «»'), ['  |', '1 | x =', '  |     ^']);
});

test('several lines are shown, many are truncated', async () => {
  assert.deepEqual(await shown('x = «f(\r\n    a,\r\n)»\r\n'), [
    '  |',
    '1 | x = f(',
    '  |     ^^',
    '2 |     a,',
    '  |     ^^',
    '3 | )',
    '  | ^',
  ]);
  const many = await shown(`${'#\n'.repeat(7)}«f(\n${'a,\n'.repeat(20)})»`);
  assert.equal(many.filter((line) => / \d+ \||^\d+ \|/.test(line)).length, 5);
  assert.equal(many.at(-1), '   | ...');
});

test('only the relevant part of a long line is shown', async () => {
  for (const text of [
    `${'a'.repeat(5000)}«b»${'c'.repeat(5000)}`,
    `${'😀'.repeat(3000)}«b»`,
    `«${'b'.repeat(9000)}»`,
  ]) {
    const [, line, caret] = await shown(text);
    assert.ok((line?.length ?? 0) < 400 && (caret?.length ?? 0) < 400);
    assert.ok(line?.includes('b'));
  }
});

test('notes name related places and the fix', async () => {
  const text = await renderText([problemIn('x\n«y»', { fix: true })], { paint: plain });
  assert.match(text, /^a\.py:2:1: GPU101 \(warning\) \[\*\] Wrong\. \(torch-load-map-location\)\n/);
  assert.match(text, / = note: began here \(1:1\)\n/);
  assert.match(text, / = fix: Mend it\n/);
  assert.match(await renderText([problemIn('«y»', { severity: 'hint' })], { paint: plain }), /GPU101 \(hint\) Wrong/);
});

test('the reasons of a hint are shown with their places', async () => {
  const reasons = [
    { because: 'this is a test file' },
    { because: 'the program saves it', at: { start: 0, end: 1 } },
    { because: 'a helper saves it', at: { path: resolve('lib/io.py'), line: 4, character: 2 } },
  ];
  const problem = problemIn('x\n«y»', { severity: 'hint', reasons });
  assert.doesNotMatch(await renderText([problemIn('«y»')], { paint: plain }), /because/);
  const text = await renderText([problem], { paint: plain });
  assert.match(text, / = hint because this is a test file\n/);
  assert.match(text, / = hint because the program saves it \(1:1\)\n/);
  assert.match(text, / = hint because a helper saves it \(lib[/\\]io\.py:5:3\)\n/);
  assert.deepEqual(JSON.parse(renderJson([problemIn('«y»')]))[0].reasons, []);
  assert.deepEqual(JSON.parse(renderJson([problem]))[0].reasons, [
    { because: 'this is a test file', at: null },
    { because: 'the program saves it', at: { filename: null, cell: null, location: { row: 1, column: 1 } } },
    {
      because: 'a helper saves it',
      at: { filename: resolve('lib/io.py'), cell: null, location: { row: 5, column: 3 } },
    },
  ]);
});

test('colors depend on the terminal and the environment', () => {
  const isColoured = (isTTY: boolean, env: NodeJS.ProcessEnv) => paintFor({ isTTY }, env)('red', 'x') !== 'x';
  assert.equal(isColoured(true, {}), true);
  assert.equal(isColoured(false, {}), false);
  assert.equal(isColoured(true, { NO_COLOR: '1' }), false);
  assert.equal(isColoured(true, { NO_COLOR: '' }), true);
  assert.equal(isColoured(true, { TERM: 'dumb' }), false);
  assert.equal(isColoured(false, { FORCE_COLOR: '1', NO_COLOR: '1' }), true);
  assert.equal(isColoured(true, { FORCE_COLOR: '0' }), false);
});

const NOTEBOOK: Source = {
  path: 'n.ipynb',
  kind: 'notebook',
  cells: [
    { index: 1, text: 'x' },
    { index: 4, text: 'a\n«y»' },
  ],
};

test('GitHub annotations escape special characters', () => {
  assert.equal(
    renderGithub([problemIn('«y»', { path: 'a,b/c:d.py', message: '50 %\nof it' })]),
    '::warning title=gpu-doctor (GPU101),file=a%2Cb/c%3Ad.py,line=1,endLine=1,col=1,endColumn=2::a,b/c:d.py:1:1: GPU101 50 %25%0Aof it (torch-load-map-location)\n',
  );
  assert.match(
    renderGithub([problemIn(NOTEBOOK, { path: 'n.ipynb', severity: 'information' })]),
    /^::notice title=gpu-doctor \(GPU101\),file=n\.ipynb,line=52,endLine=52::n\.ipynb:cell 5:2:1: /,
  );
});

test('GitLab distinguishes old problems from new ones', () => {
  const [first, second, other] = JSON.parse(
    renderGitlab([
      problemIn('«y»', { path: 'a/b.py', severity: 'error' }),
      problemIn('«y»', { path: 'a/b.py' }),
      problemIn('z\n  «y»', { path: 'c.py' }),
    ]),
  );
  assert.deepEqual(
    { ...first, fingerprint: undefined },
    {
      check_name: 'GPU101',
      description: 'GPU101: Wrong. (torch-load-map-location)',
      severity: 'critical',
      fingerprint: undefined,
      location: { path: 'a/b.py', lines: { begin: 1, end: 1 } },
    },
  );
  assert.equal(new Set([first.fingerprint, second.fingerprint, other.fingerprint]).size, 3);
  // Code inserted above does not change the problem's fingerprint.
  const [moved] = JSON.parse(renderGitlab([problemIn('z\n\n«y»', { path: 'c.py' })]));
  assert.equal(moved.fingerprint, other.fingerprint);
  const [inNotebook] = JSON.parse(renderGitlab([problemIn(NOTEBOOK, { path: 'n.ipynb' })]));
  assert.deepEqual(inNotebook.location, { path: 'n.ipynb', lines: { begin: 52, end: 52 } });
  assert.match(inNotebook.description, /^GPU101: Cell 5, line 2: /);
});

test('JUnit has one suite per file and escapes special characters', () => {
  assert.equal(
    renderJunit(
      [problemIn('«y»', { path: 'a<b/c&d.py', message: '"x" < 1\nand \u0001' }), problemIn(NOTEBOOK)],
      () => true,
    ),
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="gpu-doctor" tests="2" failures="2" errors="0">
  <testsuite name="a&lt;b/c&amp;d.py" tests="1" failures="1" errors="0">
    <testcase name="GPU101 at 1:1" classname="a&lt;b/c&amp;d">
      <failure type="GPU101" message="&quot;x&quot; &lt; 1&#10;and \uFFFD">a&lt;b/c&amp;d.py:1:1: GPU101 &quot;x&quot; &lt; 1&#10;and \uFFFD (torch-load-map-location)</failure>
    </testcase>
  </testsuite>
  <testsuite name="a.py" tests="1" failures="1" errors="0">
    <testcase name="GPU101 at cell 5:2:1" classname="a">
      <failure type="GPU101" message="Wrong.">a.py:cell 5:2:1: GPU101 Wrong. (torch-load-map-location)</failure>
    </testcase>
  </testsuite>
</testsuites>
`,
  );
  assert.match(
    renderJunit([], () => true),
    /tests="1" failures="0" errors="0">\n {4}<testcase name="No problems found"\/>/,
  );
});

test('statistics count problems and fixable ones by rule', () => {
  const problems = [problemIn('«y»', { fix: true }), problemIn('«y»')];
  assert.equal(renderStatistics(problems, 'text'), '2\tGPU101\t[-] torch-load-map-location\n');
  assert.deepEqual(JSON.parse(renderStatistics(problems, 'json')), [
    { code: 'GPU101', name: 'torch-load-map-location', count: 2, fixable: 1 },
  ]);
});

const UNREAD = { filename: resolve('x.py'), message: 'x.py is binary' };

test('a file that could not be checked is an error in every format', () => {
  const problems = [uncheckedProblem(UNREAD), problemIn('«y»', { severity: 'information' })];
  const [record] = JSON.parse(renderJson(problems));
  assert.deepEqual([record.code, record.severity, record.message], ['GPU000', 'error', UNREAD.message]);
  assert.match(renderGithub(problems), /^::error title=gpu-doctor \(GPU000\),file=x\.py,line=1,.*x\.py is binary/);
  const [quality] = JSON.parse(renderGitlab(problems));
  assert.deepEqual([quality.severity, quality.location.path], ['critical', 'x.py']);
  const junit = renderJunit(problems, ({ severity }) => severity !== 'information');
  assert.match(junit, /<testsuites name="gpu-doctor" tests="2" failures="0" errors="1">/);
  assert.match(junit, /<error type="GPU000" message="x\.py is binary">/);
  assert.match(junit, /<system-out>a\.py:1:1: GPU101 Wrong\./);
});

test('a hostile file name forges no line and no command, and changes no direction of text', () => {
  const path = 'a\n::error file=x.py::forged\r\u001b[2J\u009b\u202ex\u2028.py';
  const problems = [problemIn('«y»', { path }), uncheckedProblem({ ...UNREAD, filename: resolve(path) })];
  const github = renderGithub(problems);
  assert.deepEqual(
    github.split('\n').map((line) => line.slice(0, 9)),
    ['::warning', '::error t', ''],
  );
  const junit = renderJunit(problems, () => true);
  for (const line of junit.trim().split('\n')) assert.match(line, /^\s*</);
  for (const text of [github, junit]) assert.doesNotMatch(text, /(?!\n)[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
});

test('SARIF has what code scanning needs', () => {
  const log = JSON.parse(
    renderSarif(
      [problemIn('😀 «y»', { path: 'a b/ü.py', fix: true }), problemIn(NOTEBOOK)],
      { unchecked: [UNREAD], warnings: ["y.py:1:1 does not parse: expected ':'"] },
      '1.2.3',
    ),
  );
  assert.equal(log.version, '2.1.0');
  const [run] = log.runs;
  assert.equal(run.tool.driver.version, '1.2.3');
  assert.deepEqual(
    run.tool.driver.rules.map(({ id }: { id: string }) => id),
    ['GPU101'],
  );
  assert.equal(run.results[1].ruleIndex, 0);
  assert.equal(run.columnKind, 'unicodeCodePoints');
  assert.equal(run.invocations[0].executionSuccessful, false);
  assert.deepEqual(
    run.invocations[0].toolExecutionNotifications.map(({ level }: { level: string }) => level),
    ['error', 'warning'],
  );
  const [inScript, inNotebook] = run.results;
  const { artifactLocation, region } = inScript.locations[0].physicalLocation;
  assert.deepEqual(artifactLocation, { uri: 'a%20b/%C3%BC.py', uriBaseId: 'SRCROOT' });
  assert.deepEqual(region, { startLine: 1, startColumn: 3, endLine: 1, endColumn: 4 });
  assert.deepEqual(inScript.fixes[0].artifactChanges[0].replacements, [
    { deletedRegion: { startLine: 1, startColumn: 4, endLine: 1, endColumn: 4 }, insertedContent: { text: '%\n' } },
  ]);
  assert.match(inNotebook.message.text, /^Cell 5, line 2: /);
  assert.deepEqual(inNotebook.locations[0].physicalLocation.region, { startLine: 52, endLine: 52 });
});

test('a diff keeps line ends and marks a missing final one', () => {
  assert.equal(
    renderDiff(script('a.py', 'a\r\nb'), script('a.py', 'a\r\nc')),
    '--- a.py\n+++ a.py\n@@ -1,2 +1,2 @@\n a\r\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n',
  );
  assert.equal(renderDiff(script('a.py', 'a'), script('a.py', 'a')), '');
});
