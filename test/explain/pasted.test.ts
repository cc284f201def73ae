/**
 * What programs print, in the forms in which it is pasted: written by Pythons from 3.8 to 3.13, IPython, rich, loguru,
 * logging, pip, g++ and the loader, in `pasted/`.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { frameOf, readPaste } from '../../server/src/explain/reading/paste.ts';

const FOLDER = path.join(import.meta.dirname, 'pasted');

/** A chain of exceptions, of which the first raised the message in a call over several lines, as Pythons from 3.8 to 3.13 print it. */
const CHAIN = { message: 'no-kernel-image', file: '/home/ada/project/load.py', line: 8, code: 'raise RuntimeError(' };
/** A group of exceptions with notes. */
const GROUP = { message: 'no-kernel-image', file: '/home/ada/project/group.py', line: 7, code: 'raise error' };

/** The message that is the cause, and where the user's own code failed. */
const READ: Readonly<Record<string, { message: string; file?: string; line?: number; code?: string }>> = {
  'python38.txt': CHAIN,
  'python310.txt': CHAIN,
  'python312.txt': CHAIN,
  'python313.txt': CHAIN,
  'colours313.txt': CHAIN,
  'group311.txt': GROUP,
  'group313.txt': GROUP,
  'chained.txt': {
    message: 'checkpoint-of-missing-device',
    file: '/home/ada/project/chained.py',
    line: 6,
    code: 'raise RuntimeError(os.environ["SAID"]) from error',
  },
  'compiler.txt': { message: 'headers-missing' },
  'dlerror.txt': { message: 'cuda-library-not-found', file: '<stdin>', line: 2 },
  'exceptionGroup.txt': {
    message: 'no-kernel-image',
    file: '/home/ada/project/group.py',
    line: 3,
    code: 'raise RuntimeError(os.environ["SAID"])',
  },
  'ipython.txt': {
    message: 'checkpoint-of-missing-index',
    file: '/home/ada/project/cell.py',
    line: 3,
    code: 'raise RuntimeError(os.environ["SAID"])',
  },
  'logging.txt': {
    message: 'device-side-assert',
    file: '/home/ada/project/log.py',
    line: 5,
    code: 'raise RuntimeError("CUDA error: device-side assert triggered")',
  },
  'loguru.txt': {
    message: 'torch-not-compiled-with-cuda',
    file: '/home/ada/project/logu.py',
    line: 6,
    code: 'raise AssertionError(os.environ["SAID"])',
  },
  'pip.txt': { message: 'torch-no-wheel' },
  'rich.txt': {
    message: 'tensors-on-two-devices',
    file: '/home/ada/project/richtb.py',
    line: 6,
    code: 'raise RuntimeError(os.environ["SAID"])',
  },
};

for (const file of readdirSync(FOLDER))
  test(`${file} is read`, () => {
    const paste = readPaste(readFileSync(path.join(FOLDER, file), 'utf8'));
    const [first] = paste.messages;
    const frame = frameOf(paste, first);
    const { message, ...at } = READ[file] ?? { message: 'nothing is expected of it' };
    assert.equal(first?.message.id, message);
    assert.deepEqual(
      { file: frame?.file, line: frame?.line, code: frame?.code },
      { file: undefined, line: undefined, code: undefined, ...at },
    );
  });

const GROUP_ALONE = `  + Exception Group Traceback (most recent call last):
  |   File "/home/ada/project/serve.py", line 9, in <module>
  |     asyncio.run(main())
  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/home/ada/project/serve.py", line 4, in load
    |     model.to("cuda")
    |   File "/usr/lib/python3.13/site-packages/torch/cuda/__init__.py", line 310, in _lazy_init
    |     raise AssertionError("Torch not compiled with CUDA enabled")
    | AssertionError: Torch not compiled with CUDA enabled
    +------------------------------------
`;

test('a frame within an exception group is found behind its edge', () => {
  const paste = readPaste(GROUP_ALONE);
  assert.deepEqual(
    { ...frameOf(paste, paste.messages[0]), start: 0 },
    { file: '/home/ada/project/serve.py', line: 4, code: 'model.to("cuda")', start: 0 },
  );
});

test('a group of ordinary errors is nothing of ours', () => {
  const ordinary = GROUP_ALONE.replaceAll('AssertionError: Torch not compiled with CUDA enabled', 'ValueError: batch 7')
    .replace(/.*site-packages.*\n.*\n/, '')
    .replace('model.to("cuda")', 'check(batch)');
  assert.deepEqual(readPaste(ordinary).messages, []);
});
