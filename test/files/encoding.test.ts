import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodePython, encode } from '../../server/src/files/encoding.ts';
import { Trouble } from '../../server/src/files/trouble.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');

test('a declaration in the first two lines determines the encoding', () => {
  for (const head of [
    '# coding: latin-1',
    '#!/usr/bin/python\n# -*- coding: ISO-8859-1 -*-',
    '# vim: set fileencoding=latin1 :\n',
    '\r\n# coding=L1',
  ]) {
    const bytes = latin(`${head}\nx = "\u00e9\u0085"\n`);
    const { text, encoding } = decodePython(bytes);
    assert.equal(encoding, 'latin-1', head);
    assert.equal(text.includes('"\u00e9\u0085"'), true);
    assert.deepEqual(encode(text, encoding), bytes);
  }
  assert.throws(() => decodePython(latin('x = 1\n# coding: latin-1\n"\u00e9"')), /is not UTF-8 \(line 3\)/);
  assert.throws(() => decodePython(latin('\n\n# coding: latin-1\n"\u00e9"')), /is not UTF-8 \(line 4\)/);
  assert.throws(() => decodePython(latin('# coding: utf-8\n"\u00e9"')), /although it declares utf-8/);
});

test('other encodings are read but not written', () => {
  const bytes = Buffer.concat([latin('# coding: cp1251\n"'), Buffer.from([0xc0]), latin('"\n')]);
  const { text, encoding } = decodePython(bytes);
  assert.equal(text, '# coding: cp1251\n"\u0410"\n');
  assert.throws(() => encode(text, encoding), Trouble);
});

test('characters that an encoding lacks are not written', () => {
  assert.throws(() => encode('\u0410', 'latin-1'), /a character that its encoding, latin-1, does not have/);
  assert.throws(() => encode('\u00e9', 'ascii'), Trouble);
});

test('a UTF-8 byte order mark is kept', () => {
  const bytes = Buffer.from('\uFEFFx = "é😀"\r\n');
  const { text, encoding } = decodePython(bytes);
  assert.deepEqual(encode(text, encoding), bytes);
});
