/** Damaged Python from a seeded generator: every text yields a tree whose nodes have correct spans. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Module, Node } from '../../../server/src/python/syntax/nodes.ts';
import { parseModule } from '../../../server/src/python/syntax/parse.ts';
import { forEachChild, walk } from '../../../server/src/python/syntax/walk.ts';
import { SEED, share } from '../../fuzz/amount.ts';
import { randomFrom } from '../../random.ts';
import { EXTREMES } from '../syntax/extremes.ts';

const TEXTS = share(200_000);

/** Texts that are most likely to mislead a parser. */
const CULPRITS = [
  ...['"""', "'''", '"', "'", 'f"', "f'''{", 't"{', 'rb"', '{', '}', '(', ')', '[', ']', '`', '\\', '\\\n', '\n', '\r'],
  ...[
    '\t',
    '\f',
    '\0',
    '\ufeff',
    '    ',
    '#',
    ':',
    ';',
    ',',
    '.',
    '...',
    '->',
    '=',
    ':=',
    '*',
    '**',
    '/',
    '@',
    '!',
    '?',
  ],
  ...[
    '%',
    '%%',
    '<>',
    '<<<<<<< \n',
    '=======\n',
    'def f(',
    'class ',
    'if ',
    'elif x:',
    'else:',
    'try:',
    'except A, e:',
  ],
  ...[
    'finally:',
    'match x:\n case ',
    'with (',
    'async ',
    'await ',
    'lambda ',
    'yield ',
    'print ',
    'exec "',
    'type X[T',
  ],
  ...['import ', 'from . import (', 'global ', 'del ', 'not ', 'raise E, v', '0x', '1e', '0777', '1_', 'é', '“', '😀'],
];

const sources = globSync('../../rules/**/*.py', { cwd: import.meta.dirname }).map((file) =>
  readFileSync(fileURLToPath(new URL(file, import.meta.url)), 'utf8'),
);

/** A damaged text: truncated, mixed with parts of others, with replaced characters, or with culprits inserted. */
function damaged(random: (below: number) => number): string {
  const source = sources[random(sources.length)] as string;
  const from = random(source.length);
  let text = source.slice(from, from + 20 + random(1_000));
  const how = random(4);
  for (let times = random(4); times >= 0; times--) {
    const at = random(text.length);
    const before = text.slice(0, at);
    if (how === 0) text = before;
    else if (how === 1) {
      const other = sources[random(sources.length)] as string;
      const start = random(other.length);
      text = before + other.slice(start, start + random(300)) + text.slice(at + random(30));
    } else if (how === 2) text = before + String.fromCharCode(random(128)) + text.slice(at + 1);
    else text = before + CULPRITS[random(CULPRITS.length)] + text.slice(at + random(3));
  }
  return text;
}

/** Checks that every node lies in its parent, that statements follow each other, and that all spans lie in the text. */
function checkSpans(module: Module, length: number): void {
  const check = (node: Node, from: number, to: number) => {
    if (!(from <= node.start && node.start <= node.end && node.end <= to))
      throw new Error(`${node.kind} at ${node.start} to ${node.end}, in ${from} to ${to}`);
    // Decorators precede their definition.
    const start = node.kind === 'FunctionDef' || node.kind === 'ClassDef' ? node.decoratedStart : node.start;
    forEachChild(node, (child) => check(child, start, node.end));
  };
  let last = 0;
  for (const statement of module.body) {
    check(statement, last, length);
    last = statement.end;
  }
  for (const spans of [module.comments, module.strings, module.errors])
    for (const { start, end } of spans) assert.ok(start >= 0 && start <= end && end <= length, `${start} to ${end}`);
}

test('damaged texts are read', () => {
  const random = randomFrom(SEED);
  for (let number = 0; number < TEXTS; number++) {
    const text = damaged(random);
    try {
      checkSpans(parseModule(text, { notebook: number % 2 === 1 }), text.length);
    } catch (error) {
      assert.fail(`text ${number} of seed ${SEED}, ${JSON.stringify(text)}: ${error}`);
    }
  }
});

test('extreme texts are read, and their trees can be traversed', () => {
  for (const [name, make] of Object.entries(EXTREMES)) {
    const text = make();
    const module = parseModule(text, { notebook: true });
    try {
      for (const statement of module.body) walk(statement, () => true);
    } catch (error) {
      assert.fail(`${name}: ${error}`);
    }
  }
});
