import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPaste } from '../../server/src/explain/reading/paste.ts';
import { allCases } from '../cases/explainCase.ts';

const before = (tag: string) => (text: string) => text.replace(/^(?=.)/gm, tag);

/** Changes that launchers, logs, trackers and clipboards make to a text. */
const FORMS: Readonly<Record<string, (text: string) => string>> = {
  'a quotation': before('> '),
  'torchrun’s ranks': before('[rank0]: '),
  'mpirun’s ranks': before('[1,0]<stderr>:'),
  'a Ray worker': before('(RayTrainWorker pid=123, ip=10.0.0.1) '),
  'a Compose service': before('trainer_1  | '),
  'a pod’s log': before('2024-01-01T10:00:00.123456789Z '),
  'a container’s log on its node': before('2024-01-01T10:00:00.123456789Z stderr F '),
  'the journal': before('Jan 01 10:00:00 host python[1234]: '),
  'an Airflow task': before('[2024-01-01, 10:00:00 UTC] {subprocess.py:93} INFO - '),
  'Windows line ends': (text) => text.replaceAll('\n', '\r\n'),
  HTML: (text) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&#39;').replaceAll('"', '&quot;'),
  'a word processor': (text) => text.replace(/'([^'\n]*)'/g, '‘$1’').replace(/"([^"\n]*)"/g, '“$1”'),
  colours: (text) => text.replace(/^(.*)$/gm, '\x1b[31m$1\x1b[0m'),
};

/** Every n-th case is tested. */
const STEP = 3;

const firstOf = (text: string) => readPaste(text).messages[0]?.message.id;

const sampledCases = (await allCases())
  .filter((_, index) => index % STEP === 0)
  .map(({ id, text }) => ({ id, text, answer: firstOf(text) }));

for (const [form, write] of Object.entries(FORMS))
  test(`the explanation is the same in the form of ${form}`, () => {
    const changed = sampledCases.filter(({ text, answer }) => firstOf(write(text)) !== answer).map(({ id }) => id);
    assert.deepEqual(changed, []);
  });

const ERROR = `Traceback (most recent call last):
  File "train.py", line 3, in <module>
    model.to("cuda:0")
AssertionError: Torch not compiled with CUDA enabled
RuntimeError: size mismatch in __init__: no *args
`;

test('Markdown escapes and escaped line ends in JSON are decoded', () => {
  const { text } = readPaste(ERROR);
  assert.equal(readPaste(ERROR.replace(/[_*]/g, '\\$&')).text, text);
  assert.equal(readPaste(JSON.stringify(ERROR).slice(1, -1)).text, text);
});

test('the backslash of a Windows path stays', () => {
  const path = 'OSError: [WinError 126] Error loading "C:\\app\\_internal\\torch\\lib\\new\\torch_cuda.dll"\n';
  assert.equal(readPaste(path).text, path);
});
