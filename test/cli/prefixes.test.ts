import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCheckpointCache } from '../../server/src/checkpoint/checkpointCache.ts';
import { checkDocument } from '../../server/src/cli/checkFile.ts';
import { readDocument } from '../../server/src/files/document.ts';
import { paintFor } from '../../server/src/report/paint.ts';
import { renderText } from '../../server/src/report/text.ts';

const SCRIPT = `\uFEFF#!/usr/bin/env python
'''Docstring # with "quotes" 😀'''
import torch, sys\r
if torch.cuda.is_available(): print "Python 2"
class Net(torch.nn.Module):
\tdef load(self, *args, **kwargs):  # gpu-doctor: ignore[GPU101, GPU202] why
        return [torch.load(f"{args[0]!r:>{10}}", ) for x in (1, 2)], """
%matplotlib inline
!ls {x}
net = Net().cuda().to("cuda:1"); 😀 = lambda: torch.load(open('a'), pickle_module=pickle) # noqa: GPU101
`;

test('any prefix of a script is checked, fixed and shown', async () => {
  for (let length = 0; length <= SCRIPT.length; length++) {
    const document = readDocument('a.py', Buffer.from(SCRIPT.slice(0, length)));
    const { result, source } = await checkDocument('a.py', document, {
      action: 'diff',
      hints: true,
      options: {},
      checkpoints: createCheckpointCache(),
    });
    assert.deepEqual(result.troubles, [], SCRIPT.slice(0, length));
    assert.equal(source.cells.length, 1);
    await renderText(result.problems, { paint: paintFor({}, {}) });
  }
});

test('any prefix of a script in two cells is checked as a notebook', async () => {
  for (let length = 0; length <= SCRIPT.length; length += 3) {
    const cells = [SCRIPT.slice(0, length), SCRIPT.slice(length)].map((source) => ({ cell_type: 'code', source }));
    const document = readDocument('a.ipynb', Buffer.from(JSON.stringify({ cells })));
    const { result, source } = await checkDocument('a.ipynb', document, {
      action: 'diff',
      hints: true,
      options: {},
      checkpoints: createCheckpointCache(),
    });
    assert.deepEqual(result.troubles, []);
    assert.equal(source.cells.length, 2);
  }
});
