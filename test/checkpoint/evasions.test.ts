/** Pickles that try to be read differently than by CPython, or to do harm with harmless imports. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBudget } from '../../server/src/checkpoint/budget.ts';
import { inMemory } from '../../server/src/checkpoint/bytes.ts';
import type { SafetyVerdict } from '../../server/src/checkpoint/checkpoint.ts';
import { threatOf } from '../../server/src/checkpoint/pickle/readPickle.ts';
import { readBytes } from '../../server/src/checkpoint/read.ts';
import { zipWith } from './archiveWriter.ts';
import { bytesOf, frame, legacy, legacyStorage, long, memoized, pickle, stackGlobal, text } from './pickleWriter.ts';

const PROTO = [0x80, 4];
const P2 = [0x80, 2];
const system = pickle('cos\nsystem\n', 'X', [4, 0, 0, 0], 'true', 0x85, 'R');
const harmful = pickle(P2, system, '.');
const load = 'ctorch.storage\n_load_from_bytes\n';
const dtype = (spelling: string, ...state: (Buffer | string | number | readonly number[])[]) =>
  pickle(stackGlobal('numpy', 'dtype'), text(spelling), 0x89, 0x88, 0x87, 'R', '(', ...state, 'tb');

/** Returns a list of ten references to the same list, nested `levels` times. */
function nested(levels: number): Buffer {
  const parts = Array.from({ length: levels }, (_, index) =>
    pickle('0(', ...Array.from({ length: 10 }, () => pickle('h', index)), 'lq', index + 1),
  );
  return Buffer.concat(parts);
}

const cases: Record<string, [Buffer, SafetyVerdict]> = {
  // Memo, numbers and texts as Python accepts them
  'a memo index with an underscore': [
    pickle(
      PROTO,
      memoized('collections', '10'),
      memoized('OrderedDict', '11'),
      memoized('os', '1_0'),
      memoized('system', '1_1'),
      'g10\ng11\n',
      0x93,
      ').',
    ),
    'dangerous',
  ],
  'the same with blanks and a sign': [
    pickle(PROTO, memoized('torch', '1'), memoized('os', ' +1\t'), text('system'), '0g1\n', text('system'), 0x93, '.'),
    'dangerous',
  ],
  'an integer with an underscore': [pickle('I1_0\n.'), 'not-checked'],
  'a hexadecimal integer': [pickle('L0x10L\n.'), 'not-checked'],
  'an invalid number': [pickle(P2, 'I1__0\n.'), 'not-checked'],
  'a string without quotes': [pickle(P2, 'Sos\n.'), 'not-checked'],
  'an escaped backslash does not start an escape': [pickle('V\\\\u006fs\nV', 'system\n', 0x93, '.'), 'suspicious'],
  'a Python 2 name that Python 3 maps to another': [pickle('citertools\nimap\n.'), 'dangerous'],
  'the same name in protocol 4 is another module': [pickle(PROTO, 'cUserDict\nUserDict\n)', 0x81, '.'), 'needs-trust'],
  'an unknown protocol': [pickle(P2, [0x80, 9], 'N.'), 'not-checked'],
  'an integer that only C reads as octal': [pickle('I010\n0', system, '.'), 'dangerous'],
  'a long line first': [pickle(`V${'a'.repeat(200_000)}\n0`, system, '.'), 'dangerous'],
  'a method of a harmless object that writes': [
    pickle(PROTO, stackGlobal('pathlib', 'PosixPath.touch'), '.'),
    'dangerous',
  ],
  'a module within a module, by its name there': [
    pickle(PROTO, stackGlobal('collections', '_sys.modules'), '.'),
    'dangerous',
  ],
  // Frames
  'a frame that ends inside an instruction': [pickle(PROTO, frame(3), text('abc'), '.'), 'not-checked'],
  'a frame inside another one': [pickle(PROTO, frame(12), 'N', frame(1), '0', 'N', '.'), 'not-checked'],
  'a frame that continues after the end': [pickle(PROTO, frame(9), 'N.', 'NNNNNNN'), 'not-checked'],
  'a frame as picklers write it': [pickle(PROTO, frame(3), '}', 0x94, '.'), 'refused'],
  // Plain data that Lightning calls
  'hyperparameters that name a function': [
    pickle(PROTO, '}', text('hyper_parameters'), '}', text('_instantiator'), text('timeit.timeit'), 'ss.'),
    'needs-trust',
  ],
  ...Object.fromEntries(
    (
      [
        ['without names', text('adam'), 'refused'],
        ['with a function', text('timeit.timeit'), 'needs-trust'],
        ['with a class', pickle('}', text('class_path'), text('timeit'), 's'), 'needs-trust'],
      ] as const
    ).map(([title, value, verdict]) => [
      `hyperparameters of the command line ${title}`,
      [
        pickle(
          ...[PROTO, '}', text('hyper_parameters'), '}', text('_instantiator')],
          ...[text('lightning.pytorch.cli.instantiate_module'), 's', text('optimizer'), value, 'ss.'],
        ),
        verdict,
      ] as [Buffer, SafetyVerdict],
    ]),
  ),
  'hyperparameters of a data module that name a function': [
    pickle(PROTO, '}', text('datamodule_hyper_parameters'), '}', text('_instantiator'), text('timeit.timeit'), 'ss.'),
    'needs-trust',
  ],
  'hyperparameters in an ordered dictionary that name a function': [
    pickle(
      ...[PROTO, '}', text('hyper_parameters'), stackGlobal('collections', 'OrderedDict')],
      ...[']', ']', text('_instantiator'), 'a', text('timeit.timeit'), 'aa', [0x85], 'Rs.'],
    ),
    'needs-trust',
  ],
  'hyperparameters that name none': [
    pickle(PROTO, '}', text('hyper_parameters'), '}', text('instantiator'), text('timeit.timeit'), 'ss.'),
    'refused',
  ],
  // Trailing bytes
  'a second pickle that is harmful': [pickle(P2, '}.', harmful), 'dangerous'],
  'a second pickle that is harmless': [pickle(P2, '}.', P2, ']q', 0, '.'), 'refused'],
  'bytes after a pickle': [pickle(P2, '}.', 'garbage'), 'not-checked'],
  'a buffer outside the file': [pickle([0x80, 5], 0x97, '.'), 'not-checked'],
  'objects outside the file': [pickle(P2, 'X', [1, 0, 0, 0], 'a', 'Q.'), 'not-checked'],
  'an object duplicated on the stack': [pickle(P2, ']2', 0x86, '.'), 'suspicious'],
  'unused objects on the stack': [pickle(P2, ']}.'), 'suspicious'],
  'a list that contains itself twice': [pickle(P2, ']q', 0, 'h', 0, 'a', 'h', 0, 'a.'), 'suspicious'],
  'nested lists with billions of objects': [pickle(P2, ']q', 0, nested(10), '.'), 'suspicious'],
  'nested lists with many objects': [pickle(P2, ']q', 0, nested(4), '.'), 'refused'],
  // Uses of imports
  'the state of a module': [pickle(PROTO, stackGlobal('torch.nn.modules.linear', 'Linear'), '}b.'), 'dangerous'],
  'an import from a layer`s module that is not a layer': [
    pickle(PROTO, stackGlobal('torch.nn.modules.linear', 'F'), '}b.'),
    'dangerous',
  ],
  'a module in place of a layer': [pickle(PROTO, stackGlobal('torch.nn.modules.linear', 'F'), '.'), 'needs-trust'],
  'items added to an import': [pickle(PROTO, stackGlobal('collections', 'OrderedDict'), text('a'), 'Ns.'), 'dangerous'],
  'a call of a call`s result': [pickle(PROTO, stackGlobal('builtins', 'list'), ')R)R.'), 'suspicious'],
  'the state of an object, set twice': [pickle(PROTO, stackGlobal('argparse', 'Namespace'), ')R}b}b.'), 'suspicious'],
  'the state of an object that has none': [pickle(PROTO, stackGlobal('builtins', 'tuple'), ')R}b.'), 'suspicious'],
  'a layer whose constructor is called': [
    pickle(PROTO, stackGlobal('torch.nn.modules.linear', 'Linear'), 'K', 1, 'K', 1, 0x86, 'R.'),
    'needs-trust',
  ],
  'a layer as it is pickled': [
    pickle(PROTO, stackGlobal('torch.nn.modules.linear', 'Linear'), ')', 0x81, '}', text('training'), 0x88, 'sb.'),
    'needs-trust',
  ],
  'a harmful factory of a dict': [
    pickle(PROTO, stackGlobal('collections', 'defaultdict'), stackGlobal('os', 'system'), 0x85, 'R.'),
    'dangerous',
  ],
  'a call without a tuple': [pickle(PROTO, stackGlobal('builtins', 'set'), ']R.'), 'not-checked'],
  // NumPy types that hide their content
  'a type of numbers': [
    pickle(
      PROTO,
      dtype('f8', 'K', 3, text('<'), 'NNN', 'J', [255, 255, 255, 255], 'J', [255, 255, 255, 255], 'K', 0),
      '.',
    ),
    'refused',
  ],
  'an object type': [
    pickle(
      PROTO,
      dtype('O8', 'K', 3, text('|'), 'NNN', 'J', [255, 255, 255, 255], 'J', [255, 255, 255, 255], 'K', 63),
      '.',
    ),
    'refused',
  ],
  'an object type that hides its objects': [
    pickle(
      PROTO,
      dtype('O8', 'K', 3, text('|'), 'NNN', 'J', [255, 255, 255, 255], 'J', [255, 255, 255, 255], 'K', 0),
      '.',
    ),
    'suspicious',
  ],
  'a type whose state another function sets': [
    pickle(
      PROTO,
      stackGlobal('torch._tensor', '_rebuild_from_type_v2'),
      '(',
      stackGlobal('numpy', 'dtype'),
      stackGlobal('numpy.dtypes', 'ObjectDType'),
      text('O8'),
      0x89,
      0x88,
      0x87,
      'NtR.',
    ),
    'needs-trust',
  ],
  'an array that accesses another array`s buffer': [
    pickle(PROTO, stackGlobal('numpy.core.numeric', '_frombuffer'), stackGlobal('builtins', 'list'), ')R', 0x85, 'R.'),
    'suspicious',
  ],
  // Nested checkpoints, as tensors in a plain pickle
  'a storage': [pickle(P2, load, bytesOf(legacyStorage()), 0x85, 'R.'), 'refused'],
  'bytes that are not a storage': [pickle(P2, load, bytesOf(legacy()), 0x85, 'R.'), 'suspicious'],
  'a storage whose bytes protocol 2 writes as text': [
    pickle(P2, load, 'c_codecs\nencode\n', long(legacyStorage()), 'X', [6, 0, 0, 0], 'latin1', 0x86, 'R', 0x85, 'R.'),
    'refused',
  ],
  'a harmful storage': [pickle(P2, load, bytesOf(legacy({ object: harmful })), 0x85, 'R.'), 'dangerous'],
  'a storage with a harmful machine description': [
    pickle(P2, load, bytesOf(legacy({ machine: pickle(P2, system, '0}.') })), 0x85, 'R.'),
    'dangerous',
  ],
  'a harmful storage as text': [
    pickle(
      P2,
      load,
      'c_codecs\nencode\n',
      long(legacy({ object: harmful })),
      'X',
      [6, 0, 0, 0],
      'latin1',
      0x86,
      'R',
      0x85,
      'R.',
    ),
    'dangerous',
  ],
  'a harmful storage as a byte array': [
    pickle(P2, load, 'c__builtin__\nbytearray\n', bytesOf(legacy({ object: harmful })), 0x85, 'R', 0x85, 'R.'),
    'dangerous',
  ],
  'a harmful storage nested in a storage': [
    pickle(
      P2,
      load,
      bytesOf(legacy({ object: pickle(P2, load, bytesOf(legacy({ object: harmful })), 0x85, 'R.') })),
      0x85,
      'R.',
    ),
    'dangerous',
  ],
  'bytes created in another way': [
    pickle(P2, load, 'c__builtin__\nstr\n', bytesOf(legacy()), 0x85, 'R', 0x85, 'R.'),
    'dangerous',
  ],
  'bytes that are not a storage either': [pickle(P2, load, bytesOf(harmful), 0x85, 'R.'), 'dangerous'],
  'the loader of bytes, passed to another function': [
    pickle(PROTO, stackGlobal('collections', 'defaultdict'), load, 0x85, 'R.'),
    'dangerous',
  ],
  'the loader of bytes, in an attribute': [
    pickle(PROTO, stackGlobal('argparse', 'Namespace'), ')R}', text('f'), load, 'sb.'),
    'dangerous',
  ],
  // Files of PyTorch before 1.6
  'an old file': [legacy(), 'weights-only'],
  'an old file whose magic number has protocol 0': [
    legacy({ magic: Buffer.from('L119547037146038801333356L\n.') }),
    'refused',
  ],
  'an old file with a harmful object': [
    legacy({ magic: Buffer.from('L119547037146038801333356L\n.'), object: harmful }),
    'dangerous',
  ],
  'an old file with harmful keys': [legacy({ keys: pickle(P2, system, '0].') }), 'dangerous'],
  'an old file followed by another': [pickle(legacy(), legacy({ object: harmful })), 'dangerous'],
  'an old file followed by bytes': [pickle(legacy(), 'garbage'), 'not-checked'],
  'an old file with the source of its layers': [
    legacy({
      object: pickle(
        P2,
        ...[
          '(X',
          [6, 0, 0, 0],
          'module',
          'ctorch.nn.modules.linear\nIdentity\n',
          'U',
          1,
          'f',
          'U',
          1,
          's',
          'tQ)',
          0x81,
          '}b.',
        ],
      ),
    }),
    'needs-trust',
  ],
  // Other formats
  'a harmful storage in a PyTorch file': [
    zipWith([
      { name: 'a/data.pkl', content: pickle(P2, load, bytesOf(legacy({ object: harmful })), 0x85, 'R.') },
      { name: 'a/version', content: Buffer.from('3\n') },
    ]),
    'dangerous',
  ],
  'bytes after the pickle in a PyTorch file': [
    zipWith([
      { name: 'a/data.pkl', content: pickle(P2, '}.', 'x') },
      { name: 'a/version', content: Buffer.from('3\n') },
    ]),
    'not-checked',
  ],
};

for (const [name, [bytes, verdict]] of Object.entries(cases))
  test(`${name}: ${verdict}`, async () => {
    const { safety, problems } = await readBytes(inMemory(bytes));
    assert.equal(safety.verdict, verdict, safety.reason);
    // Harmful content is reported and makes the command fail
    if (verdict !== 'refused' && verdict !== 'weights-only') assert.ok(problems.includes(safety.reason));
  });

test('the effects of an unpickler on bytes of another format', async () => {
  const of = async (bytes: Buffer) => (await threatOf(inMemory(bytes), createBudget()))?.verdict;
  assert.equal(await of(pickle('GGUF', [3, 0, 0, 0, 0], '0', system, '.', Buffer.alloc(64))), 'dangerous');
  // An unpickler may continue where the inspection stops
  assert.equal(await of(pickle('N0'.repeat(20_000_000), system, '.')), 'not-checked');
  assert.equal(await of(pickle(`V${'a'.repeat(17 * 1024 * 1024)}\n0`, system, '.')), 'not-checked');
  assert.equal(await of(pickle(`V${'a'.repeat(1024 * 1024)}\n0`, system, '.')), 'dangerous');
  assert.equal(await of(pickle(`S${'a'.repeat(1024 * 1024)}\n0`, system, '.')), undefined);
  assert.equal(await of(pickle('GGUF', [3, 0, 0, 0, 99], Buffer.alloc(64))), undefined);
  assert.equal(await of(Buffer.from('configuration\nof a model\n')), undefined);
});

test('a part of an unpacked PyTorch checkpoint is not a separate pickle', async () => {
  const storage = pickle('(X', [7, 0, 0, 0], 'storage', 'ctorch\nFloatStorage\n', 'U', 1, '0U', 3, 'cpuK', 4, 'tQ.');
  const { problems, safety } = await readBytes(inMemory(pickle(P2, storage)));
  assert.match(problems.join(' '), /the `data\.pkl` of an unpacked PyTorch checkpoint/);
  assert.equal(safety.verdict, 'not-checked');
});

test('a layer that is pickled whole needs trust, and the reason names it', async () => {
  const { safety } = await readBytes(
    inMemory(pickle(PROTO, stackGlobal('torch.nn.modules.container', 'Sequential'), '.')),
  );
  assert.match(
    safety.reason,
    /^Unpickling it imports `torch\.nn\.modules\.container\.Sequential` \(\w+ at byte \d+\), so /,
  );
});
