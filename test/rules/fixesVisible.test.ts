import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseProgram } from '../../server/src/guards/program.ts';
import { applyFixes } from '../../server/src/lint/lint.ts';
import { type Source, script } from '../../server/src/python/semantic/source.ts';
import { checkProgram } from '../../server/src/rules/engine/check.ts';
import type { Knowledge } from '../../server/src/rules/engine/contract.ts';
import { applyEdits } from '../../server/src/rules/engine/fixAll.ts';
import { rules } from '../../server/src/rules/index.ts';

/** The results of the fixes for the first finding of a rule, by tier and title. */
function afterEachFix(code: string, source: Source, known: Knowledge = {}): Record<string, string> {
  const program = parseProgram(source);
  const finding = checkProgram(program, rules, { known }).find((each) => each.code === code);
  assert.ok(finding, program.text);
  return Object.fromEntries(
    finding.fixes().map(({ tier, title, edits }) => [
      `${tier}: ${title}`,
      applyEdits(program, edits)
        .cells.map(({ text }) => text)
        .join('\n---\n'),
    ]),
  );
}

const lines = (...text: string[]) => `${text.join('\n')}\n`;

describe('the fixes for a late choice of GPUs (GPU203)', () => {
  const set = 'os.environ["CUDA_VISIBLE_DEVICES"] = "1"';

  it('move it before the code that initializes CUDA', () => {
    const text = lines(
      'import os',
      'import torch',
      '',
      'd = torch.cuda.is_available()',
      `${set}  # the second`,
      'x = 1',
    );
    assert.deepEqual(afterEachFix('GPU203', script('train.py', text)), {
      'suggestion: Move before line 4, where CUDA is initialized': lines(
        'import os',
        'import torch',
        '',
        `${set}  # the second`,
        'd = torch.cuda.is_available()',
        'x = 1',
      ),
    });
  });

  it('move it before the first of several initializations', () => {
    const code = ['model = net.cuda()', 'batch = data.to("cuda")'];
    const text = lines('import os', 'from nets import net, data', ...code, set);
    assert.deepEqual(afterEachFix('GPU203', script('train.py', text)), {
      'suggestion: Move before line 3, where CUDA is initialized': lines(
        'import os',
        'from nets import net, data',
        set,
        ...code,
      ),
    });
  });

  it('keep the indentation', () => {
    const text = lines('import os', 'def main(model, gpu):', '    model.cuda()', `    ${set.replace('"1"', 'gpu')}`);
    assert.deepEqual(Object.values(afterEachFix('GPU203', script('train.py', text))), [
      lines('import os', 'def main(model, gpu):', `    ${set.replace('"1"', 'gpu')}`, '    model.cuda()'),
    ]);
  });

  it('move it to an earlier cell', () => {
    const cells = ['import os, torch', 'torch.cuda.init()\nx = 1', set];
    const source: Source = {
      path: 'a.ipynb',
      kind: 'notebook',
      cells: cells.map((text, index) => ({ index, text })),
    };
    assert.deepEqual(Object.values(afterEachFix('GPU203', source)), [
      `import os, torch\n---\n${set}\ntorch.cuda.init()\nx = 1\n---\n`,
    ]);
  });

  it('are omitted if its inputs are not defined yet, or it is in another block', () => {
    for (const text of [
      lines('import torch', 'torch.cuda.init()', 'import os', set),
      lines('import os, torch', 'torch.cuda.init()', 'gpu = "1"', set.replace('"1"', 'gpu')),
      lines('import os, torch', 'if torch.cuda.is_available():', `    ${set}`),
      lines('import os, torch', 'torch.cuda.init()', 'def main():', `    ${set}`),
      lines('import os, torch', `torch.cuda.init(); ${set}`),
    ]) {
      assert.deepEqual(afterEachFix('GPU203', script('train.py', text)), {}, text);
    }
  });
});

describe('the fixes for a missing index (GPU204)', () => {
  it('check for the GPU, or use the one of this machine', () => {
    const source = script('train.py', "import torch\nx.to('cuda:1')\n");
    const known = { visibleGpus: { count: 1, names: 'RTX 3090' } };
    assert.deepEqual(Object.keys(afterEachFix('GPU204', source, known)), [
      'suggestion: Define `device` and use it',
      "suggestion: Replace with `'cuda:0'`",
    ]);
  });

  it("use the GPU's index in the list", () => {
    const chosen = 'import os\nos.environ["CUDA_VISIBLE_DEVICES"] = "4, 6"\nimport torch\n';
    const of = (use: string) => afterEachFix('GPU204', script('train.py', chosen + use));
    assert.deepEqual(of('x.to("cuda:6")\n'), { 'safe: Replace with `"cuda:1"`': `${chosen}x.to("cuda:1")\n` });
    assert.deepEqual(of('x.cuda(4)\n'), { 'safe: Replace with `0`': `${chosen}x.cuda(0)\n` });
    assert.deepEqual(Object.keys(of('x.cuda(2)\n')), ['suggestion: Replace with `0`']);
  });

  it('name no GPU if the installed torch finds none', () => {
    const titles = (text: string, known: Knowledge) =>
      Object.keys(afterEachFix('GPU204', script('train.py', text), known));
    const cuda = { count: 0, because: 'torch 2.9.0+cpu is built without CUDA' };
    const known: Knowledge = { visibleGpus: { count: 1, names: 'RTX 3090' }, here: { devices: { cuda } } };
    const isNamed = (title: string) => title.includes('`"cuda:0"`');
    assert.ok(!titles('import torch\nx.to("cuda:1")\n', known).some(isNamed));
    assert.ok(titles('import torch\nx.to("cuda:1")\n', { visibleGpus: { count: 1, names: 'A10' } }).some(isNamed));
    const chosen = 'import os\nos.environ["CUDA_VISIBLE_DEVICES"] = "1"\nimport torch\nx.to("cuda:1")\n';
    // A GPU that the program itself hides is hidden on every machine, so this machine's GPUs are no reason to keep the
    // code.
    assert.deepEqual(titles(chosen, known), titles(chosen, {}));
    assert.deepEqual(titles(chosen, known), ['safe: Replace with `"cuda:0"`']);
  });

  it('never add a test that the program itself makes false', () => {
    const chosen = (gpus: string) => `import os\nos.environ["CUDA_VISIBLE_DEVICES"] = "${gpus}"\nimport torch\n`;
    const fixed = (text: string) => applyFixes(script('train.py', text)).source.cells[0]?.text;
    const own = '\ndevice = torch.device("cuda" if torch.cuda.is_available() else "cpu")\n\nx.to(device)\n';
    assert.equal(fixed(`${chosen('1')}x.to("cuda:1")\n`), `${chosen('1')}${own}`);
    // The intended GPU is unknown.
    const unclear = `${chosen('0')}x.to("cuda:1")\n`;
    assert.equal(fixed(unclear), unclear);
    const tried = `${chosen('0')}try:\n    x.to("cuda:1")\nexcept ValueError:\n    pass\n`;
    assert.equal(fixed(tried), tried);
  });

  it('are omitted if the program hides every GPU', () => {
    const text = 'import os\nos.environ["CUDA_VISIBLE_DEVICES"] = ""\nx.to("cuda:0")\n';
    assert.deepEqual(afterEachFix('GPU204', script('train.py', text)), {});
  });
});

describe('a site reported by two rules', () => {
  it('states the problem here', () => {
    const message = (known: Knowledge, text: string) =>
      checkProgram(parseProgram(script('train.py', text)), rules, { known }).find(({ code }) => code === 'GPU204')
        ?.message;
    const text = 'import torch\nx.to("cuda:1")\n';
    assert.equal(
      message({ visibleGpus: { count: 1, names: 'RTX 3090' } }, text),
      '`"cuda:1"` fails here: this machine has 1 GPU (RTX 3090).',
    );
    assert.equal(
      message({ visibleGpus: { count: 1, names: '8 × A100 80GB', value: '3' } }, text),
      '`"cuda:1"` fails here: this machine exposes 1 GPU with `CUDA_VISIBLE_DEVICES=3`.',
    );
    assert.equal(
      message({}, 'import os\nos.environ["CUDA_VISIBLE_DEVICES"] = "2"\nx.cuda(2)\n'),
      '`x.cuda(2)` always fails: the program makes one GPU visible, as index 0, with `CUDA_VISIBLE_DEVICES="2"`.',
    );
  });
});
