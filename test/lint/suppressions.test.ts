import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyFixes, judge, lint } from '../../server/src/lint/lint.ts';
import { suppressionFix } from '../../server/src/lint/suppressionFix.ts';
import { type Source, script } from '../../server/src/python/semantic/source.ts';
import type { Fix } from '../../server/src/rules/edits/fix.ts';
import type { CheckOptions } from '../../server/src/rules/engine/check.ts';
import { applyEdits } from '../../server/src/rules/engine/fixAll.ts';

const LOAD = 'torch.load("a.pt")';

/** The lines, from 1, of the GPU101 and GPU900 findings. */
function linesOf(text: string, options: CheckOptions = {}): Record<string, number[]> {
  const { program, findings } = lint(script('a.py', text), options);
  const lines = (code: string) =>
    findings.filter((finding) => finding.code === code).map(({ span }) => program.placeOf(span.start).line + 1);
  return { GPU101: lines('GPU101'), GPU900: lines('GPU900') };
}

const QUIET = { GPU101: [], GPU900: [] };

test('comments that suppress', () => {
  for (const comment of [
    '# gpu-doctor: ignore[GPU101]',
    '#gpu-doctor:ignore[GPU101]',
    '# GPU-Doctor: Ignore[ gpu101 ]',
    '# gpu-doctor: ignore[GPU202, GPU101] because',
    '# gpu-doctor: ignore',
    '# gpu-doctor: ignore as agreed',
    '# note # gpu-doctor: ignore[GPU101] # other',
    '# gpu-doctor: ignore-file[GPU101]',
    '# gpu-doctor: ignore-file',
    '# noqa',
    '#NOQA',
    '# noqa: GPU101',
    '# noqa:GPU101',
    '# NoQA : GPU101',
    '# noqa: E501,GPU101',
    '# noqa: E501 GPU101 text',
    '# noqa: GPU101,',
    '# type: ignore # noqa: GPU101',
    '# noqa some text',
    '# pylint: disable=x # noqa# x',
  ]) {
    const found = linesOf(`import torch\nx = ${LOAD}  ${comment}\n`);
    assert.deepEqual(found.GPU101, [], comment);
  }
});

test('comments that do not suppress', () => {
  for (const comment of [
    '# gpu-doctor: ignore[GPU202]',
    '# gpu-doctor: ignore[]',
    '# gpu-doctor: ignore GPU101',
    '# gpu-doctor: ignore: GPU101',
    '# gpu-doctor: ignore[GPU101',
    '# gpu-doctor: ignored',
    '# gpu-doctor ignore',
    '# noqa: E501',
    '# noqa:',
    '# noqa: text',
    '# noqa-foo',
    '# noqa: GPU1010',
    '# noqa: GPU101-x',
    '# xnoqa',
    '"# noqa"',
  ]) {
    assert.deepEqual(linesOf(`import torch\nx = ${LOAD},  ${comment}\n`).GPU101, [2], comment);
  }
});

test('the range that a comment covers', () => {
  const text = (first: string, last: string) => `import torch\nx = torch.load(  ${first}\n    "a.pt",\n)  ${last}\n`;
  assert.deepEqual(linesOf(text('# noqa', '')), QUIET);
  assert.deepEqual(linesOf(text('', '# noqa')), QUIET);
  assert.deepEqual(linesOf(`import torch\nx = 1  # noqa\ny = ${LOAD}\n`).GPU101, [3]);
  // On a line of its own, our comment applies to the next line with code; noqa applies to its own line.
  assert.deepEqual(linesOf(`import torch\n\n# gpu-doctor: ignore[GPU101]\n\n# text\ny = ${LOAD}\n`), QUIET);
  assert.deepEqual(linesOf(`import torch\n# noqa\ny = ${LOAD}\n`).GPU101, [3]);
  assert.deepEqual(linesOf(`import torch\ny = ${LOAD}\n# gpu-doctor: ignore-file[GPU101]\nz = ${LOAD}`), QUIET);
});

test('a notebook is one file', () => {
  const source: Source = {
    path: 'nb.ipynb',
    kind: 'notebook',
    cells: [
      { index: 0, text: 'import torch' },
      { index: 2, text: `x = ${LOAD}\n# gpu-doctor: ignore-file[GPU101]` },
      { index: 3, text: `x = ${LOAD}` },
    ],
  };
  assert.deepEqual(lint(source).findings, []);
});

/** The text after each fix for the GPU900 hints, one at a time. */
function afterRemoval(text: string, options: CheckOptions = {}): string[] {
  const source = script('a.py', text);
  const { findings } = lint(source, options);
  return findings
    .filter(({ code }) => code === 'GPU900')
    .flatMap((finding) => finding.fixes())
    .map((fix) => applied(source, fix));
}

function applied(source: Source, fix: Fix): string {
  return applyEdits(lint(source).program, fix.edits)
    .cells.map(({ text }) => text)
    .join('\n');
}

test('a comment that suppresses nothing is a hint with a fix', () => {
  const cases: [string, string[]][] = [
    ['x = 1  # gpu-doctor: ignore[GPU101] reason\n', ['x = 1\n']],
    ['x = 1  # gpu-doctor: ignore\n', ['x = 1\n']],
    ['x = 1  # note  # gpu-doctor: ignore[GPU101]\n', ['x = 1  # note\n']],
    ['x = 1  # gpu-doctor: ignore[GPU101]  # noqa\n', ['x = 1  # noqa\n']],
    ['x = 1\n    # gpu-doctor: ignore[GPU101]\ny = 1\n', ['x = 1\ny = 1\n']],
    ['\uFEFF# gpu-doctor: ignore-file[GPU101]\r\nx = 1\r\n', ['\uFEFFx = 1\r\n']],
    ['x = 1\n# gpu-doctor: ignore', ['x = 1\n']],
    [
      `import torch\n${LOAD} # gpu-doctor: ignore[GPU101, GPU999]`,
      [`import torch\n${LOAD} # gpu-doctor: ignore[GPU101]`],
    ],
    [
      `import torch\n${LOAD} # gpu-doctor: ignore[GPU999, GPU101]`,
      [`import torch\n${LOAD} # gpu-doctor: ignore[GPU101]`],
    ],
    ['x = 1  # gpu-doctor: ignore[GPU900]\n', []],
    ['x = 1  # noqa: GPU101\n', []],
  ];
  for (const [text, expected] of cases) assert.deepEqual(afterRemoval(text), expected, text);
});

test('suppressions of rules that are not selected are not reported', () => {
  assert.deepEqual(linesOf('x = 1  # gpu-doctor: ignore[GPU101]', { ignore: ['GPU101'] }), QUIET);
  assert.deepEqual(linesOf('x = 1  # gpu-doctor: ignore', { ignore: ['GPU101'] }), QUIET);
  assert.deepEqual(linesOf('x = 1  # gpu-doctor: ignore[GPU101]', { ignore: ['GPU900'] }), QUIET);
});

test('suppressions of rules that are off by default are not reported, and unused comments are removed', () => {
  const choice = 'import torch\nd = "cuda" if torch.cuda.is_available() else "cpu"';
  const codes = (text: string, options: CheckOptions) =>
    lint(script('a.py', text), options).findings.map(({ code }) => code);
  assert.deepEqual(codes(choice, {}), []);
  assert.deepEqual(codes(choice, { select: ['GPU'] }), ['GPU401']);
  assert.deepEqual(codes(choice, { select: ['GPU4'] }), ['GPU401']);
  assert.deepEqual(codes(choice, { select: ['GPU', 'GPU401'] }), ['GPU401']);
  assert.deepEqual(codes(choice, { severity: { GPU401: 'warning' } }), ['GPU401']);
  assert.deepEqual(codes(choice, { severity: { GPU401: 'warning' }, ignore: ['GPU4'] }), []);
  assert.deepEqual(codes(choice, { severity: { GPU401: 'off' }, select: ['GPU401'] }), []);
  assert.deepEqual(codes(`${choice}  # gpu-doctor: ignore[GPU401]`, {}), []);
  assert.deepEqual(codes('x = 1  # gpu-doctor: ignore[GPU401]', {}), []);
  assert.deepEqual(codes('x = 1  # gpu-doctor: ignore[GPU401]', { severity: { GPU401: 'information' } }), ['GPU900']);
  assert.deepEqual(codes('x = 1  # gpu-doctor: ignore', {}), ['GPU900']);
});

test('an invalid comment is a hint that names a misspelled code', () => {
  const messages = (text: string) => lint(script('a.py', text)).findings.map(({ message }) => message);
  assert.match(messages('x = 1  # gpu-doctor: ignroe[GPU101]').join(), /not understood/);
  assert.match(messages('x = 1  # gpu-doctor: ignore[GPU10l]').join(), /no rule `GPU10L`: did you mean `GPU101`\?/);
});

test('a comment suppresses findings on the line of the first one', () => {
  const both = 'import torch\nx = torch.load("a.pt").cuda()\n';
  const cases: [text: string, expected?: string][] = [
    ['import torch\nx = L\ny = 1\n', 'import torch\nx = L  # gpu-doctor: ignore[GPU101]\ny = 1\n'],
    ['import torch\r\nx = L  # note  \r\n', 'import torch\r\nx = L  # note  # gpu-doctor: ignore[GPU101]\r\n'],
    ['#!/bin/python\nimport torch; L', '#!/bin/python\nimport torch; L  # gpu-doctor: ignore[GPU101]'],
    [
      'import torch\nx = L  # gpu-doctor: ignore[GPU202] why\n',
      'import torch\nx = L  # gpu-doctor: ignore[GPU202, GPU101] why\n',
    ],
    [
      '# gpu-doctor: ignore-file[GPU202]\nimport torch\nx = L',
      '# gpu-doctor: ignore-file[GPU202]\nimport torch\nx = L  # gpu-doctor: ignore[GPU101]',
    ],
    ['import torch\nx = L + \\\n  1\n'],
    ['import torch\nx = L, """\n"""\n'],
    [both, both.replace('()', '()  # gpu-doctor: ignore[GPU101, GPU202]')],
  ];
  for (const [template, expected] of cases) {
    const { program, findings } = lint(script('a.py', template.replace('L', LOAD)));
    const fix = suppressionFix(
      program,
      findings.filter(({ code }) => code !== 'GPU900'),
    );
    const after = fix && applyEdits(program, fix.edits);
    assert.equal(after?.cells[0]?.text, expected?.replace('L', LOAD), template);
    assert.notEqual(fix?.tier, 'safe');
    const left = after ? lint(after).findings.filter(({ code }) => code !== 'GPU900') : [];
    assert.deepEqual(left, []);
  }
});

test('suppressed findings are not fixed', () => {
  const text = `import torch\nx = ${LOAD}  # noqa\ny = ${LOAD}\n`;
  const { source } = applyFixes(script('a.py', text));
  const lines = (source.cells[0]?.text ?? '').split('\n');
  assert.equal(lines[1], `x = ${LOAD}  # noqa`);
  assert.match(lines[2] ?? '', /map_location/);
});

test('any prefix of a file with comments can be checked', () => {
  const text = `#!/x\nimport torch\nx = f"{${LOAD}!r:>{3}}" # gpu-doctor: ignore[GPU101, GPU202] # noqa: GPU101, E501\r\n'''😀# noqa''' # gpu-doctor: ignore-file`;
  for (let length = 0; length <= text.length; length++) {
    const { program, findings } = lint(script('a.py', text.slice(0, length)));
    for (const finding of findings)
      for (const fix of [...finding.fixes(), suppressionFix(program, [finding])])
        if (fix) applyEdits(program, fix.edits);
    assert.deepEqual(judge(program).length, findings.length);
  }
});
