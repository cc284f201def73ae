import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linksFor } from '../../server/src/report/links.ts';

const TERMINAL = { isTTY: true };

const isLinked = (stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv) =>
  linksFor(stream, env)('GPU101', 'https://example.org') !== 'GPU101';

test('a link is the text between two escape sequences', () => {
  assert.equal(
    linksFor(TERMINAL, { TERM_PROGRAM: 'WezTerm' })('GPU101', 'https://example.org/a'),
    '\u001b]8;;https://example.org/a\u001b\\GPU101\u001b]8;;\u001b\\',
  );
});

test('links are used in terminals known to support them', () => {
  for (const env of [
    { TERM_PROGRAM: 'vscode' },
    { TERM_PROGRAM: 'iTerm.app' },
    { TERM: 'xterm-kitty' },
    { VTE_VERSION: '7006' },
    { WT_SESSION: 'x' },
    { KONSOLE_VERSION: '230804' },
  ])
    assert.ok(isLinked(TERMINAL, env), JSON.stringify(env));
});

test('links are not used elsewhere', () => {
  for (const env of [
    {},
    { TERM: 'xterm-256color' },
    { TERM_PROGRAM: 'Apple_Terminal' },
    { VTE_VERSION: '5000' },
    { TERM_PROGRAM: 'vscode', NO_COLOR: '1' },
    { TERM_PROGRAM: 'vscode', CI: 'true' },
    { TERM_PROGRAM: 'vscode', TERM: 'dumb' },
    { TERM_PROGRAM: 'vscode', FORCE_HYPERLINK: '0' },
  ])
    assert.ok(!isLinked(TERMINAL, env), JSON.stringify(env));
  assert.ok(!isLinked({}, { TERM_PROGRAM: 'vscode' }));
});
