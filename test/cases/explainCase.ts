import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { explainErrors } from '../../server/src/explain/explain.ts';
import type { Explanation } from '../../server/src/explain/explanation.ts';
import { gather } from '../../server/src/explain/gather.ts';
import { machineOf } from '../../server/src/explain/machineOf.ts';
import { readPaste } from '../../server/src/explain/reading/paste.ts';
import { readStack } from '../../server/src/stack/readStack.ts';
import { hasAnswers, loadRecording, recordedMachine } from '../stack/recordedMachine.ts';

/** A case that a user reported, as in `cases.yaml`. */
export interface Case {
  readonly id: string;
  readonly text: string;
  /** A folder of `test/stack/machines`. */
  readonly machine?: string;
  /** The expected message; absent if the text holds no message of a program. */
  readonly message?: string;
  /** The cause that something confirms, or the first one to ask about if nothing decides. */
  readonly cause?: string;
  readonly asks?: string;
  /** The first remedy. */
  readonly remedy?: string;
}

/** The cases of all files in this folder. */
export async function allCases(): Promise<Case[]> {
  const files = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.yaml'));
  const texts = await Promise.all(files.map((name) => readFile(path.join(import.meta.dirname, name), 'utf8')));
  return texts.flatMap((text): Case[] => parse(text));
}

const MACHINES = path.join(import.meta.dirname, '..', 'stack', 'machines');

/** Explains a case with the facts of its machine, or else with those in its text; none of its files exist here. */
export async function explainCase({ text, machine }: Pick<Case, 'text' | 'machine'>): Promise<Explanation[]> {
  const paste = readPaste(text);
  const facts =
    machine === undefined ? await machineOf(paste, async () => undefined) : await factsOf(path.join(MACHINES, machine));
  const nothing = async () => undefined;
  return explainErrors(paste, await gather(paste, facts, { readText: nothing, readCheckpoint: nothing }, '/nowhere'));
}

async function factsOf(folder: string) {
  const recording = await loadRecording(folder);
  const { interpreter, folders = [] } = recording;
  const runtime = hasAnswers(recording) ? { refusal: () => undefined } : undefined;
  return readStack({ machine: recordedMachine(folder, recording), interpreter, folders, runtime });
}
