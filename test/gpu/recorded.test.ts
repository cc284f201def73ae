/** Output from machines with real GPUs, recorded in `recorded/`, is read, judged and explained as on those machines. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { suite, test } from 'node:test';
import { readCheckpoint } from '../../server/src/checkpoint/read.ts';
import { judgeStack } from '../../server/src/diagnosis/judgeStack.ts';
import { explainErrors } from '../../server/src/explain/explain.ts';
import { gather } from '../../server/src/explain/gather.ts';
import { readPaste } from '../../server/src/explain/reading/paste.ts';
import { factsOfText } from '../../server/src/pasted/factsOfText.ts';
import { knownValue, type StackFacts } from '../../server/src/stack/facts/facts.ts';
import { factsFromJson } from '../../server/src/stack/facts/factsFromJson.ts';
import { ERRORS } from './errors.ts';

const RECORDED = path.join(import.meta.dirname, 'recorded');

for (const name of readdirSync(RECORDED))
  suite(name, () => {
    const folder = path.join(RECORDED, name);
    const textOf = (file: string) => readFileSync(path.join(folder, file), 'utf8');
    const read = factsFromJson(JSON.parse(textOf('stack.json')));
    const facts = ('facts' in read ? read.facts : undefined) as StackFacts;
    const files = { readText: async () => undefined, readCheckpoint: async () => undefined };

    test('a stack on which every GPU computes has no diagnosis', () => {
      assert.ok('facts' in read, 'trouble' in read ? read.trouble : '');
      assert.equal(JSON.parse(textOf('smoke.json')).outcome, 'proven');
      assert.deepEqual(
        judgeStack(facts).filter(({ severity }) => severity !== 'information'),
        [],
      );
    });

    test('frameworks and files report the same GPUs', () => {
      const gpus = knownValue(facts.gpus) ?? [];
      for (const runtime of ['torch', 'jax'] as const)
        for (const device of knownValue(facts.runtime[runtime])?.devices ?? []) {
          const gpu = gpus[device.index];
          assert.deepEqual([device.name, device.computeCapability], [gpu?.name, gpu?.computeCapability]);
        }
    });

    test('collect_env describes the same machine', () => {
      const reported = factsOfText(textOf('collect_env.txt'));
      assert.ok(reported);
      const summary = ({ driver, gpus, frameworks }: StackFacts) => ({
        driver: knownValue(driver),
        gpus: knownValue(gpus)?.map((gpu) => gpu.name),
        torch: knownValue(frameworks.torch)?.version,
        cuda: knownValue(frameworks.torch)?.cuda,
      });
      assert.deepEqual(summary(reported), summary(facts));
      assert.deepEqual(
        judgeStack(reported).filter(({ severity }) => severity !== 'information'),
        [],
      );
    });

    for (const { name: error, message, cause } of ERRORS) {
      if (!existsSync(path.join(folder, 'errors', `${error}.txt`))) continue;
      test(`${error} is explained`, async () => {
        const paste = readPaste(textOf(`errors/${error}.txt`));
        const [explanation] = explainErrors(paste, await gather(paste, facts, files, '/nowhere'));
        assert.equal(explanation?.id, message);
        if (cause !== undefined) assert.equal(explanation?.causes[0]?.id, cause);
      });
    }

    test('checkpoints name the GPU from which they were saved, and state dicts are harmless', async () => {
      for (const file of readdirSync(path.join(folder, 'checkpoints'))) {
        const { devices, safety } = await readCheckpoint(path.join(folder, 'checkpoints', file));
        assert.ok(devices?.includes('cuda:0'), file);
        const isPlain = !/^(script|whole_model)\.pt$/.test(file);
        assert.equal(safety.verdict === 'weights-only', isPlain, `${file}: ${safety.reason}`);
      }
    });
  });
