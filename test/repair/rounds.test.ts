import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Bench, tryRemedies } from '../../server/src/repair/rounds.ts';
import { judgeProblems, type StackProblem } from '../../server/src/repair/stackTest.ts';
import {
  type Failure,
  isSameFailure,
  judgeCheck,
  type Trial,
  type TrialResult,
} from '../../server/src/repair/trials.ts';

const installs = (name: string): Trial => ({
  title: `Install ${name}`,
  command: `pip install ${name}`,
  calls: [{ installer: 'pip', removes: false, words: [name] }],
  variables: {},
  edit: null,
});
const sets = (name: string): Trial => ({
  title: `Set ${name}`,
  command: `export ${name}=1`,
  calls: [],
  variables: { [name]: '1' },
  edit: null,
});
const edits = (name: string): Trial => ({
  title: `Edit ${name}`,
  command: null,
  calls: [],
  variables: {},
  edit: { filename: name, edits: [] },
});
const failure = (message: string, trials: readonly Trial[] = [], line = 1): Failure => ({
  id: message,
  message,
  location: { file: 'train.py', line, code: null },
  trials,
});
const failed = (found: Failure): TrialResult => ({ ended: 'failed', failure: found });
const PASSED: TrialResult = { ended: 'passed', seconds: 1 };

/** A place is the list of what was done to it; `behaves` says how the program ends there. */
function benchWhere(behaves: (done: readonly string[]) => TrialResult, impossible: readonly string[] = []) {
  const log: string[] = [];
  const bench: Bench<readonly string[]> = {
    async copy(place, withEnvironment) {
      log.push(withEnvironment ? 'copy environment' : 'copy');
      return place;
    },
    apply: async ({ title }, place) => (impossible.includes(title) ? 'cannot be done' : [...place, title]),
    check: async (place) => behaves(place),
    remove: async () => {},
    report: ({ trial, judgment, trouble }) => log.push(`${trial.title}: ${trouble ?? judgment}`),
  };
  return { bench, log };
}

test('a remedy that works ends the repair', async () => {
  const first = failure('a', [installs('x'), installs('y'), installs('z')]);
  const { bench, log } = benchWhere((done) => (done.includes('Install y') ? PASSED : failed(first)));
  const outcome = await tryRemedies<readonly string[]>([], first, bench);
  assert.equal(outcome.ended, 'works');
  assert.deepEqual(outcome.ended === 'works' && outcome.steps.map(({ title }) => title), ['Install y']);
  assert.deepEqual(log, ['copy environment', 'Install x: doesNotHelp', 'copy environment', 'Install y: works']);
});

test('each failure that is further is repaired on top of what helped before', async () => {
  const second = failure('b', [edits('train.py')], 4);
  const first = failure('a', [installs('x')], 2);
  const { bench } = benchWhere((done) => {
    if (!done.includes('Install x')) return failed(first);
    return done.includes('Edit train.py') ? PASSED : failed(second);
  });
  const outcome = await tryRemedies<readonly string[]>([], first, bench);
  assert.equal(outcome.ended, 'works');
  assert.deepEqual(outcome.ended === 'works' && outcome.place, ['Install x', 'Edit train.py']);
});

test('at most three failures are repaired', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const failures = names.map((name, at) => failure(name, [installs(name)], at + 1));
  const { bench } = benchWhere((done) => failed(failures[done.length] as Failure));
  const outcome = await tryRemedies<readonly string[]>([], failures[0] as Failure, bench);
  assert.equal(outcome.ended, 'stuck');
  assert.deepEqual(outcome.ended === 'stuck' && [outcome.steps.length, outcome.failure.message], [3, 'd']);
});

test('nothing is claimed of a copy that does not fail as the original does', async () => {
  const first = failure('a', [installs('x')]);
  const { bench, log } = benchWhere(() => PASSED);
  assert.deepEqual(await tryRemedies<readonly string[]>([], first, bench), { ended: 'noCopy', check: PASSED });
  assert.deepEqual(log, ['copy environment']);
});

test('an edit and a variable need no copy of the environment', async () => {
  const first = failure('a', [sets('KERAS_BACKEND'), edits('train.py')]);
  const { bench, log } = benchWhere((done) => (done.includes('Edit train.py') ? PASSED : failed(first)));
  assert.equal((await tryRemedies<readonly string[]>([], first, bench)).ended, 'works');
  assert.deepEqual(log, ['copy', 'Set KERAS_BACKEND: doesNotHelp', 'copy', 'Edit train.py: works']);
});

test('a remedy that cannot be done is followed by the next one', async () => {
  const first = failure('a', [installs('x'), installs('y')]);
  const { bench, log } = benchWhere((done) => (done.includes('Install y') ? PASSED : failed(first)), ['Install x']);
  assert.equal((await tryRemedies<readonly string[]>([], first, bench)).ended, 'works');
  assert.ok(log.includes('Install x: cannot be done'));
});

test('a program that still runs after the time limit works', () => {
  assert.equal(judgeCheck(failure('a'), { ended: 'running', seconds: 60 }), 'works');
});

test('the same failure elsewhere is the same, and a failure in an earlier line is no progress', () => {
  const one = failure('OSError: /home/me/.venv/lib/x.so: cannot open, process 12345', [], 5);
  const other = { ...one, message: 'OSError: /cache/copy/lib/x.so: cannot open, process 99999' };
  assert.equal(isSameFailure(one, other), true);
  assert.equal(judgeCheck(one, failed(other)), 'doesNotHelp');
  assert.equal(judgeCheck(one, failed(failure('b', [], 2))), 'doesNotHelp');
  assert.equal(judgeCheck(one, failed(failure('b', [], 7))), 'getsFurther');
});

const problem = (id: string, trials: readonly Trial[] = [], isFailure = false): StackProblem => ({
  id,
  message: `${id} here`,
  location: null,
  trials,
  isFailure,
});

test('a stack fails with its first problem that can be repaired, and an old driver stays', () => {
  const found = [problem('driver-too-old'), problem('requirement-not-met', [installs('x')])];
  const before = new Set(found.map(({ id }) => id));
  const check = judgeProblems(found, before, 1);
  assert.equal(check.ended === 'failed' && check.failure.id, 'requirement-not-met');
  assert.deepEqual(judgeProblems([problem('driver-too-old')], before, 1), { ended: 'passed', seconds: 1 });
});

test('a failed computation fails a stack even if no diagnosis is left', () => {
  const failing = problem('torch smoke test', [], true);
  assert.equal(judgeProblems([failing], new Set([failing.id]), 1).ended, 'failed');
});

test('a remedy that causes another problem of the stack does not help', () => {
  const check = judgeProblems([problem('b', [installs('y')])], new Set(['a']), 1);
  assert.equal(judgeCheck(failure('a'), check), 'doesNotHelp');
});
