/** What a plan writes is clean under the rules on environment files. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EnvironmentKind } from '../../server/src/environment/environmentFile.ts';
import { readEnvironment } from '../../server/src/environment/read.ts';
import { checkEnvironment } from '../../server/src/environment/rules/check.ts';
import { environmentRules } from '../../server/src/environment/rules/index.ts';
import type { Form } from '../../server/src/provision/environmentPlan.ts';
import { planEnvironment } from '../../server/src/provision/planEnvironment.ts';
import { asked, factsOf, machineNames } from './machines.ts';

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

describe('the linter finds nothing in', () => {
  for (const [form, kind] of KINDS)
    it(form, async () => {
      // Many machines have the same plan, and what is clean once is clean.
      const clean = new Map<string, boolean>();
      let read = 0;
      for (const machine of machineNames) {
        const facts = await factsOf(machine);
        for (const needs of NEEDS) {
          const plan = planEnvironment(facts, asked(...needs), form);
          if (plan.outcome === 'impossible') continue;
          if (!clean.has(plan.text)) {
            const file = readEnvironment(kind, plan.text);
            assert.deepEqual(file.errors, [], plan.text);
            // A plan for the CPU says so itself, where a hint would.
            const told = /^# torch \S+ for the CPU\.$/m.test(plan.text)
              ? /^On Windows PyPI has \S+ \S+ for the CPU alone/
              : null;
            // A plan is for the GPUs of one machine: that newer ones would need another torch is no fault of it.
            const rules = environmentRules.filter(({ code }) => code !== 'GPU608');
            const findings = checkEnvironment(file, rules).filter(
              ({ severity, message }) => severity !== 'hint' || !told?.test(message),
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
