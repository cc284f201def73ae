/** Attack forms that pickle scanners have seen, with harmless payloads, and files with other verdicts. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { inMemory } from '../../server/src/checkpoint/bytes.ts';
import type { SafetyVerdict } from '../../server/src/checkpoint/checkpoint.ts';
import { readBytes, readCheckpoint } from '../../server/src/checkpoint/read.ts';
import { isHarmless } from '../../server/src/checkpoint/verdicts.ts';
import { pickle, stackGlobal, text } from './pickleWriter.ts';

const judged = async (bytes: Buffer) => {
  const { safety, problems } = await readBytes(inMemory(bytes));
  assert.equal(problems.includes(safety.reason), !isHarmless(safety));
  return safety.verdict;
};

const PROTO = [0x80, 4];
const echo = [text('echo harmless'), 0x85, 'R.'] as const;

const attacks: Record<string, Buffer> = {
  'a GLOBAL of os.system': pickle([0x80, 2], 'cos\nsystem\n', 'X', [13, 0, 0, 0], 'echo harmless', 0x85, 'R.'),
  'its Python 2 name': pickle([0x80, 2], 'c__builtin__\neval\n', 'X', [1, 0, 0, 0], '1', 0x85, 'R.'),
  'the module that implements os on Windows': pickle([0x80, 2], 'cnt\nsystem\n.'),
  STACK_GLOBAL: pickle(PROTO, stackGlobal('posix', 'system'), ...echo),
  'STACK_GLOBAL with memoized texts': pickle(
    PROTO,
    text('os'),
    0x94,
    '0',
    text('system'),
    0x94,
    '0',
    'h',
    0,
    'h',
    1,
    0x93,
    ...echo,
  ),
  'STACK_GLOBAL with escaped texts': pickle(PROTO, 'V\\u006fs\n', "S'sys\\x74\\145m'\n", 0x93, ...echo),
  'STACK_GLOBAL with a computed name': pickle(
    PROTO,
    stackGlobal('builtins', 'str'),
    text('os'),
    0x85,
    'R',
    text('system'),
    0x93,
    ...echo,
  ),
  INST: pickle('(', 'S', "'echo harmless'\n", 'ios\nsystem\n.'),
  OBJ: pickle([0x80, 1], '(', 'cos\nsystem\n', 'S', "'echo harmless'\n", 'o.'),
  NEWOBJ_EX: pickle(PROTO, stackGlobal('subprocess', 'Popen'), ')', '}', 0x92, '.'),
  'a dotted name that leads through a module': pickle(PROTO, stackGlobal('torch.serialization', 'os.system'), ...echo),
  'a dotted name that leads to the builtins': pickle(
    PROTO,
    stackGlobal('collections', 'OrderedDict.__init__.__globals__'),
    '.',
  ),
  'an attribute getter': pickle(PROTO, stackGlobal('operator', 'attrgetter'), ...echo),
  'a partial application': pickle(PROTO, stackGlobal('functools', 'partial'), ')', 'R.'),
  'a module below a listed one': pickle(
    PROTO,
    stackGlobal('asyncio.unix_events', '_UnixSubprocessTransport._start'),
    '.',
  ),
  'a PyTorch helper that runs commands': pickle(PROTO, stackGlobal('torch.utils.collect_env', 'run'), ...echo),
  'a NumPy helper that runs text': pickle(PROTO, stackGlobal('numpy.testing._private.utils', 'runstring'), ...echo),
  pip: pickle(PROTO, stackGlobal('pip', 'main'), ...echo),
  'the extension registry': pickle(PROTO, [0x82, 1], '.'),
  'a payload before the pickle breaks': pickle(PROTO, stackGlobal('os', 'system'), text('x'), 0x85, 'R', 0xff),
  'a payload whose result is dropped': pickle(PROTO, stackGlobal('os', 'system'), text('x'), 0x85, 'R', '0', 'N.'),
  'a payload that ends without STOP': pickle(PROTO, stackGlobal('os', 'system'), text('x'), 0x85, 'R'),
  'a text of protocol 0': pickle("cos\nsystem\n(S'echo harmless'\ntR."),
};

for (const [name, bytes] of Object.entries(attacks))
  test(`${name} is dangerous`, async () => assert.equal(await judged(bytes), 'dangerous'));

const others: Record<string, [Buffer, SafetyVerdict]> = {
  'an unknown import': [pickle(PROTO, stackGlobal('networks', 'Net'), ')', 0x81, '.'), 'needs-trust'],
  'a pickle that is cut off': [pickle(PROTO, text('weights'), [0x8c, 200]), 'not-checked'],
  'a pickle with an invalid opcode': [pickle(PROTO, 0xff), 'not-checked'],
  'a pickle that pops from an empty stack': [pickle(PROTO, 'R.'), 'not-checked'],
  'a reference to an empty memo entry': [pickle(PROTO, 'h', 7, '.'), 'not-checked'],
  'marks without an end': [pickle(PROTO, '('.repeat(20_000)), 'not-checked'],
  'protocol 4, which weights_only does not read': [pickle(PROTO, text('x'), '.'), 'refused'],
  'plain data of protocol 2': [pickle([0x80, 2], 'X', [1, 0, 0, 0], 'x.'), 'refused'],
  'plain data of protocol 0': [pickle('(dp0\nVa\np1\n(lp2\nI1\naF2.5\nas.'), 'refused'],
  'a list that contains itself': [pickle([0x80, 2], ']q', 0, 'h', 0, 'a.'), 'refused'],
};

for (const [name, [bytes, verdict]] of Object.entries(others))
  test(`${name}: ${verdict}`, async () => assert.equal(await judged(bytes), verdict));

const files: Record<string, SafetyVerdict> = {
  'cuda0.pt': 'weights-only',
  'training.ckpt': 'weights-only',
  'legacy_cuda1.pt': 'weights-only',
  'kinds.pt': 'weights-only',
  'tar.pt': 'not-checked',
  'protocol4.pt': 'refused',
  'namespace.pt': 'refused',
  'numpy.pt': 'refused',
  'whole_linear.pt': 'needs-trust',
  'whole_own.pt': 'needs-trust',
  'scripted.pt': 'needs-trust',
};

for (const [name, verdict] of Object.entries(files))
  test(`${name}: ${verdict}`, async () => {
    const { safety } = await readCheckpoint(join(import.meta.dirname, 'fixtures/torch', name));
    assert.equal(safety.verdict, verdict, safety.reason);
  });
