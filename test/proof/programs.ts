/** The programs of the proof and their expected behavior, from their header comments. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readDocument } from '../../server/src/files/document.ts';

export const FRAMEWORKS = ['torch', 'keras'] as const;
export type Framework = (typeof FRAMEWORKS)[number];

/**
 * `fails`: raises this error without a GPU, and runs after the fixes. `takes`: allocates all GPU memory, and no longer
 * does after the fixes. `runs`: needs no fix. `stays` is the reason why fixes do not make it run; `offered` is the
 * reason why only fixes that the user must choose do.
 */
export interface Expectation {
  readonly kind: 'fails' | 'takes' | 'runs';
  /** The beginning of `Type: message` for a program that fails; a description otherwise. */
  readonly what: string;
  readonly failsAfterFixes?: string;
  readonly needsChoice?: string;
  /** The reason why the fixes move the computation to another device. */
  readonly changesDevices?: string;
}

export interface Program {
  readonly framework: Framework;
  /** The folder's name in the stage, in which its checkpoints are created, too. */
  readonly folder: string;
  readonly name: string;
  readonly expects: Expectation;
}

const HEADER = /^# (fails|takes|runs): (.*)$/m;
const STAYS = /^# stays: (.*)$/m;
const OFFERED = /^# offered: (.*)$/m;
const MOVES = /^# moves: (.*)$/m;

/**
 * Returns the programs of a folder; a Python file without a header is a module or the script that creates the
 * checkpoints.
 */
export function programsIn(source: string, framework: Framework): Program[] {
  return readdirSync(source)
    .filter((name) => /\.(?:py|ipynb)$/.test(name))
    .sort()
    .flatMap((name) => {
      const { cells } = readDocument(name, readFileSync(path.join(source, name))).source;
      const head = cells[0]?.text ?? '';
      const [, kind, what] = HEADER.exec(head) ?? [];
      if (!kind || what === undefined) return [];
      const [failsAfterFixes, needsChoice, changesDevices] = [STAYS, OFFERED, MOVES].map(
        (pattern) => pattern.exec(head)?.[1],
      );
      const expects = { kind: kind as Expectation['kind'], what, failsAfterFixes, needsChoice, changesDevices };
      return [{ framework, folder: path.basename(source), name, expects }];
    });
}

const NOT_LOADABLE =
  'RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False';
const NO_CUDA = 'AssertionError: Torch not compiled with CUDA enabled';

/** The five programs of `examples/`, as described in its README. */
export const stories: readonly Program[] = (
  [
    ['explore_digits.ipynb', 'torch', { kind: 'fails', what: NOT_LOADABLE }],
    ['evaluate_encoder.py', 'torch', { kind: 'fails', what: NOT_LOADABLE, needsChoice: 'it names the second GPU' }],
    ['train_digits.py', 'torch', { kind: 'fails', what: NO_CUDA }],
    ['predict_keras.py', 'keras', { kind: 'takes', what: 'all the memory of a shared GPU' }],
    ['sample_names.py', 'torch', { kind: 'fails', what: NO_CUDA }],
  ] as const
).map(([name, framework, expects]) => ({ framework, folder: 'examples', name, expects }));
