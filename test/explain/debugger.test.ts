import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tracebackOf } from '../../server/src/explain/reading/debugger.ts';

/** As debugpy 1.8.22 reports it: the innermost call first, and the cause first in a chain. */
const CHAIN = `  File "/work/torch.py", line 2, in load
    raise RuntimeError("CUDA error: out of memory")
  File "/work/train.py", line 5, in restore
    return torch.load(path)
           ^^^^^^^^^^^^^^^^
RuntimeError: CUDA error: out of memory

The above exception was the direct cause of the following exception:

  File "/work/train.py", line 7, in restore  (Current frame)
    raise ValueError("no model") from error
  File "/work/train.py", line 10, in <module>
            "model.pt",
            strict=False,
ValueError: no model
`;

test('exceptions at which a debugger stops are read as Python prints them', () => {
  const text = tracebackOf({ exceptionId: 'ValueError', details: { stackTrace: CHAIN } });
  assert.equal(
    text,
    `Traceback (most recent call last):
  File "/work/train.py", line 5, in restore
    return torch.load(path)
  File "/work/torch.py", line 2, in load
    raise RuntimeError("CUDA error: out of memory")
RuntimeError: CUDA error: out of memory

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/work/train.py", line 10, in <module>
  File "/work/train.py", line 7, in restore  (Current frame)
    raise ValueError("no model") from error
ValueError: no model
`,
  );
});

test('without calls, an exception is known by its last line', () => {
  assert.equal(tracebackOf({ exceptionId: 'RuntimeError', description: 'CUDA error' }), 'RuntimeError: CUDA error');
  assert.equal(tracebackOf({ exceptionId: 'KeyError', description: null, details: null }), 'KeyError: ');
});
