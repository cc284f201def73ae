/**
 * Measures the first printed step in broken environments (`npm run test:broken [ID...]`): a program fails under
 * `gpu-doctor run`, the first step is done literally, and the program runs again. Needs uv and PyPI, and no GPU.
 * `--repairs` checks the declared repairs instead; `--repair` lets `gpu-doctor repair --apply` do it, and undoes it.
 */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from '../../scripts/run.ts';
import { CLI } from '../programs.ts';
import { type BrokenEnvironment, declaredEnvironments, freshEnvironment, type Placed, shell } from './environments.ts';

/** The aim: of 40 environments, 36 run after the first step, and no step does harm. */
const SHARE_REPAIRED = 0.9;

interface Outcome {
  readonly id: string;
  readonly isCauseNamed: boolean;
  readonly step: string;
  readonly runs: boolean;
  /** Imports and requirements that no longer hold, and packages that must not be there. */
  readonly harm: readonly string[];
  readonly trouble?: string;
}

/** Distributions that share their folder with another one. */
const ONE_FOLDER = [
  ['tensorflow', 'tensorflow-cpu', 'tensorflow-gpu'],
  ['onnxruntime', 'onnxruntime-gpu'],
  ['opencv-python', 'opencv-python-headless', 'opencv-contrib-python', 'opencv-contrib-python-headless'],
];

/** Imports modules in one process, and prints the names of those that can be imported. */
const IMPORT = `import importlib, sys
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
        print("imported", name, flush=True)
    except BaseException:
        pass
`;

const words = process.argv.slice(2);
const onlyRepairs = words.includes('--repairs');
const byRepair = words.includes('--repair');
const ids = words.filter((word) => !word.startsWith('--'));

await run(async () => {
  const declared = (await declaredEnvironments()).filter(({ id }) => ids.length === 0 || ids.includes(id));
  const outcomes: Outcome[] = [];
  for (const each of declared) {
    const outcome = await (byRepair ? measureRepair : measure)(each).catch((error: Error) =>
      failed(each, error.message),
    );
    outcomes.push(outcome);
    console.log(line(outcome));
  }
  const good = outcomes.filter(({ runs, harm }) => runs && harm.length === 0).length;
  const named = outcomes.filter(({ isCauseNamed }) => isCauseNamed).length;
  const worse = outcomes.filter(({ harm }) => harm.length > 0).length;
  console.log(
    `${outcomes.length} environments: cause named first in ${named}, runs without harm after the first step in ${good}, harmed ${worse}`,
  );
  if (good < outcomes.length * SHARE_REPAIRED || worse > 0) throw new Error('The aim was missed.');
});

function failed({ id }: BrokenEnvironment, trouble: string): Outcome {
  return { id, isCauseNamed: false, step: '', runs: false, harm: [], trouble };
}

async function measure(declared: BrokenEnvironment): Promise<Outcome> {
  const placed = await freshEnvironment(declared);
  const before = await stateBefore(declared, placed);
  const python = `${path.relative(placed.project, path.dirname(placed.python))}/python`;
  const first = await shell(`"${process.execPath}" "${CLI}" run -- ${python} prog.py`, placed.project, placed.env);
  const [printed = '', explained = ''] = first.output.split('── GPU Doctor ──');
  if (first.status === 0 || !new RegExp(declared.fails).test(first.output))
    throw new Error(`the program should fail with ${declared.fails}: ${printed.slice(-300)}`);
  const step = onlyRepairs ? declared.repair.join('\n') : firstStep(explained);
  const isCauseNamed = new RegExp(declared.cause).test(firstCause(explained));
  if (step === '') return { ...failed(declared, 'no step is printed'), isCauseNamed };
  const done = await shell(`set -e\n${step}\n"$PYTHON" prog.py`, placed.project, placed.env);
  const after = await stateOf(declared, placed);
  return {
    id: declared.id,
    isCauseNamed,
    step,
    runs: done.status === 0,
    harm: harmOf(declared, before, after),
    ...(done.status !== 0 && { trouble: done.output.trim().split('\n').slice(-2).join(' ').slice(0, 200) }),
  };
}

/** Repairs an environment, and undoes the repair: then the program must fail as before. */
async function measureRepair(declared: BrokenEnvironment): Promise<Outcome> {
  const placed = await freshEnvironment(declared);
  const before = await stateBefore(declared, placed);
  const python = `${path.relative(placed.project, path.dirname(placed.python))}/python`;
  const repair = `"${process.execPath}" "${CLI}" repair`;
  const cache = path.join(path.dirname(placed.kept), '..', 'cache');
  const env = { ...placed.env, XDG_CACHE_HOME: cache, UV_CACHE_DIR: (await shell('uv cache dir', '/')).output.trim() };
  const start = performance.now();
  const { status, output } = await shell(`${repair} --yes --keep --apply -- ${python} prog.py`, placed.project, env);
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  const megabytes = await ownMegabytes(path.join(cache, 'gpu-doctor', 'repairs'));
  const [report = ''] = /^(?:Works|No remedy|A copy of).*(?:\n {2,}.*)*/m.exec(output) ?? [];
  const after = await stateOf(declared, placed);
  // A variable is not part of the environment: its line is run before the program.
  const line = /^ {4}((?:export|unset) .*)$/m.exec(output)?.[1] ?? ':';
  const again = await shell(`${line}\n"$PYTHON" prog.py`, placed.project, placed.env);
  const runs = status === 0 && again.status === 0;
  const undone = runs ? await shell(`${repair} --undo; "$PYTHON" prog.py`, placed.project, env) : undefined;
  const isUndone = undone === undefined || new RegExp(declared.fails).test(undone.output);
  return {
    id: declared.id,
    isCauseNamed: true,
    step: `${seconds} s, ${megabytes} MB: ${report.trim()}`,
    runs,
    harm: [...harmOf(declared, before, after), ...(isUndone ? [] : ['the repair was not undone'])],
    ...(!runs && { trouble: output.trim().split('\n').slice(-2).join(' ').slice(0, 200) }),
  };
}

/** The megabytes of the files of a folder that share their content with no other file; the folder is removed. */
async function ownMegabytes(folder: string): Promise<string> {
  const { output } = await shell(`find "${folder}" -type f -links 1 -printf '%s\\n'; rm -rf "${folder}"`, '/');
  const bytes = output.split('\n').reduce((sum, size) => sum + Number(size), 0);
  return (bytes / 1e6).toFixed(0);
}

/** The command below the arrow. */
function firstStep(explained: string): string {
  const [, lines = ''] = /\n→ .*\n((?: {4}.*\n)*)/.exec(explained) ?? [];
  return lines.replace(/^ {4}/gm, '').trim();
}

/** The title, the message, and the first cause with its evidence. */
function firstCause(explained: string): string {
  return explained.split('\n→ ')[0] ?? '';
}

interface State {
  readonly imported: readonly string[];
  /** Unmet requirements between installed packages, as uv lists them. */
  readonly unmet: readonly string[];
  /** The names of installed packages. */
  readonly packages: readonly string[];
}

/** The state of a fresh copy, which is read once: importing frameworks takes longer than anything else here. */
async function stateBefore(declared: BrokenEnvironment, placed: Placed): Promise<State> {
  const file = `${placed.kept}.json`;
  if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8'));
  const state = await stateOf(declared, placed);
  await writeFile(file, JSON.stringify(state));
  return state;
}

async function stateOf({ others = [] }: BrokenEnvironment, { project, env }: Placed): Promise<State> {
  const imports = await shell(`"$PYTHON" -c '${IMPORT}' ${others.join(' ')}`, project, env);
  const check = await shell('uv pip check --python "$PYTHON"', project, env);
  const listed = await shell('uv pip list --format json --python "$PYTHON" 2>/dev/null', project, env);
  const packages: { name: string }[] = JSON.parse(listed.output);
  return {
    imported: others.filter((each) => imports.output.includes(`imported ${each}\n`)),
    unmet: check.output.split('\n').filter((each) => /^The package /.test(each)),
    packages: packages.map(({ name }) => name),
  };
}

function harmOf({ cuda }: BrokenEnvironment, before: State, after: State): string[] {
  const isNew = (name: string) => after.packages.includes(name) && !before.packages.includes(name);
  // A requirement that was missing before, such as TensorFlow under that name, may be missing in another version.
  const requirer = (text: string) =>
    /it's not installed$/.test(text) ? text.match(/^.* requires `[\w.-]+/)?.[0] : text.replace(/, but `.*/, '');
  const were = before.unmet.map(requirer);
  return [
    ...before.imported.filter((each) => !after.imported.includes(each)).map((each) => `import ${each} fails`),
    ...after.unmet.filter((each) => !were.includes(requirer(each))),
    ...ONE_FOLDER.flatMap((names) => {
      const there = names.filter((name) => after.packages.includes(name));
      return there.length > 1 && there.some(isNew) ? [`${there.join(' and ')} share a folder`] : [];
    }),
    ...after.packages
      .filter((name) => !cuda && isNew(name) && /^nvidia-|^jax-cuda|^onnxruntime-gpu$/.test(name))
      .map((name) => `${name} was installed on a machine without a GPU`),
  ];
}

function line({ id, isCauseNamed, step, runs, harm, trouble }: Outcome): string {
  const verdict = harm.length > 0 ? 'HARM' : runs ? 'runs' : 'fails';
  const details = [step.replace(/\n/g, ' && '), ...harm, ...(trouble ? [trouble] : [])].map((each) => `      ${each}`);
  return [`${id.padEnd(34)} cause ${isCauseNamed ? 'yes' : 'no '}  ${verdict}`, ...details].join('\n');
}
