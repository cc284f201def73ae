import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { loadParser, type Program, parseProgram } from '../../server/src/python/program.ts';
import type { Source } from '../../server/src/python/source.ts';
import type { Statement } from '../../server/src/python/syntax.ts';
import { check } from '../../server/src/rules/check.ts';
import { randomFrom } from '../random.ts';
import { verdictFixtures } from '../rules/fixtures.ts';

const INSERTIONS = [
  'x',
  '\n',
  '    ',
  '(',
  ')',
  '"',
  "'''",
  ':',
  '#',
  'if torch.cuda.is_available():\n',
  '.cuda()',
  ' = ',
  '\t',
  '%time\n',
];

function edited(source: Source, random: (below: number) => number): Source {
  const at = random(source.cells.length);
  const cells = source.cells.map((cell, index) => {
    if (index !== at) return cell;
    const start = random(cell.text.length + 1);
    const end = Math.min(cell.text.length, start + (random(3) === 0 ? random(40) : 0));
    const inserted = random(4) === 0 ? '' : (INSERTIONS[random(INSERTIONS.length)] ?? '');
    return { ...cell, text: cell.text.slice(0, start) + inserted + cell.text.slice(end) };
  });
  return { ...source, cells };
}

/** A line is deleted, written once more, or another one of the program, which may come to stand deeper, is put before it. */
function withEditedLine(source: Source, random: (below: number) => number): Source {
  const at = random(source.cells.length);
  const cells = source.cells.map((cell, index) => {
    if (index !== at) return cell;
    const lines = cell.text.split('\n');
    const line = random(lines.length);
    const indentation = /^\s*/.exec(lines[line] ?? '')?.[0] ?? '';
    // The grammar takes a line that ends with a comma and the assignment below it for one.
    const other = indentation + (lines[random(lines.length)] ?? '').trim().replace(/,$/, '');
    const written = [[], [lines[line] ?? '', lines[line] ?? ''], [other, lines[line] ?? '']][random(3)] ?? [];
    return { ...cell, text: lines.toSpliced(line, 1, ...written).join('\n') };
  });
  return { ...source, cells };
}

function verdicts(program: Program): string[] {
  return check(program, {
    onRuleError(code, error) {
      throw new Error(`${code} threw`, { cause: error });
    },
  }).map(({ code, severity, span, message }) => `${span.start}-${span.end} ${code} ${severity} ${message}`);
}

describe('incremental parsing', () => {
  before(loadParser);

  // How a broken text is read may depend on what it was before; a whole text has one meaning.
  it('judges an edited program that is whole as it judges it afresh', () => {
    const random = randomFrom(20261121);
    let compared = 0;
    for (const fixture of verdictFixtures()) {
      const expected = verdicts(parseProgram(fixture.source));
      let program = parseProgram(fixture.source);
      for (let round = 0; round < 6; round++) {
        let source = fixture.source;
        for (let step = 0; step < 3; step++) {
          source = edited(source, random);
          program = parseProgram(source, program);
          const found = verdicts(program);
          const fresh = parseProgram(source);
          if (fresh.hasErrors) continue;
          assert.equal(program.hasErrors, false, `${fixture.rule}/${fixture.name}, round ${round + 1}`);
          compared++;
          assert.deepEqual(found, verdicts(fresh), `${fixture.rule}/${fixture.name}, round ${round + 1}`);
        }
        program = parseProgram(fixture.source, program);
        assert.deepEqual(verdicts(program), expected, `${fixture.rule}/${fixture.name}, undone ${round + 1}`);
      }
    }
    assert.ok(compared > 500, `only ${compared} edited programs were whole`);
  });

  // Most of what is written is whole after each line; what is kept across such edits is another part of the parser.
  it('judges a program whose lines are edited as it judges it afresh', () => {
    const random = randomFrom(20261122);
    let within = 0;
    let outside = 0;
    for (const fixture of verdictFixtures()) {
      let whole = fixture.source;
      let program = parseProgram(whole);
      verdicts(program);
      for (let step = 0; step < 12; step++) {
        const source = withEditedLine(whole, random);
        program = parseProgram(source, program);
        const fresh = parseProgram(source);
        assert.equal(program.hasErrors, fresh.hasErrors, JSON.stringify(source.cells.map(({ text }) => text)));
        if (program.hasErrors) continue;
        whole = source;
        if (program.parsed.some(({ editedFunction }) => editedFunction)) within++;
        if (program.parsed.some(({ editedModule }) => editedModule)) outside++;
        assert.deepEqual(
          verdicts(program),
          verdicts(fresh),
          `${fixture.rule}/${fixture.name}, step ${step + 1}: ${JSON.stringify(source.cells.map(({ text }) => text))}`,
        );
      }
    }
    assert.ok(within > 250, `only ${within} edits lay within a function`);
    assert.ok(outside > 250, `only ${outside} edits lay outside of functions`);
  });

  it('takes a text that was broken from the start for whole when it is', () => {
    const random = randomFrom(20261123);
    let mended = 0;
    for (const fixture of verdictFixtures()) {
      let source = fixture.source;
      while (!parseProgram(source).hasErrors) source = edited(source, random);
      let program = parseProgram(source);
      verdicts(program);
      for (let step = 0; step < 8; step++) {
        source = step === 6 ? fixture.source : withEditedLine(source, random);
        program = parseProgram(source, program);
        const found = verdicts(program);
        const fresh = parseProgram(source);
        assert.equal(program.hasErrors, fresh.hasErrors, JSON.stringify(source.cells.map(({ text }) => text)));
        if (fresh.hasErrors) continue;
        mended++;
        assert.deepEqual(found, verdicts(fresh), `${fixture.rule}/${fixture.name}, step ${step + 1}`);
      }
    }
    assert.ok(mended > 250, `only ${mended} texts were mended`);
  });

  it('forgets how a text was read while it was broken', () => {
    const own = `import torch


def resume(net):
    if Config.resume:
        net.cuda()


def only_with_a_gpu(net):
    fast = False
    if torch.cuda.is_available():
        fast = True
    if fast:
        net.cuda()
    return net
`;
    const fixture = verdictFixtures().find(({ name }) => name === 'short_circuit.py')?.source.cells[0]?.text ?? '';
    const stories: [text: string, ...edits: [from: string, to: string][]][] = [
      [own, ['Config.resume', 'Config.resu:'], ['fast = False\n', 'fast = False\nx']],
      [
        fixture,
        ['torch.zeros(batch, 16', 'if torch.cuda.is_available():\n'],
        ['current_device() and torch.cuda', 'current_device() and torch.cud(a'],
      ],
    ];
    for (const [text, ...edits] of stories) {
      const source = (of: string): Source => ({ path: 'a.py', kind: 'script', cells: [{ index: 0, text: of }] });
      const whole = verdicts(parseProgram(source(text)));
      let program = parseProgram(source(text));
      let broken = text;
      for (const [from, to] of edits) {
        assert.ok(broken.includes(from));
        broken = broken.replace(from, to);
        program = parseProgram(source(broken), program);
        assert.ok(program.hasErrors);
        verdicts(program);
      }
      assert.deepEqual(verdicts(parseProgram(source(text), program)), whole);
    }
  });

  it('takes over what stands below a new first statement of a block', () => {
    const own = `import torch


@torch.no_grad()
def run(
    net,
    device,
):  # runs

    # What comes first.
    net.cuda()
    for batch in net:
        # Each batch.
        batch.cuda()
    return net


class Trainer:
    """Trains."""

    def load(self):
        return torch.load("a.pt")
`;
    const bodyOf = (program: Program, name: string) => {
      const found = program.flow.functions.find((each) => each.name === name);
      assert.ok(found);
      return found.body;
    };
    const source = (text: string): Source => ({ path: 'a.py', kind: 'script', cells: [{ index: 0, text }] });
    for (const [at, typed, name] of [
      ['    # What', '    fast = True\n', 'run'],
      ['\n    # What', '    fast = True\n', 'run'],
      ['    net.cuda()', '    fast = True\n\n', 'run'],
      ['    # What', '    @torch.no_grad()\n    def inner():\n        pass\n', 'run'],
      ['\n    # What', '  ', 'run'],
      ['        # Each', '        fast = True\n', 'run'],
      ['        return torch', '        # A comment.\n\n', 'load'],
      ['        return torch', '        if self.fast:\n            pass\n', 'load'],
    ] as const) {
      const text = own.replace(at, typed + at);
      const before = parseProgram(source(own));
      verdicts(before);
      const [first, last] = [bodyOf(before, name)[0], bodyOf(before, name).at(-1)];
      const after = parseProgram(source(text), before);
      const fresh = parseProgram(source(text));
      assert.equal(fresh.hasErrors, false, text);
      assert.deepEqual(verdicts(after), verdicts(fresh), text);
      assert.ok(bodyOf(after, name).includes(first as Statement), text);
      assert.equal(bodyOf(after, name).at(-1), last, text);
    }
  });

  it('takes over the cells that an edit leaves alone, wherever they move', () => {
    const cell = (index: number, text: string) => ({ index, text });
    const cells = [cell(0, 'import torch\n'), cell(1, 'model.cuda()\n'), cell(2, 'torch.load("a.pt")\n')];
    const before = parseProgram({ path: 'a.ipynb', kind: 'notebook', cells });
    const kept = before.cells[2]?.[0];
    const source: Source = {
      path: 'a.ipynb',
      kind: 'notebook',
      cells: [
        cell(0, 'import torch as th\nimport torch\n'),
        cell(1, 'torch.load("a.pt")\n'),
        cell(2, 'model.cuda()\n'),
      ],
    };
    const after = parseProgram(source, before);
    assert.equal(after.cells[1]?.[0], kept);
    assert.deepEqual(verdicts(after), verdicts(parseProgram(source)));
  });
});
