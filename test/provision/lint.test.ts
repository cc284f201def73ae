/** The rules on environment files find nothing in the files that plans write. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EnvironmentKind } from '../../server/src/environment/environmentFile.ts';
import { readEnvironment } from '../../server/src/environment/read.ts';
import { checkEnvironment } from '../../server/src/environment/rules/check.ts';
import type { Form } from '../../server/src/provision/environmentPlan.ts';
import { planEnvironment } from '../../server/src/provision/planEnvironment.ts';
import { factsOf, machineNames, needsOf } from './machines.ts';

const NEEDS = [
  ['torch', 'torchvision', 'torchaudio'],
  ['tensorflow', 'keras'],
  ['torch', 'jax'],
  ['vllm'],
  ['torch-scatter'],
];

const KINDS: readonly (readonly [Form, EnvironmentKind])[] = [
  ['dockerfile', 'dockerfile'],
  ['devcontainer', 'devcontainer'],
  ['pixi', 'pixi'],
];

describe('the linter finds nothing in the form', () => {
  for (const [form, kind] of KINDS)
    it(form, async () => {
      // Many machines get the same plan, so each text is checked once.
      const clean = new Map<string, boolean>();
      let read = 0;
      for (const machine of machineNames) {
        const facts = await factsOf(machine);
        for (const needs of NEEDS) {
          const plan = planEnvironment(facts, needsOf(...needs), form);
          if (plan.outcome === 'impossible') continue;
          if (!clean.has(plan.text)) {
            const file = readEnvironment(kind, plan.text);
            assert.deepEqual(file.errors, [], plan.text);
            // A plan for the CPU already states what the hint reports.
            const expectedHint = /^# torch \S+ for the CPU\.$/m.test(plan.text)
              ? /^On Windows PyPI has \S+ \S+ for the CPU alone/
              : null;
            // A plan targets the GPUs of one machine, so it need not suit newer ones.
            const findings = checkEnvironment(file, { ignore: ['GPU608'] }).filter(
              ({ severity, message }) => severity !== 'hint' || !expectedHint?.test(message),
            );
            const lines = findings.map(({ code, message }) => `${code} ${message}`);
            assert.deepEqual(lines, [], `${machine}\n${plan.text}`);
            clean.set(
              plan.text,
              file.installations.some(({ requirements }) => requirements.length > 0),
            );
          }
          read += clean.get(plan.text) ? 1 : 0;
        }
      }
      assert.ok(read > 250, `${read}`);
    });
});
