import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jsonEntries } from '../../../server/src/diagnosis/record/jsonEntries.ts';

async function* inPieces(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

/** Returns the entries of a text that arrives in pieces; truncated entries end in "…". */
async function entries(text: string): Promise<string[]> {
  const read = async (size: number) => {
    const found: string[] = [];
    for await (const entry of jsonEntries(inPieces(text, size))) {
      assert.equal(entry.number, found.length + 1);
      found.push(entry.isWhole ? entry.text : `${entry.text.trimEnd()}…`);
    }
    return found;
  };
  const whole = await read(1 << 20);
  for (const size of [1, 2, 3, 7]) assert.deepEqual(await read(size), whole, `in pieces of ${size}`);
  return whole;
}

describe('the objects of a stream', () => {
  const tricky = '{"a":"}{[\\"\\\\","b":[{"c":{}}]}';

  it('may be one per line, adjacent or in an array', async () => {
    assert.deepEqual(await entries(`${tricky}\n{"x":1}\n`), [tricky, '{"x":1}']);
    assert.deepEqual(await entries(`\ufeff${tricky}{"x":1}`), [tricky, '{"x":1}']);
    assert.deepEqual(await entries(`[\n${tricky},\r\n{"x":1}\n]\n`), [tricky, '{"x":1}']);
    assert.deepEqual(await entries('[[{"x":1}]]'), ['{"x":1}']);
  });

  it('may span several lines', async () => {
    const pretty = JSON.stringify({ a: { b: [{ c: 1 }] } }, null, 2);
    assert.deepEqual(await entries(`${pretty}\n${pretty}\n`), [pretty, pretty]);
    assert.deepEqual(await entries(JSON.stringify([JSON.parse(pretty)], null, 2)).then((all) => all.length), 1);
  });

  it('end where the next begins if they are truncated', async () => {
    assert.deepEqual(await entries('{"a": {"b\n{"x":1}\n{"y":'), ['{"a": {"b…', '{"x":1}', '{"y":…']);
  });

  it('are distinguished from other values', async () => {
    assert.deepEqual(await entries('error: no such host\n{"x":1}\n'), ['error: no such host…', '{"x":1}']);
    assert.deepEqual(await entries(' \n\n[]\n'), []);
  });
});
