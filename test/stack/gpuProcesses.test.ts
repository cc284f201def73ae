import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProcess } from '../../server/src/stack/readers/gpuProcesses.ts';

test('reads the processes on GPUs that nvidia-smi lists', () => {
  const process = { gpu: 'GPU-5a1b', pid: 4711, program: '/usr/bin/python3', memory: 3072 };
  assert.deepEqual(parseProcess('GPU-5a1b, 4711, /usr/bin/python3, 3072'), [process]);
  assert.deepEqual(parseProcess('GPU-5a1b, 4711, /opt/a, b/python3, 3072'), [
    { ...process, program: '/opt/a, b/python3' },
  ]);
  // Windows' driver model does not report a process's memory, and containers hide the names of other processes.
  assert.deepEqual(parseProcess('GPU-5a1b, 4711, [Not Found], [N/A]'), [{ ...process, program: null, memory: null }]);
  for (const line of ['', 'No running processes found', 'GPU-5a1b, x, /usr/bin/python3, 3072', 'NVIDIA-SMI has failed'])
    assert.deepEqual(parseProcess(line), [], line);
});
