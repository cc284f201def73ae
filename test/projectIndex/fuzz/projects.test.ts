/**
 * Generated projects of several files that import, call, guard and pass each other's functions: every rule checks every
 * file without an error, findings and fixes lie within the text, and the result of the fixes can be checked again.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProgram } from '../../../server/src/guards/program.ts';
import { createProjectIndex } from '../../../server/src/projectIndex/projectIndex.ts';
import type { Source } from '../../../server/src/python/semantic/source.ts';
import { checkProgram } from '../../../server/src/rules/engine/check.ts';
import { applyEdits, compose } from '../../../server/src/rules/engine/fixAll.ts';
import { rules } from '../../../server/src/rules/index.ts';
import { SEED, share } from '../../fuzz/amount.ts';
import { randomFrom } from '../../random.ts';
import { at, filesOf } from '../files.ts';

const PROJECTS = share(2000);
const MODULES = ['a', 'b', 'c', 'pkg/__init__', 'pkg/d'];
const FUNCTIONS = ['f', 'g', 'run'];

const TESTS = [
  'torch.cuda.is_available()',
  'not torch.cuda.is_available()',
  'args.cuda',
  'not args.no_cuda',
  'torch.cuda.device_count() > 1',
  'device.type == "cuda"',
  '__name__ == "__main__"',
  'os.environ.get("RANK")',
];
const STATEMENTS = [
  'model = torch.load("w.pt")',
  'state = torch.load(path, weights_only=False)',
  'model.cuda()',
  'model.to("cuda:1")',
  'x = torch.zeros(2, device="cuda")',
  'torch.save(model.state_dict(), "w.pt")',
  'torch.save(model, path)',
  'model.load_state_dict(torch.load("w.pt"))',
  'os.environ["CUDA_VISIBLE_DEVICES"] = "0"',
  'dist.init_process_group("nccl")',
  'model = nn.DataParallel(model)',
  'net = keras.models.load_model("m.h5")',
  'device = torch.device("cuda")',
  'mp.spawn(f, nprocs=2)',
  'return model',
  'global model',
];

type Random = (below: number) => number;

/** Returns the text of one module. */
function moduleText(random: Random): string {
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const modulesDotted = MODULES.map((name) => name.replace('/__init__', '').replace('/', '.'));
  const call = () =>
    `${random(3) === 0 ? `${pick(modulesDotted)}.` : ''}${pick([...FUNCTIONS, 'Trainer().fit'])}(${random(3) === 0 ? 'f' : ''})`;
  const block = (indent: string, depth: number): string => {
    const lines = Array.from({ length: 1 + random(3) }, () => {
      const kind = random(7);
      const inner = () => block(`${indent}    `, depth + 1);
      if (depth < 3 && kind === 0) return `${indent}if ${pick(TESTS)}:\n${inner()}`;
      if (depth < 3 && kind === 1) return `${indent}try:\n${inner()}\n${indent}except RuntimeError:\n${inner()}`;
      if (depth < 3 && kind === 2) return `${indent}def ${pick(FUNCTIONS)}(device="cuda", path="w.pt"):\n${inner()}`;
      if (depth < 3 && kind === 3) return `${indent}for i in range(2):\n${inner()}`;
      if (kind < 5) return `${indent}${call()}`;
      return `${indent}${pick(STATEMENTS)}`;
    });
    return lines.join('\n');
  };
  const imports = Array.from({ length: random(4) }, () =>
    pick([
      `from ${pick(modulesDotted)} import ${pick(FUNCTIONS)}`,
      `from ${pick(modulesDotted)} import *`,
      `import ${pick(modulesDotted)}`,
      `from . import d`,
      `from ${pick(modulesDotted)} import ${pick(FUNCTIONS)} as ${pick(FUNCTIONS)}`,
    ]),
  );
  const parts = Array.from({ length: 1 + random(4) }, () =>
    random(4) === 0
      ? `class Trainer:\n    def fit(self):\n${block('        ', 1)}`
      : random(3) === 0
        ? block('', 0)
        : `def ${pick(FUNCTIONS)}(device="cuda", path="w.pt"):\n${block('    ', 1)}`,
  );
  return ['import os, torch, keras', 'from torch import nn', ...imports, ...parts, ''].join('\n');
}

test(`${PROJECTS} generated projects`, () => {
  const random = randomFrom(SEED);
  for (let number = 0; number < PROJECTS; number++) {
    const names = MODULES.slice(0, 2 + random(MODULES.length - 1)).map((name) => `${name}.py`);
    const texts = Object.fromEntries(names.map((name) => [name, moduleText(random)]));
    const files = filesOf(texts);
    const index = createProjectIndex(files);
    const shown = () =>
      Object.entries(texts)
        .map(([name, text]) => `# ${name}\n${text}`)
        .join('\n');
    const findingsIn = (source: Source) => {
      const program = parseProgram(source);
      const onRuleError = (code: string, cause: unknown) => {
        throw new Error(`${code} failed in ${source.path}, project ${number}:\n${shown()}`, { cause });
      };
      const findings = checkProgram(program, rules, { root: files.root, projectOf: index.viewFor, onRuleError });
      for (const { span, fixes } of findings)
        for (const { start, end } of [span, ...fixes().flatMap(({ edits }) => edits.map((edit) => edit.span))])
          assert.ok(start <= end && end <= program.text.length, shown());
      return { program, findings };
    };
    for (const name of names) {
      const source = files.read(at(name));
      assert.ok(source);
      const { program, findings } = findingsIn(source);
      const { edits } = compose(findings, () => true);
      if (edits.length > 0) findingsIn(applyEdits(program, edits));
    }
  }
});
