/** The grammar of plain data: attacks composed of harmless imports, and similar pickles as libraries write them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inMemory } from '../../server/src/checkpoint/bytes.ts';
import { blockersUnder } from '../../server/src/checkpoint/formats/torch/weightsOnly.ts';
import { readBytes } from '../../server/src/checkpoint/read.ts';
import { isHarmless } from '../../server/src/checkpoint/verdicts.ts';
import { zipWith } from './archiveWriter.ts';
import { bytesOf, legacyStorage, type Part, pickle, stackGlobal, text } from './pickleWriter.ts';

const name = (full: string) => {
  const dot = full.lastIndexOf('.');
  return stackGlobal(full.slice(0, dot), full.slice(dot + 1));
};
const tuple = (...parts: readonly Part[]) => pickle('(', ...parts, 't');
const list = (...parts: readonly Part[]) => pickle('](', ...parts, 'e');
const dict = (...parts: readonly Part[]) => pickle('}(', ...parts, 'u');
const call = (callee: string, ...args: readonly Part[]) => pickle(name(callee), tuple(...args), 'R');
const bare = (callee: string) => pickle(name(callee), ')', 0x81);
const int = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return pickle('J', bytes);
};
const NONE = 'N';
const TRUE = [0x88];
const FALSE = [0x89];
const put = (index: number) => [0x71, index];
const get = (index: number) => [0x68, index];

const storage = pickle(tuple(text('storage'), name('torch.FloatStorage'), text('0'), text('cpu'), int(4)), 'Q');
const hooks = call('collections.OrderedDict');
const tensorArgs = [storage, int(0), tuple(int(4)), tuple(int(1)), FALSE, hooks] as const;
const tensor = call('torch._utils._rebuild_tensor_v2', ...tensorArgs);

const elements = (spelling: string, ...state: readonly Part[]) =>
  pickle(call('numpy.dtype', text(spelling), FALSE, TRUE), tuple(...state), 'b');
const plain = (spelling: string, order = '<') =>
  elements(spelling, int(3), text(order), NONE, NONE, NONE, int(-1), int(-1), int(0));
const objects = elements('O8', int(3), text('|'), NONE, NONE, NONE, int(-1), int(-1), int(63));
const record = (fields: Part, names: Part, size = 8) =>
  elements(`V${size}`, int(3), text('|'), NONE, names, fields, int(size), int(1), int(16));
/** An array of two four-byte numbers per record. */
const subarray = (size: Part) =>
  elements('V8', int(3), text('|'), tuple(plain('f4'), tuple(int(2))), NONE, NONE, size, int(4), int(0));
const array = (type: Part, shape: Part, content: Part, made: Part = name('numpy.ndarray')) =>
  pickle(
    call('numpy.core.multiarray._reconstruct', made, tuple(int(0)), bytesOf(Buffer.from('b'))),
    tuple(int(1), shape, type, FALSE, content),
    'b',
  );
const eightBytes = bytesOf(Buffer.alloc(8));
const namespace = (...state: readonly Part[]) => pickle(bare('argparse.Namespace'), dict(...state), 'b');

const inZip = (content: Part) =>
  zipWith([
    { name: 'a/data.pkl', content: pickle([0x80, 2], content, '.') },
    { name: 'a/version', content: Buffer.from('3\n') },
    { name: 'a/data/0', content: Buffer.alloc(16) },
  ]);
const judged = async (content: Part) => (await readBytes(inMemory(inZip(content)))).safety;

/** Forms that libraries write, each next to forms that only an attacker writes. */
const cases: Record<string, { plain?: Part; harmful: Record<string, Part> }> = {
  'a tensor': {
    plain: tensor,
    harmful: {
      'with hooks': call(
        'torch._utils._rebuild_tensor_v2',
        ...tensorArgs.slice(0, 5),
        pickle(hooks, int(1), int(2), 's'),
      ),
      'whose hooks are filled afterwards': pickle(
        hooks,
        put(0),
        '0',
        list(
          call('torch._utils._rebuild_tensor_v2', ...tensorArgs.slice(0, 5), get(0)),
          get(0),
          '(',
          int(1),
          int(2),
          'u',
        ),
      ),
      'whose storage is an object': call('torch._utils._rebuild_tensor_v2', namespace(), ...tensorArgs.slice(1)),
      'whose shape is an object': call(
        'torch._utils._rebuild_tensor_v2',
        storage,
        int(0),
        namespace(),
        ...tensorArgs.slice(3),
      ),
      'whose storage has an invalid class': pickle(
        tuple(text('storage'), name('collections.OrderedDict'), text('0'), text('cpu'), int(4)),
        'Q',
      ),
      'whose state is set': pickle(tensor, dict(text('a'), int(1)), 'b'),
      'that is called': pickle(tensor, ')R'),
      'that skips its constructor': bare('torch.Tensor'),
      'with named arguments, which use numbers as pointers': pickle(
        name('torch.Tensor'),
        ')}',
        text('cdata'),
        int(1094795585),
        's',
        0x92,
      ),
    },
  },
  'a tensor with attributes': {
    plain: call(
      'torch._tensor._rebuild_from_type_v2',
      name('torch._utils._rebuild_tensor_v2'),
      name('torch.Tensor'),
      tuple(...tensorArgs),
      dict(text('tag'), text('x')),
    ),
    harmful: {
      'that write into its memory': call(
        'torch._tensor._rebuild_from_type_v2',
        name('torch._utils._rebuild_tensor_v2'),
        name('torch.Tensor'),
        tuple(...tensorArgs),
        dict(text('real'), tensor),
      ),
      'that change its class': call(
        'torch._tensor._rebuild_from_type_v2',
        name('torch._utils._rebuild_tensor_v2'),
        name('torch.Tensor'),
        tuple(...tensorArgs),
        dict(text('__class__'), name('numpy.ndarray')),
      ),
      'through another function': call(
        'torch._tensor._rebuild_from_type_v2',
        name('builtins.bytearray'),
        name('torch.Tensor'),
        tuple(int(1)),
        NONE,
      ),
      'of another class': call(
        'torch._tensor._rebuild_from_type_v2',
        name('torch._utils._rebuild_tensor_v2'),
        name('argparse.Namespace'),
        tuple(...tensorArgs),
        NONE,
      ),
      'that an object provides': call(
        'torch._utils._rebuild_parameter_with_state',
        tensor,
        FALSE,
        hooks,
        namespace(text('items'), int(1)),
      ),
    },
  },
  'a parameter': {
    plain: call('torch._utils._rebuild_parameter', tensor, TRUE, hooks),
    harmful: {
      'of an object': call('torch._utils._rebuild_parameter', namespace(text('detach'), int(1)), TRUE, hooks),
      'of an object, by its class': call('torch.nn.parameter.Parameter', namespace(text('detach'), int(1)), FALSE),
      'that an object moves to a device': call(
        'torch._utils._rebuild_device_tensor_from_cpu_tensor',
        namespace(text('to'), int(1)),
        name('torch.float32'),
        text('cpu'),
        FALSE,
      ),
      'with a custom class': call(
        'torch._utils._rebuild_wrapper_subclass',
        name('torch.Tensor'),
        name('torch.float32'),
        tuple(int(1)),
        tuple(int(1)),
        int(0),
        name('torch.strided'),
        text('cpu'),
        FALSE,
      ),
      'under a name that leads to it': pickle(
        list(name('torch.nn.parameter.Parameter'), stackGlobal('torch.nn', 'parameter.Parameter')),
      ),
    },
  },
  'a layer': {
    harmful: {
      'with its state': pickle(bare('torch.nn.modules.linear.Linear'), dict(text('training'), TRUE), 'b'),
      'that exposes its attributes': call('builtins.dict', bare('torch.nn.modules.container.ParameterDict')),
      'that is evaluated by a dict': call('collections.defaultdict', bare('torch.nn.modules.linear.Identity')),
      'as an optimizer': bare('torch.optim.sgd.SGD'),
    },
  },
  'an array': {
    plain: array(plain('f8'), tuple(int(1)), eightBytes),
    harmful: {
      'of another class': array(plain('f8'), tuple(int(1)), eightBytes, name('collections.OrderedDict')),
      'of a negative shape': array(plain('f8'), tuple(int(-1), int(-1)), eightBytes),
      'whose type has no state': array(call('numpy.dtype', text('f8'), FALSE, TRUE), tuple(int(1)), eightBytes),
      'whose type is shared with the program': array(
        pickle(
          call('numpy.dtype', text('f8'), FALSE, FALSE),
          tuple(int(3), text('>'), NONE, NONE, NONE, int(-1), int(-1), int(0)),
          'b',
        ),
        tuple(int(1)),
        eightBytes,
      ),
      'whose type is spelled without its size': array(plain('d'), tuple(int(1)), eightBytes),
      'whose state is set twice': pickle(
        array(plain('f8'), tuple(int(1)), eightBytes),
        tuple(int(1), tuple(int(1)), plain('f8'), FALSE, eightBytes),
        'b',
      ),
      'whose state is called': call('numpy.ndarray', tuple(int(1)), plain('f8'), eightBytes),
    },
  },
  'an array of objects': {
    plain: array(objects, tuple(int(2)), list(int(1), text('a'))),
    harmful: {
      'with fewer objects than its shape requires': array(objects, tuple(int(1000)), list(int(1))),
      'with numbers instead of objects': array(objects, tuple(int(1)), eightBytes),
      'that claims to have none': array(
        elements('O8', int(3), text('|'), NONE, NONE, NONE, int(-1), int(-1), int(0)),
        tuple(int(1)),
        eightBytes,
      ),
      'of functions': array(objects, tuple(int(1)), list(name('torch._utils._rebuild_tensor'))),
    },
  },
  'a record that contains an array': {
    plain: array(record(dict(text('a'), tuple(subarray(int(8)), int(0))), tuple(text('a'))), tuple(int(1)), eightBytes),
    harmful: {
      'as an array`s type': array(subarray(int(8)), tuple(int(1)), eightBytes),
    },
  },
  'a record': {
    plain: array(record(dict(text('a'), tuple(plain('f8'), int(0))), tuple(text('a'))), tuple(int(1)), eightBytes),
    harmful: {
      'with a hidden object': array(
        record(dict(text('a'), tuple(objects, int(0))), tuple(text('a'))),
        tuple(int(1)),
        eightBytes,
      ),
      'with a field beyond its end': array(
        record(dict(text('a'), tuple(plain('f8'), int(8))), tuple(text('a'))),
        tuple(int(1)),
        eightBytes,
      ),
      'whose fields change afterwards': pickle(
        dict(text('a'), tuple(plain('f8'), int(0))),
        put(0),
        '0',
        list(
          array(record(get(0), tuple(text('a'))), tuple(int(1)), eightBytes),
          get(0),
          text('a'),
          tuple(objects, int(0)),
          's',
        ),
      ),
      'with an array that is longer than declared': array(
        record(dict(text('a'), tuple(subarray(int(16)), int(0))), tuple(text('a'))),
        tuple(int(1)),
        eightBytes,
      ),
      'with names that are not fields': array(
        record(dict(text('a'), tuple(plain('f8'), int(0))), tuple(text('b'))),
        tuple(int(1)),
        eightBytes,
      ),
    },
  },
  'a date': {
    plain: array(
      elements(
        ...(['M8', int(4), text('<'), NONE, NONE, NONE, int(-1), int(-1), int(0)] as [string, ...Part[]]),
        tuple('}', tuple(bytesOf(Buffer.from('ns')), int(1), int(1), int(1))),
      ),
      tuple(int(1)),
      eightBytes,
    ),
    harmful: {
      'without a unit, which crashes': array(plain('M8'), tuple(int(1)), eightBytes),
      'whose unit is an object': array(
        elements(
          ...(['M8', int(4), text('<'), NONE, NONE, NONE, int(-1), int(-1), int(0)] as [string, ...Part[]]),
          tuple(namespace(), tuple(namespace(), int(1), int(1), int(1))),
        ),
        tuple(int(1)),
        eightBytes,
      ),
    },
  },
  'a NumPy number': {
    plain: call('numpy.core.multiarray.scalar', plain('f8'), eightBytes),
    harmful: {
      'with too few bytes': call('numpy.core.multiarray.scalar', plain('f8'), bytesOf(Buffer.alloc(4))),
      'that is an object': call('numpy.core.multiarray.scalar', objects, eightBytes),
    },
  },
  'bytes that are loaded': {
    plain: call('torch.storage._load_from_bytes', bytesOf(legacyStorage())),
    harmful: {
      'after an array got their memory': pickle(
        bytesOf(legacyStorage()),
        put(0),
        '0',
        list(
          array(plain('u1'), tuple(int(legacyStorage().length)), get(0)),
          call('torch.storage._load_from_bytes', get(0)),
        ),
      ),
      'after they were changed': call(
        'torch.storage._load_from_bytes',
        pickle(
          call('builtins.bytearray', bytesOf(legacyStorage())),
          '(',
          call('builtins.slice', int(0), int(9), NONE),
          eightBytes,
          'u',
        ),
      ),
      'after they grew': call(
        'torch.storage._load_from_bytes',
        pickle(call('builtins.bytearray', bytesOf(legacyStorage())), int(1), 'a'),
      ),
    },
  },
  'an ordered dict': {
    plain: pickle(
      call('collections.OrderedDict'),
      '(',
      text('a'),
      int(1),
      'u}',
      text('_metadata'),
      call('collections.OrderedDict'),
      'sb',
    ),
    harmful: {
      'of an object': call('collections.OrderedDict', namespace(text('keys'), int(1))),
      'with a method in its state': pickle(call('collections.OrderedDict'), dict(text('items'), int(1)), 'b'),
      'with names in its state that Python looks up': pickle(
        call('collections.OrderedDict'),
        dict(text('__setstate__'), int(1)),
        'b',
      ),
      'whose state is an object': pickle(call('collections.OrderedDict'), namespace(), 'b'),
      'without its constructor': bare('collections.OrderedDict'),
      'as protocol 0 creates instances': pickle('(', 'icollections\nOrderedDict\n'),
      'as protocol 1 creates instances': pickle('(', 'ccollections\nOrderedDict\n', 'o'),
    },
  },
  'a namespace': {
    plain: namespace(text('lr'), int(1), text('layers'), list(int(1), int(2))),
    harmful: {
      'that items are appended to': pickle(namespace(text('extend'), int(1)), '(', int(1), int(2), 'e'),
      'as a text': call('builtins.str', namespace(text('_get_args'), int(1))),
      'as a list': call('builtins.list', namespace()),
      'with a function in it': namespace(text('f'), name('torch._utils._rebuild_tensor')),
      'as a key': dict(namespace(), int(1)),
      'through the function that creates any object': call(
        'copyreg._reconstructor',
        name('collections.OrderedDict'),
        name('builtins.object'),
        NONE,
      ),
    },
  },
  'a buffer': {
    plain: pickle(bare('_io.BytesIO'), tuple(eightBytes, int(0), NONE), 'b'),
    harmful: {
      'with attributes': pickle(bare('_io.BytesIO'), tuple(eightBytes, int(0), dict(text('read'), int(1))), 'b'),
    },
  },
  'a dict with a default': {
    plain: pickle(call('collections.defaultdict', name('builtins.list')), int(1), ']s'),
    harmful: {
      'that loads bytes': call('collections.defaultdict', name('argparse.Namespace')),
      'that is an object': call('collections.defaultdict', namespace()),
    },
  },
  'a counter': {
    plain: call('collections.Counter', dict(text('a'), int(2))),
    harmful: {
      'of an object': call('collections.Counter', namespace(text('items'), int(1))),
      'whose state is set': pickle(call('collections.Counter'), dict(text('a'), int(1)), 'b'),
    },
  },
  'a fraction': {
    plain: call('fractions.Fraction', text('1/3')),
    harmful: { 'that never finishes': call('fractions.Fraction', text('1e999999999')) },
  },
  'a list': {
    plain: list(int(1), name('builtins.float'), name('torch.float32'), name('numpy.float32')),
    harmful: {
      'of a function': list(name('torch._utils._rebuild_tensor')),
      'that is a function': name('torch._utils._rebuild_tensor'),
    },
  },
};

for (const [what, { plain, harmful }] of Object.entries(cases)) {
  if (plain !== undefined)
    test(`${what} is plain data`, async () => {
      const safety = await judged(plain);
      assert.ok(isHarmless(safety), safety.reason);
    });
  for (const [how, content] of Object.entries(harmful))
    test(`${what} ${how} is not harmless`, async () => {
      const safety = await judged(content);
      assert.ok(
        safety.verdict === 'needs-trust' || safety.verdict === 'suspicious',
        `${safety.verdict}: ${safety.reason}`,
      );
      assert.match(safety.reason, /\([A-Z_]+ at byte \d+\)/);
      const checkpoint = await readBytes(inMemory(inZip(content)));
      assert.equal(blockersUnder(checkpoint, '2.15')?.remedy, undefined);
    });
}

test('a reused memo index refers to its latest value', async () => {
  const reused = pickle(hooks, put(0), '0', tensor, put(0), '0', list(get(0), call('collections.deque', list(get(0)))));
  assert.ok(isHarmless(await judged(reused)));
});

test('misuse counts in any pickle of a file', async () => {
  const unknown = pickle([0x80, 4], name('networks.Net'), '.');
  const misused = pickle([0x80, 4], call('builtins.str', int(1)), '.');
  assert.equal((await readBytes(inMemory(pickle(unknown, misused)))).safety.verdict, 'suspicious');
});

test('a module name may use any script, but must be a valid name', async () => {
  assert.equal((await judged(bare('модели.Сеть'))).verdict, 'needs-trust');
  assert.equal((await judged(bare('a b.Net'))).verdict, 'suspicious');
});

test('the first instruction outside the grammar is named', async () => {
  const { reason } = await judged(list(int(1), name('networks.Net'), name('os_like.Other')));
  assert.match(
    reason,
    /it imports `networks\.Net` \(STACK_GLOBAL at byte 24\), so .*\. It also imports `os_like\.Other`\./,
  );
});

test('the type of None is plain data in the form of every protocol', async () => {
  const written = ['c__builtin__\ntype\n(NtR.', 'c__builtin__\ntype\nN\x85R.', 'cbuiltins\ntype\nN\x85R.'];
  for (const [index, content] of written.entries()) {
    const protocol = [0, 2, 3][index] ?? 0;
    const { safety } = await readBytes(inMemory(pickle(protocol > 0 ? [0x80, protocol] : '', content)));
    assert.ok(isHarmless(safety), safety.reason);
  }
  assert.ok(isHarmless(await judged(list(call('builtins.type', NONE), int(1)))));
});

test('only attackers create other classes', async () => {
  const made = call('builtins.type', text('X'), tuple(name('builtins.object')), dict(text('a'), int(1)));
  const harmful: Record<string, readonly [content: Part, verdict: string]> = {
    'a custom class': [made, 'dangerous'],
    'the class of a tensor': [call('builtins.type', tensor), 'dangerous'],
    'a class without its constructor': [pickle(name('builtins.type'), tuple(NONE), 0x81), 'dangerous'],
    'the function itself': [list(name('builtins.type')), 'suspicious'],
    'the type of None with a state': [pickle(call('builtins.type', NONE), dict(text('a'), int(1)), 'b'), 'suspicious'],
    'a call of the type of None': [pickle(call('builtins.type', NONE), ')R'), 'suspicious'],
    'a factory of a dict': [call('collections.defaultdict', call('builtins.type', NONE)), 'suspicious'],
  };
  for (const [what, [content, verdict]] of Object.entries(harmful))
    assert.equal((await judged(content)).verdict, verdict, what);
  const checkpoint = await readBytes(inMemory(inZip(list(call('builtins.type', NONE)))));
  assert.equal(blockersUnder(checkpoint, '2.15')?.remedy, undefined, 'it is not to be allowed for good');
});
