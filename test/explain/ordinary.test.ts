import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { readPaste } from '../../server/src/explain/reading/paste.ts';

const HERE = import.meta.dirname;

/** The messages of ordinary errors, which are nobody's business here, as tracebacks end with them. */
const ordinary = (await readFile(path.join(HERE, 'ordinary.txt'), 'utf8')).trimEnd().split('\n');

const FRAMES = `Traceback (most recent call last):
  File "/home/ada/project/train.py", line 31, in <module>
    main(sys.argv[1:])
  File "/home/ada/project/train.py", line 20, in main
    outcome = step(batch)
`;

test('there are more than two hundred of them', () => assert.ok(ordinary.length >= 280, String(ordinary.length)));

test('nothing is said of ordinary errors', () => {
  const known = ordinary.flatMap((line) =>
    readPaste(`${FRAMES}${line}\n`).messages.map(({ message }) => `${message.id}: ${line}`),
  );
  assert.deepEqual(known, []);
});
