/** No printed command, for any recorded machine or case, has a known objection. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../scripts/root.ts';
import { type CommandTarget, commandTargetOf } from '../../server/src/commands/commandTarget.ts';
import { objectionTo, placeAfterLine } from '../../server/src/commands/objections.ts';
import { judges } from '../../server/src/diagnosis/judgeStack.ts';
import { waysOf } from '../../server/src/diagnosis/remedies/remedyPlan.ts';
import { objectionToWay, writeWay } from '../../server/src/diagnosis/remedies/writeRemedies.ts';
import { machineOf } from '../../server/src/explain/machineOf.ts';
import { commandTargetIn } from '../../server/src/explain/place.ts';
import { readPaste } from '../../server/src/explain/reading/paste.ts';
import { planEnvironment } from '../../server/src/provision/planEnvironment.ts';
import { lowestDriver } from '../../server/src/published/releases/cudaDriver.ts';
import { compareVersions } from '../../server/src/published/versions.ts';
import { allCases, type Case, explainCase } from '../cases/explainCase.ts';
import { needsOf } from '../provision/machines.ts';
import { factsOfMachine } from './machines.ts';

const MACHINES = path.join(root, 'test', 'stack', 'machines');

test('remedies of the stack work on their machine before filtering', async () => {
  const wrong: string[] = [];
  let commands = 0;
  for (const name of readdirSync(MACHINES)) {
    const facts = await factsOfMachine(name);
    for (const { id, judge } of judges)
      for (const way of judge(facts).flatMap(({ remedies }) =>
        waysOf(remedies()).flatMap((each) => writeWay(each, facts)),
      )) {
        commands += way.filter(({ command }) => command !== undefined).length;
        const objection = objectionToWay(facts, way);
        if (objection !== undefined)
          wrong.push(`${name}, ${id}: ${way.map(({ title }) => title).join(', ')}: ${objection}`);
      }
  }
  assert.ok(commands > 200);
  assert.deepEqual(wrong, []);
});

test('commands for the cases work on their machine, or on the one in their text', async () => {
  const wrong: string[] = [];
  let commands = 0;
  for (const each of await allCases()) {
    const place = await placeOfCase(each);
    for (const { remedies, questions } of await explainCase(each))
      for (const { title, command } of [...remedies, ...questions]) {
        if (command === null) continue;
        commands++;
        if (isForLinux(command) && place.os === 'windows') wrong.push(`${each.id}, in Windows: ${command}`);
        if (place.isCmd && /; |\$env:/.test(command)) wrong.push(`${each.id}, in cmd.exe: ${command}`);
        if (place.os === 'macos' && /\[and-cuda\]|cuda1\d\]|\/whl\/(?:cu|rocm)/.test(command))
          wrong.push(`${each.id}, on a Mac: ${command}`);
        const [, cuda] = /\/whl\/cu(\d\d)\d\b/.exec(command) ?? [];
        const floor = cuda && lowestDriver(cuda, place.gpu.system);
        if (floor && place.gpu.driver && compareVersions(place.gpu.driver, floor) < 0 && !/driver/.test(title))
          wrong.push(`${each.id}, with driver ${place.gpu.driver}: ${command}`);
      }
  }
  assert.ok(commands > 2000);
  assert.deepEqual(wrong, []);
});

test('plans work on their machine', async () => {
  const wrong: string[] = [];
  let lines = 0;
  for (const name of readdirSync(MACHINES)) {
    const facts = await factsOfMachine(name);
    for (const need of ['torch', 'tensorflow', 'jax', 'onnxruntime-gpu', 'vllm', 'faster-whisper', 'xformers']) {
      const { outcome, python, driver, text } = planEnvironment(facts, needsOf(need), 'pip');
      if (outcome === 'impossible' || python === null) continue;
      const known = commandTargetOf(facts);
      let there: CommandTarget = {
        ...known,
        python: python.version,
        installed: {},
        newest: {},
        distributions: [],
        gpu: { ...known.gpu, driver: driver ?? known.gpu.driver },
      };
      for (const line of text.split('\n').filter((each) => / -m pip install /.test(each))) {
        lines++;
        const objection = objectionTo(line, there);
        if (objection !== undefined) wrong.push(`${name}: ${line}: ${objection}`);
        there = placeAfterLine(line, there);
      }
    }
  }
  assert.ok(lines > 500);
  assert.deepEqual(wrong, []);
});

const isForLinux = (command: string): boolean =>
  /^(?:sudo|export|unset|ldconfig|apt) |; ?(?:export|unset) /.test(command);

async function placeOfCase({ text, machine }: Case): Promise<CommandTarget> {
  const paste = readPaste(text);
  const facts = machine === undefined ? await machineOf(paste, async () => undefined) : await factsOfMachine(machine);
  return commandTargetIn({ ...(facts && { facts }), text: paste.text, parts: {}, frameworks: new Set() });
}
