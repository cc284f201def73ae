import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProgram } from '../../../server/src/guards/program.ts';
import { script, spanOf } from '../../../server/src/python/semantic/source.ts';
import { checkProgram } from '../../../server/src/rules/engine/check.ts';
import { on, type Rule } from '../../../server/src/rules/engine/rule.ts';
import { callsOf } from '../../../server/src/rules/engine/selector.ts';

const TEXT = 'import torch\ntorch.load(1)\ntorch.load(1, 2)\ntorch.load(3)\n';

/** Reports each `torch.load`; `fails` is called before its finding and before its fix. */
function ruleThat(code: string, fails: (argumentCount: number, phase: 'finding' | 'fix') => void): Rule {
  return {
    code,
    name: 'a-rule',
    summary: 'A rule.',
    reports: 'a load',
    severity: 'warning',
    listener: on(callsOf('torch.load'), ({ call, args }, { report }) => {
      fails(args.length, 'finding');
      const fixes = () => {
        fails(args.length, 'fix');
        return [{ title: 'Remove', tier: 'safe', edits: [{ span: spanOf(call), newText: '' }] }] as const;
      };
      report({ span: spanOf(call), level: 'flag', message: 'It loads.', fixes });
    }),
  };
}

function checkedWith(...rules: Rule[]) {
  const errors: string[] = [];
  const program = parseProgram(script('train.py', TEXT));
  const findings = checkProgram(program, rules, { onRuleError: (code, error) => errors.push(`${code} ${error}`) });
  const shown = findings.map(({ code, span, fixes }) => {
    return `${program.placeOf(span.start).line + 1} ${code} ${fixes().length}`;
  });
  return { shown, errors };
}

test('an error at one place loses one finding', () => {
  const failing = ruleThat('GPU998', (count, phase) => {
    if (count === 2 && phase === 'finding') throw new Error('no such thing');
  });
  const { shown, errors } = checkedWith(
    failing,
    ruleThat('GPU999', () => {}),
  );
  assert.deepEqual(shown, ['2 GPU998 1', '2 GPU999 1', '3 GPU999 1', '4 GPU998 1', '4 GPU999 1']);
  assert.deepEqual(errors, ['GPU998 Error: no such thing']);
});

test('an error in a fix loses the fix', () => {
  const failing = ruleThat('GPU998', (count, phase) => {
    if (count === 1 && phase === 'fix') throw new Error('no such thing');
  });
  const { shown, errors } = checkedWith(failing);
  assert.deepEqual(shown, ['2 GPU998 0', '3 GPU998 1', '4 GPU998 0']);
  assert.deepEqual(errors, ['GPU998 Error: no such thing']);
});

test('a rule that outranks another omits its findings, or makes them hints unless its own is one', () => {
  const lower = ruleThat('GPU999', () => {});
  const higher = ruleThat('GPU998', (count) => {
    if (count === 2) throw new Error('no such thing');
  });
  const severities = (effect: 'omitted' | 'hint', higherSeverity: 'warning' | 'hint') => {
    const rules: Rule[] = [{ ...higher, severity: higherSeverity, outranks: { GPU999: effect } }, lower];
    const program = parseProgram(script('train.py', TEXT));
    return checkProgram(program, rules).map(({ code, severity }) => `${code.slice(-1)} ${severity}`);
  };
  assert.deepEqual(severities('omitted', 'warning'), ['8 warning', '9 warning', '8 warning']);
  assert.deepEqual(severities('hint', 'warning'), ['8 warning', '9 hint', '9 warning', '8 warning', '9 hint']);
  assert.deepEqual(severities('hint', 'hint'), ['8 hint', '9 warning', '9 warning', '8 hint', '9 warning']);
});
