import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outputsOf } from '../../client/src/cellOutputs.ts';

const item = (kind: string, text: string) => ({
  mime: `application/vnd.code.notebook.${kind}`,
  data: new TextEncoder().encode(text),
});
const read = (...items: { mime: string; data: Uint8Array }[]) => outputsOf({ outputs: [{ items }] });

test('streams are read as one, though they came in pieces', () => {
  const fox = new TextEncoder().encode('🦊');
  const { mime } = item('stderr', '');
  assert.deepEqual(
    read(item('stdout', 'a'), { mime, data: fox.slice(0, 2) }, { mime, data: fox.slice(2) }, item('stdout', 'b')),
    [
      { kind: 'stdout', text: 'a' },
      { kind: 'stderr', text: '🦊' },
      { kind: 'stdout', text: 'b' },
    ],
  );
});

test('an error is its traceback, or what there is of it', () => {
  const error = (value: object) => read(item('error', JSON.stringify(value)));
  assert.deepEqual(error({ name: 'KeyError', message: 'x', stack: 'Traceback' }), [
    { kind: 'error', text: 'Traceback' },
  ]);
  assert.deepEqual(error({ name: 'KeyError', message: 'x' }), [{ kind: 'error', text: 'KeyError: x' }]);
  assert.deepEqual(read(item('error', '{')), [{ kind: 'error', text: '' }]);
});

test('of a long output the beginning and the end are read, and pictures not at all', () => {
  assert.deepEqual(read({ mime: 'image/png', data: new Uint8Array(9) }), []);
  const [output] = read(item('stdout', `first${'.'.repeat(5_000_000)}last`));
  assert.ok(output && output.text.length < 100_000);
  assert.match(output.text, /^first.*last$/s);
});
