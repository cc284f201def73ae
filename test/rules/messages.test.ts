/** Every message that the fixtures produce fits on one line. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { createCheckpointCache } from '../../server/src/checkpoint/checkpointCache.ts';
import { readBeside } from '../../server/src/environment/readers/includes.ts';
import { parseProgram } from '../../server/src/guards/program.ts';
import { lintEnvironment } from '../../server/src/lint/lintEnvironment.ts';
import { namedCheckpoints } from '../../server/src/lint/namedCheckpoints.ts';
import { type Source, script } from '../../server/src/python/semantic/source.ts';
import { checkProgram } from '../../server/src/rules/engine/check.ts';
import type { Finding, Knowledge } from '../../server/src/rules/engine/contract.ts';
import { LONGEST_MESSAGE, message, quoted, shortTitle, withCause } from '../../server/src/rules/engine/message.ts';
import { rules } from '../../server/src/rules/index.ts';
import { environmentFixtures } from '../environment/rules/fixtures.ts';
import { factsIn, readSource, verdictFixtures } from './fixtures.ts';

const select = ['GPU', ...rules.map(({ code }) => code)];
const folders = ['../checkpoint/fixtures', 'checkpoints'].map((name) => path.join(import.meta.dirname, name));
const checkpoints = createCheckpointCache();

async function findingsIn(source: Source, known: Knowledge): Promise<Finding[]> {
  const program = parseProgram(source);
  const inSight = checkpoints.visibleFrom(folders);
  await inSight.read(namedCheckpoints(program));
  return checkProgram(program, rules, { select, known: { ...known, checkpointsAt: inSight.checkpointsAt } });
}

async function allFindings(): Promise<Finding[]> {
  const programs = verdictFixtures().map(({ source, known }) => ({ source, known }));
  const pairs = globSync('GPU*/**/*.{in,out}.{py,ipynb}', { cwd: import.meta.dirname }).map((name) => {
    const source = readSource(path.join(import.meta.dirname, name), name);
    return { source, known: factsIn(source) };
  });
  const findings: Finding[] = [];
  for (const { source, known } of [...programs, ...pairs]) findings.push(...(await findingsIn(source, known)));
  const known = { torchVersion: '1.4.0', tensorflowVersion: '1.15.0' };
  for (const { kind, name, place, text } of environmentFixtures())
    findings.push(...lintEnvironment(kind, script(name, text), { known }, readBeside(place)).findings);
  return findings;
}

test('every message over the fixtures, and every sentence beside it, fits on one line', async () => {
  const findings = await allFindings();
  const tooLong = findings.flatMap(({ code, message: text }) =>
    text.length > LONGEST_MESSAGE ? [`${code}, ${text.length} characters: ${text}`] : [],
  );
  assert.deepEqual([...new Set(tooLong)].sort(), []);
  const silent = rules.filter(({ code }) => !findings.some((finding) => finding.code === code));
  assert.deepEqual(silent, [], 'every rule has a message here');
});

test('no message over the fixtures cuts a name', async () => {
  const cut = (await allFindings()).filter(({ message: text }) => /[\w-]…/.test(text));
  assert.deepEqual([...new Set(cut.map(({ code, message: text }) => `${code}: ${text}`))], []);
});

test('every title of a fix over the fixtures fits on one line', async () => {
  const titles = (await allFindings()).flatMap(({ code, fixes }) => fixes().map(({ title }) => `${code}: ${title}`));
  const tooLong = titles.filter((title) => title.length > LONGEST_MESSAGE + 'GPU101: '.length);
  assert.deepEqual([...new Set(tooLong)], []);
});

test('a long title ends at its first else, or is cut', () => {
  assert.equal(shortTitle('Add `x`'), 'Add `x`');
  const condition = 'is_available_on_this_machine_and_'.repeat(2);
  assert.equal(
    shortTitle(`Use \`f(a if ${condition} else b if ${condition} else c)\``),
    `Use \`f(a if ${condition} else …)\``,
  );
  const cut = shortTitle(`Use \`${'a'.repeat(200)}\``);
  assert.equal(cut.length, LONGEST_MESSAGE);
  assert.match(cut, /a…`$/);
});

test('every message is one sentence that ends in a full stop or a question mark', async () => {
  const findings = await allFindings();
  const unfinished = findings.filter(({ message: text }) => !/[.?]$/.test(text) || /\.\.$/.test(text));
  assert.deepEqual([...new Set(unfinished.map(({ code, message: text }) => `${code}: ${text}`))], []);
});

test('a message keeps its own words and shortens only quotations, the longest first', () => {
  const long = `\`${'a'.repeat(200)}\``;
  const text = message`${quoted(long)} fails on machines without a GPU: ${quoted('`b()`')} needs one.`;
  assert.equal(text.length, LONGEST_MESSAGE);
  assert.match(text, /^`a+…` fails on machines without a GPU: `b\(\)` needs one\.$/);
  assert.equal(message`${quoted('`x`')} fails.`, '`x` fails.');
  assert.match(message`${quoted(`name ${long}`)} and ${quoted(long)} clash.`, /^name `a+…` and `a+…` clash\.$/);
});

test('a cause that does not fit into the message stands at a related place', () => {
  const span = { start: 1, end: 2 };
  const consequences = ['`f` cannot read `a_long_name.pt`.', '`f` fails.'] as const;
  assert.deepEqual(withCause(span, consequences, 'it is empty'), {
    message: '`f` cannot read `a_long_name.pt`: it is empty.',
    related: [],
  });
  const longer = `it is ${'very '.repeat(18)}long`;
  assert.deepEqual(withCause(span, consequences, longer), { message: `\`f\` fails: ${longer}.`, related: [] });
  const cause = `it is ${'very '.repeat(30)}long`;
  assert.deepEqual(withCause(span, consequences, cause), {
    message: consequences[0],
    related: [{ span, message: `I${cause.slice(1)}.` }],
  });
});
