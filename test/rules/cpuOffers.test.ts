/** GPU202: a warning where the program offers the CPU, else one mark for the whole program. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'node:test';
import { parseProgram } from '../../server/src/guards/program.ts';
import { diskFiles } from '../../server/src/projectIndex/diskFiles.ts';
import { createProjectIndex } from '../../server/src/projectIndex/projectIndex.ts';
import { script } from '../../server/src/python/semantic/source.ts';
import { checkProgram } from '../../server/src/rules/engine/check.ts';
import { rules } from '../../server/src/rules/index.ts';
import { readSource } from './fixtures.ts';

const MOVED = 'x = torch.ones(2).cuda()\n';

function foundIn(text: string) {
  const findings = checkProgram(parseProgram(script('train.py', `import torch\n${text}`)), rules, {
    select: ['GPU202'],
  });
  return findings.map(({ severity, message, related }) => ({ severity, message, related }));
}

const severitiesIn = (text: string) => foundIn(text).map(({ severity }) => severity);

describe('a program that offers the CPU', () => {
  const offers = {
    'a choice of devices': 'device = torch.device("cuda" if torch.cuda.is_available() else "cpu")\n',
    'a switch that guards another place': 'if settings["use_gpu"]:\n    net = net.cuda()\n',
    'a test of a device': 'if device.type == "cuda":\n    torch.cuda.synchronize()\n',
    'an option whose default is the CPU': 'parser.add_argument("--device", default="cpu")\n',
    'a parameter whose default is the CPU': 'def f(rows, device="cpu"):\n    return rows\n',
    'an argument of one of its functions': 'def f(rows, device):\n    return rows\nf(1, device="cpu")\n',
    'a load that is mapped to the CPU': 'net.load_state_dict(torch.load("a.pt", map_location="cpu"))\n',
    'a load that keeps storages where they are': 'torch.load("a.pt", map_location=lambda storage, place: storage)\n',
  };
  for (const [name, text] of Object.entries(offers))
    it(`by ${name} has a warning`, () => {
      const [first, ...others] = foundIn(text + MOVED);
      assert.deepEqual([first?.severity, others.length], ['warning', 0]);
      assert.match(first?.message ?? '', /offers the CPU \(line \d+\)\.$/);
      assert.match(first?.related[0]?.message ?? '', /\b(?:CPU|leave the GPU out)\b/);
    });
});

describe('a program that does not offer the CPU', () => {
  const others = {
    'moves a result to the CPU': 'print(y.to("cpu"))\n',
    'stops without a GPU': 'def f():\n    if not torch.cuda.is_available():\n        raise SystemExit("no GPU")\n',
    'uses several GPUs if there are': 'if torch.cuda.device_count() > 1:\n    net = net.cuda()\n',
    'shows the name of a GPU if there is one':
      'if torch.cuda.is_available():\n    print(torch.cuda.get_device_name(0))\n',
    'waits for a GPU if there is one': 'if torch.cuda.is_available():\n    torch.cuda.synchronize()\n',
    'compares a device': 'print(place == "cpu")\n',
    'distinguishes types of CUDA': 'if y.type() == "torch.cuda.HalfTensor":\n    y = torch.cuda.HalfTensor(2)\n',
  };
  for (const [name, text] of Object.entries(others))
    it(`has one mark if it ${name}`, () => assert.deepEqual(severitiesIn(text + MOVED), ['information']));

  it('has one mark that counts its places', () => {
    const [mark, ...rest] = foundIn(`${MOVED}${MOVED}def f(y):\n    return y.to("cuda")\n`);
    assert.equal(mark?.message, 'This program needs an NVIDIA GPU: 3 places use CUDA without a check.');
    assert.deepEqual(
      rest.map(({ severity }) => severity),
      ['hint', 'hint'],
    );
  });
});

describe('a program of several files', () => {
  const findingIn = (file: string) => {
    const [folder = ''] = file.split('/');
    const root = path.join(import.meta.dirname, 'GPU202', folder);
    const program = parseProgram(readSource(path.join(root, '..', file), path.join(root, '..', file)));
    const [first] = checkProgram(program, rules, {
      select: ['GPU202'],
      projectOf: createProjectIndex(diskFiles(root)).viewFor,
    });
    return first;
  };

  it('has one mark that counts the places of all files', () => {
    const mark = findingIn('one_mark.project/softening/filters.py');
    assert.equal(mark?.severity, 'information');
    assert.equal(mark?.message, 'This program needs an NVIDIA GPU: 3 places in 2 files use CUDA without a check.');
  });

  it('has a warning that names the file that offers the CPU', () => {
    const warning = findingIn('offers_cpu.project/steps.py');
    assert.equal(warning?.severity, 'warning');
    assert.match(warning?.message ?? '', /\(train\.py\)\.$/);
    assert.equal(findingIn('offers_cpu.project/other.py')?.severity, 'information');
    // Another file's load on the CPU says nothing of this one.
    assert.equal(findingIn('offers_cpu.project/stored.py')?.severity, 'information');
  });
});
