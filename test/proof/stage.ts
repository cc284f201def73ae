/** Prepares the programs in their original form, fixed once and fixed twice, and runs them. */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import type { Pythons } from '../../scripts/python.ts';
import { CLI } from '../programs.ts';
import { FRAMEWORKS, type Framework, type Program } from './programs.ts';

/** Copies of all folders: original, after `gpu-doctor check --fix`, and after a second run of it. */
export interface Stage {
  readonly original: string;
  readonly fixed: string;
  readonly fixedTwice: string;
  remove(): Promise<void>;
}

export interface Run {
  /** `Type: message` of the exception that ended the program, or null if it finished. */
  readonly error: string | null;
  readonly output: string;
  /** Number of operations on each simulated GPU and on the CPU. */
  readonly devices?: Readonly<Record<string, number>>;
  /** True if TensorFlow allocated all memory of the simulated GPU; null if it never initialized its devices. */
  readonly memory?: { readonly taken: boolean | null };
}

/** A program to be run, and its folder. */
interface Job {
  readonly folder: string;
  readonly program: string;
  readonly gpus: number;
}

/** Processes that have each imported a framework and run programs in forks of themselves. */
export interface Runners {
  /** Runs programs, several at a time, and returns their results in order. */
  run(framework: Framework, jobs: readonly Job[]): Promise<Run[]>;
  /** Ends the processes. */
  end(): void;
}

const QUIET = { TF_CPP_MIN_LOG_LEVEL: '3', PYTHONDONTWRITEBYTECODE: '1' };

/** Starts both processes; importing a framework takes seconds. */
export function startRunners(pythons: Pythons): Runners {
  const script = path.join(import.meta.dirname, 'runner.py');
  const start = (framework: Framework) => {
    const started = execa(pythons[framework], [script, framework], { env: QUIET, stderr: 'inherit', buffer: false });
    return { stdin: started.stdin, lines: started.iterable() };
  };
  const runners = { torch: start('torch'), keras: start('keras') };
  return {
    async run(framework, jobs) {
      const { stdin, lines } = runners[framework];
      stdin.write(`${JSON.stringify(jobs.map((job, number) => ({ ...job, number })))}\n`);
      const runs: Run[] = [];
      for (;;) {
        const { value: line, done } = await lines.next();
        if (done) throw new Error(`The runner of ${framework} has ended`);
        if (line === '') return runs;
        const { number, ...run } = JSON.parse(line);
        runs[number] = run;
      }
    },
    end() {
      for (const { stdin } of Object.values(runners)) stdin.end();
    },
  };
}

/** Copies the folders, creates the checkpoints and applies the fixes. */
export async function setUp(folders: readonly string[], runners: Runners): Promise<Stage> {
  const home = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-proof-'));
  const [original, fixed, fixedTwice] = ['original', 'fixed', 'fixed twice'].map((name) => path.join(home, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of folders) {
    const place = path.join(original, path.basename(folder));
    await cp(folder, place, { recursive: true, filter: (file) => !/checkpoints$|__pycache__$/.test(file) });
  }
  const makers = folders
    .map((folder) => path.basename(folder))
    .flatMap((folder) =>
      FRAMEWORKS.filter((framework) => folder === framework || folder === 'examples').map((framework) => ({
        framework,
        folder,
        name: 'make_checkpoints.py',
      })),
    );
  const round = { state: original, gpus: 0 };
  const runOf = await runAll(
    makers.map((program) => ({ program, round })),
    runners,
  );
  for (const maker of makers) {
    const { error, output } = runOf(maker, round);
    if (error !== null) throw new Error(`The checkpoints of ${maker.folder} could not be created: ${output}`);
  }
  await cp(original, fixed, { recursive: true });
  await fix(fixed);
  await cp(fixed, fixedTwice, { recursive: true });
  await fix(fixedTwice);
  return { original, fixed, fixedTwice, remove: () => rm(home, { recursive: true, force: true }) };
}

/** A copy of the stage, and the programs that were rewritten in it. */
export interface Choice {
  readonly state: string;
  readonly rewritten: readonly Program[];
}

/** Copies a state of the stage and rewrites its programs. */
export async function rewriteState(
  from: string,
  name: string,
  programs: readonly Program[],
  rewrite: (file: string) => string | undefined,
): Promise<Choice> {
  const state = path.join(path.dirname(from), name);
  await cp(from, state, { recursive: true });
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

/** Applies fixes as a user would: remaining findings are allowed, failures are not. */
async function fix(folder: string): Promise<void> {
  await execa(process.execPath, [CLI, 'check', '--fix', '--isolated', '--exit-zero', folder]);
}

/** A state of the stage and the number of real or simulated GPUs on which its programs run. */
export interface Round {
  readonly state: string;
  readonly gpus: number;
}

/** A program to run, and the round. */
export interface Turn {
  readonly program: Pick<Program, 'framework' | 'folder' | 'name'>;
  readonly round: Round;
}

/** Runs all turns. Byte-identical programs run only once per machine. */
export async function runAll(
  turns: readonly Turn[],
  runners: Runners,
): Promise<(program: Turn['program'], round: Round) => Run> {
  const names = new Set(turns.map(({ program }) => path.join(program.folder, program.name)));
  const alike = new Map<string, Turn[]>();
  for (const turn of turns) {
    const { program, round } = turn;
    const { framework, folder, name } = program;
    const identity = JSON.stringify([framework, folder, name, round.gpus, await sourcesOf(turn, names)]);
    alike.set(identity, [...(alike.get(identity) ?? []), turn]);
  }
  const runs = new Map<string, Run>();
  await Promise.all(
    FRAMEWORKS.map(async (framework) => {
      const groups = [...alike.values()].filter(([first]) => first?.program.framework === framework);
      const jobs = groups.flatMap(([first]) =>
        first ? { folder: folderOf(first), program: first.program.name, gpus: first.round.gpus } : [],
      );
      for (const [number, run] of (await runners.run(framework, jobs)).entries())
        for (const turn of groups[number] ?? []) runs.set(keyOf(turn), run);
    }),
  );
  return (program, round) => {
    const run = runs.get(keyOf({ program, round }));
    if (!run) throw new Error(`${program.name} was not run`);
    return run;
  };
}

function folderOf({ program, round }: Turn): string {
  return path.join(round.state, program.folder);
}

function keyOf(turn: Turn): string {
  return JSON.stringify([turn.program.framework, folderOf(turn), turn.program.name, turn.round.gpus]);
}

/** The texts of a turn's program and of its modules, which are not programs themselves. */
async function sourcesOf(turn: Turn, programs: ReadonlySet<string>): Promise<string[]> {
  const { folder, name } = turn.program;
  const isRead = (file: string) => file === name || (file.endsWith('.py') && !programs.has(path.join(folder, file)));
  const place = folderOf(turn);
  const files = (await readdir(place)).filter(isRead).sort();
  return Promise.all(files.map((file) => readFile(path.join(place, file), 'utf8')));
}
