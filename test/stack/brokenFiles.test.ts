/**
 * Regardless of the contents of a machine's files and programs, reading it ends, and everything unknown has a reason.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { judgeStack } from '../../server/src/diagnosis/judgeStack.ts';
import { stackMarkdown, stackText } from '../../server/src/diagnosis/readout/readout.ts';
import { isComplete } from '../../server/src/stack/facts/facts.ts';
import type { Machine } from '../../server/src/stack/machine/machine.ts';
import { readStack } from '../../server/src/stack/readStack.ts';
import { loadRecording, recordedMachine } from './recordedMachine.ts';

const MACHINES = fileURLToPath(new URL('machines', import.meta.url));
const GARBAGE = `\u0000\uFFFD{"a": [${'('.repeat(50)}\n= ' " \\ 0x, , , GPU-\n`.repeat(20);

const refused = async (file: string) => {
  throw Object.assign(new Error(`EIO: ${file}`), { code: 'EIO' });
};

const BREAKAGES: Record<string, (machine: Machine) => Partial<Machine>> = {
  'every file contains garbage': (machine) => ({
    readText: async (file) => {
      await machine.readText(file);
      return GARBAGE;
    },
  }),
  'every file is truncated': (machine) => ({
    readText: async (file, limit) => {
      const text = await machine.readText(file, limit);
      return text.slice(0, text.length / 2);
    },
  }),
  'no file can be read': () => ({ readText: refused }),
  'no folder can be listed': () => ({ listFolder: refused }),
  'no link can be followed': () => ({ realPath: refused }),
  'every program prints garbage': () => ({ run: async () => ({ stdout: GARBAGE, stderr: GARBAGE, exitCode: 0 }) }),
};

const recordings = new Map(
  await Promise.all(
    readdirSync(MACHINES).map(async (name) => [name, await loadRecording(path.join(MACHINES, name))] as const),
  ),
);

for (const [what, breakage] of Object.entries(BREAKAGES)) {
  test(what, async () => {
    for (const [name, recording] of recordings) {
      const folder = path.join(MACHINES, name);
      const whole = recordedMachine(folder, recording);
      const machine = { ...whole, ...breakage(whole) };
      const facts = await readStack({ machine, interpreter: recording.interpreter, folders: recording.folders ?? [] });
      assert.ok(isComplete(facts), name);
      const verdicts = judgeStack(facts);
      assert.doesNotMatch(stackText(facts, verdicts) + stackMarkdown(facts, verdicts), /undefined|NaN|\[object/, name);
    }
  });
}
