/** Sets the programs up as they were written, fixed once and fixed twice, and runs them. */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import type { Pythons } from '../../scripts/python.ts';
import { CLI } from '../programs.ts';
import type { Framework, Program } from './programs.ts';

/** Copies of all folders: as written, after `gpu-doctor check --fix`, and after it has been run once more. */
export interface Stage {
  readonly written: string;
  readonly fixed: string;
  readonly fixedTwice: string;
  remove(): Promise<void>;
}

export interface Run {
  /** `Type: message` of the exception that ended the program, or null when it ran to its end. */
  readonly error: string | null;
  readonly output: string;
  /** Whether TensorFlow took all the memory of the pretended GPU; null when it never started its devices. */
  readonly memory?: { readonly taken: boolean | null };
}

/** Copies the folders, has their checkpoints made and fixes what is to be fixed. */
export async function setUp(folders: readonly string[], pythons: Pythons): Promise<Stage> {
  const home = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-proof-'));
  const [written, fixed, fixedTwice] = ['written', 'fixed', 'fixed twice'].map((name) => path.join(home, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of folders) {
    const place = path.join(written, path.basename(folder));
    await cp(folder, place, { recursive: true, filter: (file) => !/checkpoints$|__pycache__$/.test(file) });
  }
  await Promise.all(
    Object.entries(pythons).map(async ([framework, python]) => {
      for (const folder of [framework, 'examples']) {
        await execa(python, [path.join(written, folder, 'make_checkpoints.py')], { env: QUIET });
      }
    }),
  );
  await cp(written, fixed, { recursive: true });
  await fix(fixed);
  await cp(fixed, fixedTwice, { recursive: true });
  await fix(fixedTwice);
  return { written, fixed, fixedTwice, remove: () => rm(home, { recursive: true, force: true }) };
}

/** Copies a state and has its programs rewritten; returns the new state and the programs that are others now. */
export async function restate(
  stage: Stage,
  name: string,
  programs: readonly Program[],
  rewrite: (file: string) => string | undefined,
): Promise<{ state: string; rewritten: Program[] }> {
  const state = path.join(path.dirname(stage.written), name);
  await cp(stage.written, state, { recursive: true });
  const rewritten: Program[] = [];
  for (const program of programs) {
    const file = path.join(state, program.folder, program.name);
    const text = rewrite(file);
    if (text === undefined) continue;
    await writeFile(file, text);
    rewritten.push(program);
  }
  return { state, rewritten };
}

const QUIET = { TF_CPP_MIN_LOG_LEVEL: '3', PYTHONDONTWRITEBYTECODE: '1' };

/** As a user would: what remains afterwards does not matter, that something went wrong does. */
async function fix(folder: string): Promise<void> {
  await execa(process.execPath, [CLI, 'check', '--fix', '--isolated', '--exit-zero', folder]);
}

/** The programs of one state of the stage, run on a machine that has, or is pretended to have, that many GPUs. */
export interface Round {
  readonly state: string;
  readonly gpus: number;
}

/** Runs the programs in each round; GPUs are only pretended for PyTorch, and Keras programs run once in a state. */
export async function runAll(
  programs: readonly Program[],
  rounds: readonly Round[],
  pythons: Pythons,
): Promise<(program: Program, round: Round) => Run> {
  const runs = new Map<string, Run>();
  const keyOf = (folder: string, program: string, gpus: number) => JSON.stringify([folder, program, gpus]);
  await Promise.all(
    (Object.keys(pythons) as Framework[]).map(async (framework) => {
      const own = programs.filter((program) => program.framework === framework);
      const jobs = rounds
        .filter(({ gpus }) => gpus === 0 || framework === 'torch')
        .flatMap(({ state, gpus }) =>
          own.map(({ folder, name }) => ({ folder: path.join(state, folder), program: name, gpus })),
        );
      const runner = path.join(import.meta.dirname, 'runner.py');
      const { stdout } = await execa(pythons[framework], [runner, framework], {
        env: QUIET,
        input: JSON.stringify(jobs),
        lines: true,
        stderr: 'inherit',
      });
      for (const line of stdout) {
        const { folder, program, gpus, ...run } = JSON.parse(line);
        runs.set(keyOf(folder, program, gpus), run);
      }
    }),
  );
  return ({ folder, name }, { state, gpus }) => {
    const run = runs.get(keyOf(path.join(state, folder), name, gpus));
    if (!run) throw new Error(`${name} was not run`);
    return run;
  };
}
