import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { conditionsOf } from '../../server/src/python/semantic/annotations.ts';
import { askedArgument } from '../python/semantic/askedArgument.ts';

const AVAILABLE = 'torch.cuda.is_available()';

/** Programs, and the evidence of a GPU under which `ask()` runs. */
const EVIDENCE: readonly (readonly [what: string, text: string, level: 'none' | 'weak' | 'guard', devices?: number])[] =
  [
    ['no test', 'ask()', 'none'],
    ['a test', `if ${AVAILABLE}:\n    ask()`, 'guard', 1],
    ['its other branch', `if ${AVAILABLE}:\n    pass\nelse:\n    ask()`, 'none'],
    ['the branch of its negation', `if not ${AVAILABLE}:\n    pass\nelse:\n    ask()`, 'guard', 1],
    ['a test and another', `if x and ${AVAILABLE} and y:\n    ask()`, 'guard', 1],
    ['a test or another', `if x or ${AVAILABLE}:\n    ask()`, 'none'],
    ['an operand after it', `x = ${AVAILABLE} and ask()`, 'guard', 1],
    ['an operand before it', `x = ask() and ${AVAILABLE}`, 'none'],
    ['a multi-line conditional expression', `x = ask() \\\n    if ${AVAILABLE} else 0`, 'guard', 1],
    ['a condition of a comprehension', `x = [ask() for y in z if ${AVAILABLE}]`, 'guard', 1],
    ['a flag', `has = ${AVAILABLE} and not args.x\nif has:\n    ask()`, 'guard', 1],
    ['a flag that is reassigned', `has = ${AVAILABLE}\nhas = f()\nif has:\n    ask()`, 'none'],
    ['a count', 'if torch.cuda.device_count() > 2:\n    ask()', 'guard', 3],
    ['an exit', `if not ${AVAILABLE}:\n    raise SystemExit\nask()`, 'guard', 1],
    ['an exit in a loop', `for x in y:\n    if not ${AVAILABLE}:\n        continue\n    ask()`, 'guard', 1],
    ['an assertion', `assert ${AVAILABLE}\nask()`, 'guard', 1],
    ['a handled failure', 'try:\n    ask()\nexcept RuntimeError:\n    pass', 'guard', 1],
    ['a re-raised failure', 'try:\n    ask()\nexcept RuntimeError:\n    raise', 'none'],
    ['a switch', 'if args.use_gpu:\n    ask()', 'guard', 1],
    ['a switch that is on by default', 'def f(use_gpu=True):\n    if use_gpu:\n        ask()', 'weak', 0],
    ['a user who did not opt out', 'if not args.no_cuda:\n    ask()', 'weak', 0],
    ['a case', 'match device:\n    case "cuda":\n        ask()', 'guard', 1],
    ['another case', 'match device:\n    case "cuda":\n        pass\n    case _:\n        ask()', 'none'],
    ['a decorator', '@require_torch_gpu\ndef test():\n    ask()', 'guard', 1],
    ['callers that test', `def f():\n    ask()\nif ${AVAILABLE}:\n    f()`, 'guard', 1],
    ['callers, one of which does not test', `def f():\n    ask()\nif ${AVAILABLE}:\n    f()\nf()`, 'none'],
    ['functions that only call each other', 'def f():\n    ask()\n    g()\ndef g():\n    f()', 'none'],
    ['a function of the program', `def ok():\n    return ${AVAILABLE}\nif ok():\n    ask()`, 'guard', 1],
    ['a process of a distributed run', 'def f():\n    dist.init_process_group("nccl")\n    ask()', 'weak', 0],
  ];

describe('evidence', () => {
  for (const [what, text, level, devices = 0] of EVIDENCE)
    it(`from ${what}: ${level}`, () => {
      const { program, call } = askedArgument(`import torch\n${text}\n`);
      const evidence = program.guards.evidenceAt(conditionsOf(call));
      assert.deepEqual({ level: evidence.level, devices: evidence.devices }, { level, devices });
    });
});
