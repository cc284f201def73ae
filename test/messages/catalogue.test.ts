import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import * as z from 'zod';
import { root } from '../../scripts/root.ts';
import { judges } from '../../server/src/diagnosis/judgeStack.ts';
import { RELATION_DIAGNOSES } from '../../server/src/diagnosis/relationDiagnoses.ts';
import { conditions } from '../../server/src/explain/conditions/conditions.ts';
import { plainText } from '../../server/src/explain/reading/plainText.ts';
import { families, knownMessages, readFamily } from '../../server/src/messages/catalogue.ts';
import { expressionOf, findMessages } from '../../server/src/messages/find.ts';
import { requiredWordsOf } from '../../server/src/messages/requiredWords.ts';
import {
  type Cause,
  causeSchema,
  type Family,
  familySchema,
  type KnownMessage,
} from '../../server/src/messages/schema.ts';
import { rules } from '../../server/src/rules/index.ts';

test('the shared causes match the schema', () => {
  assert.equal(z.array(causeSchema).safeParse(readFamily('causes')).error?.message, undefined);
});

for (const family of families())
  test(`the family ${family} matches the schema`, () => {
    assert.equal(familySchema.safeParse(readFamily(family)).error?.message, undefined);
  });

test('no two messages share a name, and no two causes of a message do', () => {
  const ids = knownMessages().map(({ id }) => id);
  assert.deepEqual(
    ids.filter((id, index) => ids.indexOf(id) !== index),
    [],
  );
  for (const { id, causes } of knownMessages())
    assert.equal(new Set(causes.map((cause) => cause.id)).size, causes.length, id);
});

/** The regular expressions of a cause. */
function printedOf({ checked_by: checks = [], excluded_by: against = [] }: Cause): string[] {
  return [...checks, ...against].flatMap((check) => (typeof check === 'string' ? [] : check.printed));
}

type WithExpressions = Pick<KnownMessage, 'patterns' | 'beside' | 'aside' | 'causes'>;

/** The regular expressions of a message and its causes. */
function expressionsOf({ patterns, beside, aside, causes }: WithExpressions): string[] {
  return [...patterns, ...[beside, aside].filter((each) => each !== undefined), ...causes.flatMap(printedOf)];
}

test('no expression uses duplicate names or modifiers, which Node 22 lacks', () => {
  for (const expression of knownMessages().flatMap(expressionsOf)) {
    const names = [...expression.matchAll(/\(\?<(\w+)>/g)].map(([, name]) => name);
    assert.equal(new Set(names).size, names.length, expression);
    assert.doesNotMatch(expression, /\(\?[ims-]+:/);
  }
});

test('each check exists and has one meaning', () => {
  const names = [
    ...judges.map(({ id }) => id),
    ...rules.map(({ code }) => code),
    ...Object.keys(conditions),
    'message',
  ];
  const known = new Set(names);
  assert.equal(known.size, names.length);
  for (const { id, causes, remedies = [] } of knownMessages()) {
    const ofCauses = causes.flatMap(({ checked_by: those = [], excluded_by: against = [] }) => [...those, ...against]);
    const ofRemedies = [...remedies, ...causes.flatMap((cause) => cause.remedies ?? [])];
    for (const check of [...ofCauses, ...ofRemedies.flatMap(({ when, unless }) => [when, unless])])
      if (typeof check === 'string') assert.ok(known.has(check.replace(/^not-/, '')), `${id}: no check ${check}`);
  }
});

test('a cause that is a relation names the relation, and not a diagnosis that reports its failure', () => {
  const files = readdirSync(path.join(root, 'server/src/fit'), { recursive: true, encoding: 'utf8' });
  for (const [name, diagnoses] of Object.entries(RELATION_DIAGNOSES)) {
    const isOfFile = (file: string) => `${name}-`.startsWith(`${kebab(path.basename(file, '.ts'))}-`);
    assert.ok(files.some(isOfFile), `no relation ${name}`);
    assert.ok(name in conditions, name);
    for (const { id, causes } of knownMessages())
      for (const { checked_by: checks = [], excluded_by: against = [] } of causes)
        assert.ok(
          !diagnoses.some((each) => [...checks, ...against].includes(each)),
          `${id}: ${name}, not ${diagnoses}`,
        );
  }
});

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

test('each condition is one that an entry names', () => {
  const catalogue = JSON.stringify([...families().map(readFamily), readFamily('causes')]);
  const unused = Object.keys(conditions).filter((name) => !new RegExp(`"(?:not-)?${name}"`).test(catalogue));
  // Decides how commands for AMD GPUs are written.
  assert.deepEqual(unused, ['names-rdna2']);
});

const LONGEST_PATTERN = 150;
const MOST_WORDS = 25;

/** The texts that people read. */
function textsOf({ text, ask, remedies = [] }: Cause): string[] {
  return [text, ...(ask ? [ask.title] : []), ...remedies.map(({ title }) => title)];
}

function longSentences(texts: readonly string[]): string[] {
  return texts
    .flatMap((text) => text.split(/(?<=[.:;])\s+/))
    .filter((sentence) => sentence.split(/\s+/).length > MOST_WORDS);
}

/** Checks a family, or the shared causes. */
function checkPart(name: string, messages: Family['messages'], causes: readonly Cause[]): void {
  describe(name, () => {
    test('names what prints each message', () => {
      assert.deepEqual(
        messages.filter(({ source }) => source === undefined).map(({ id }) => id),
        [],
      );
    });

    test('has short expressions', () => {
      const ofMessages = messages.flatMap((message) => expressionsOf({ ...message, causes: [] }));
      const ofCauses = causes.flatMap((cause) => printedOf(cause));
      assert.deepEqual(
        [...ofMessages, ...ofCauses].filter(({ length }) => length > LONGEST_PATTERN),
        [],
      );
    });

    test('has sentences of at most 25 words', () => {
      const texts = messages.flatMap(({ title, meaning, remedies = [] }) => [
        title,
        meaning,
        ...remedies.map((remedy) => remedy.title),
      ]);
      assert.deepEqual(longSentences([...texts, ...causes.flatMap(textsOf)]), []);
    });

    test('has a check or a question for each cause', () => {
      assert.deepEqual(
        causes.filter(({ checked_by: checks, ask }) => !checks && !ask).map(({ id }) => id),
        [],
      );
    });
  });
}

for (const family of families()) {
  const { messages } = readFamily(family) as Family;
  const own = messages.flatMap(({ causes = [] }) => causes.filter((cause) => typeof cause !== 'string'));
  checkPart(`the family ${family}`, messages, own);
}
checkPart('the shared causes', [], readFamily('causes') as Cause[]);

for (const message of knownMessages())
  test(`${message.id}: its examples match, and its patterns contain literal words`, () => {
    const required = requiredWordsOf(message.id);
    message.patterns.forEach((pattern, index) => {
      assert.notDeepEqual(required[index]?.anchors ?? [], [], pattern);
    });
    for (const example of message.examples) {
      const text = plainText(example.replaceAll('\\n', '\n'));
      assert.ok(
        message.patterns.some((pattern) => expressionOf(pattern).test(text)),
        `no pattern fits ${example}`,
      );
      const [first] = findMessages(text);
      assert.equal(first?.message.id, message.id, example);
    }
  });

test('each placeholder in a title or a meaning is captured by a pattern or has a fallback', () => {
  for (const message of knownMessages()) {
    const parts = new Set(
      message.patterns.flatMap((pattern) => [...pattern.matchAll(/\(\?<(\w+)>/g)].map(([, name]) => name)),
    );
    for (const text of [message.title, message.meaning]) {
      assert.doesNotMatch(text, /\{[^{}]*\{/, message.id);
      for (const [whole, name, otherwise] of text.matchAll(/\{(\w+)(\|[^{}]*)?\}/g))
        assert.ok(otherwise !== undefined || parts.has(name), `${message.id}: ${whole}`);
    }
  }
});
