import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ERROR_LINE, EXPLAIN, type ExplainAnswer, FIND_ERRORS, type FoundError } from '../../server/src/protocol.ts';
import { folderWith } from '../cli/run.ts';
import { startClient } from './client.ts';

const ERROR =
  "RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If you are running on a CPU-only machine, please use torch.load with map_location=torch.device('cpu') to map your storages to the CPU.";

test('explains an error with the code as it is in the editor', { timeout: 180_000 }, async (t) => {
  const folder = await folderWith(t, { 'train.py': 'import torch\n' });
  const file = join(folder, 'train.py');
  const client = await startClient(t);
  client.open(pathToFileURL(file).href, 'import torch\n\nmodel = torch.load("model.pt")\n');
  const text = `Traceback (most recent call last):\n  File "${file}", line 3, in <module>\n    model = torch.load("model.pt")\n${ERROR}\n`;
  const { document = '' }: ExplainAnswer = await client.connection.sendRequest(EXPLAIN, { text, folder });
  assert.match(document, /deserialize object on a CUDA device/);
  assert.match(document, /map_location/);
  assert.match(document, /train\.py/);
});

test('takes answers about possible causes', { timeout: 180_000 }, async (t) => {
  const client = await startClient(t);
  const text = 'RuntimeError: Cannot re-initialize CUDA in forked subprocess\n';
  const ask = async (answers?: Record<string, boolean>) => {
    const { explanation }: ExplainAnswer = await client.connection.sendRequest(EXPLAIN, { text, answers });
    return explanation?.causes.map(({ id, standing }) => `${id} ${standing}`) ?? [];
  };
  const [first = '', ...others] = await ask();
  const [id = ''] = first.split(' ');
  assert.equal(first, `${id} possible`);
  assert.deepEqual(await ask({ [id]: true }), [`${id} confirmed`]);
  assert.deepEqual(await ask({ [id]: false }), others);
});

test('quotes the line that it understood as an unknown error', { timeout: 180_000 }, async (t) => {
  const client = await startClient(t);
  const answer: ExplainAnswer = await client.connection.sendRequest(EXPLAIN, { text: "KeyError: 'epochs'\n" });
  const unknown = { message: "KeyError: 'epochs'", location: null, suspicions: [] };
  assert.deepEqual(answer, { unknown, document: '' });
});

test('for an unknown error, reports problems of the named file', {
  timeout: 180_000,
}, async (t) => {
  const folder = await folderWith(t, { 'model.safetensors': 'ab' });
  const client = await startClient(t);
  const text = "ValueError: cannot use 'model.safetensors'\n";
  const { unknown, document }: ExplainAnswer = await client.connection.sendRequest(EXPLAIN, { text, folder });
  assert.match(unknown?.suspicions[0]?.text ?? '', /^model\.safetensors: /);
  assert.match(document ?? '', /which may or may not be the cause/);
});

test("finds known errors in a line, and nothing in a line of the user's code", { timeout: 180_000 }, async (t) => {
  const client = await startClient(t);
  const find = (line: string): Promise<FoundError[]> => client.connection.sendRequest(FIND_ERRORS, line);
  const [found] = await find(ERROR);
  assert.ok(found && found.title.length > 0);
  assert.match(ERROR.slice(found.start, found.end), /^Attempting to deserialize .* to the CPU\.$/);
  assert.deepEqual(await find("KeyError: 'epochs'"), []);
});

test('says which line of a text is its error, which need not be the last one', { timeout: 180_000 }, async (t) => {
  const client = await startClient(t);
  const errorLine = (text: string) => client.connection.sendRequest(ERROR_LINE, text);
  const advice =
    'CUDA kernel errors might be asynchronously reported at some other API call.\nPass CUDA_LAUNCH_BLOCKING=1.\n';
  const error = 'RuntimeError: CUDA error: device-side assert triggered';
  assert.equal(
    await errorLine(`Traceback (most recent call last):\n  File "a.py", line 1\n${error}\n${advice}`),
    error,
  );
  assert.equal(await errorLine(`  File "a.py", line 1\nMyError: gone\nSee the manual.\n`), 'MyError: gone');
  assert.equal(await errorLine(''), null);
});
