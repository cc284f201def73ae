import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import { judges } from '../../server/src/diagnosis/judgeStack.ts';
import { conditions } from '../../server/src/explain/conditions/conditions.ts';
import { plainText } from '../../server/src/explain/reading/plainText.ts';
import { FAMILIES, knownMessages, readFamily } from '../../server/src/messages/catalogue.ts';
import { expressionOf, findMessages } from '../../server/src/messages/find.ts';
import { requiredWordsOf } from '../../server/src/messages/requiredWords.ts';
import { causeSchema, familySchema } from '../../server/src/messages/schema.ts';
import { rules } from '../../server/src/rules/index.ts';

test('the shared causes match the schema', () => {
  assert.equal(z.array(causeSchema).safeParse(readFamily('causes')).error?.message, undefined);
});

for (const family of FAMILIES)
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

test('no expression uses duplicate names or modifiers, which Node 22 lacks', () => {
  for (const { patterns, with: beside, without, aside, causes } of knownMessages()) {
    const ofCauses = causes.flatMap(({ said, hint, denied, with: words }) => [said, hint, denied, words]);
    for (const expression of [...patterns, beside, without, aside, ...ofCauses].filter((each) => each !== undefined)) {
      const names = [...expression.matchAll(/\(\?<(\w+)>/g)].map(([, name]) => name);
      assert.equal(new Set(names).size, names.length, expression);
      assert.doesNotMatch(expression, /\(\?[ims-]+:/);
    }
  }
});

test('causes refer to existing diagnoses, rules and conditions', () => {
  const verdicts = new Set(judges.map(({ id }) => id));
  const codes = new Set(rules.map(({ code }) => code));
  for (const { id, causes, remedies = [] } of knownMessages()) {
    for (const cause of causes) {
      for (const verdict of cause.verdicts ?? []) assert.ok(verdicts.has(verdict), `${id}: no verdict ${verdict}`);
      for (const code of cause.rules ?? []) assert.ok(codes.has(code), `${id}: no rule ${code}`);
      for (const name of [...(cause.when ?? []), ...(cause.needs ?? []), ...(cause.unless ?? [])])
        assert.ok(Object.hasOwn(conditions, name), `${id}: no condition ${name}`);
    }
    for (const { when, unless } of [...remedies, ...causes.flatMap((cause) => cause.remedies ?? [])])
      for (const name of [when, unless])
        assert.ok(name === undefined || Object.hasOwn(conditions, name), `${id}: ${name}`);
  }
});

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

test('each placeholder is captured by a pattern or has a fallback', () => {
  for (const message of knownMessages()) {
    const parts = new Set(
      message.patterns.flatMap((pattern) => [...pattern.matchAll(/\(\?<(\w+)>/g)].map(([, name]) => name)),
    );
    const words: [text: string, given?: readonly string[] | undefined][] = [
      [message.title],
      [message.meaning],
      ...message.causes.map((cause): [string, readonly string[] | undefined] => [cause.text, cause.given]),
    ];
    for (const [text, given = []] of words) {
      assert.doesNotMatch(text, /\{[^{}]*\{/, message.id);
      for (const [whole, name, otherwise] of text.matchAll(/\{(\w+)(\|[^{}]*)?\}/g))
        assert.ok(otherwise !== undefined || parts.has(name) || given.includes(name ?? ''), `${message.id}: ${whole}`);
    }
  }
});
