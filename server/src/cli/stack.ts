import type { RecordedStack } from '../diagnosis/record/recordedStack.ts';
import { printableJson } from '../printable.ts';
import { type Interpreter, knownValue, type StackFacts } from '../stack/facts/facts.ts';
import type { StackOptions } from '../stack/readStack.ts';
import { FAILED, FOUND } from './exitStatus.ts';
import { printStack } from './printStack.ts';
import { writeError } from './standardError.ts';
import { readArguments, UsageError } from './usage.ts';

const HELP = `Read out this machine's GPU stack: GPUs, driver, CUDA, cuDNN, and the frameworks of the Python in use.

Usage: gpu-doctor stack [options]
       gpu-doctor stack --record [FILE]
       gpu-doctor stack --compare A B...

Options:
  --json            Print the facts, each with its source, as JSON; of a comparison, all of it
  --record          Write what matters of the stack into FILE (gpu-stack.yaml), whose comments stay
  --force           With --record: also where something is wrong with the stack
  --compare         Show how stacks differ: gpu-stack.yaml files, what --json printed on other machines, one or many
                    in a file, \`live\` for this machine, - for standard input. Exit status: 0 when none differs, 1
                    when some do, 2 when something cannot be read
  --from FILE       Judge another machine instead of this one: by what --json printed there, or by a post with the output of
                    collect_env, nvidia-smi, pip list, conda list, transformers env and the like; - for standard input
  --python PATH     The Python to look at: a program or an environment's folder
  --smoke           Try the GPUs: compute on each that a framework sees, and compare with the processor
  --probe           Import the frameworks also in a Python that was found in the current folder (.venv)
  --no-probe        Import no framework: start no Python at all
  -h, --help        Show this help

Exit status: 0. With --smoke: 0 when every GPU works, 1 when something fails, 2 when no GPU could be tested.
`;

/** `gpu-doctor stack`: prints what is known of the stack, and why the rest is not. */
export async function stack(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, {
    json: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    compare: { type: 'boolean', default: false },
    from: { type: 'string' },
    python: { type: 'string' },
    force: { type: 'boolean', default: false },
    smoke: { type: 'boolean', default: false },
    probe: { type: 'boolean', default: false },
    'no-probe': { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const { json, record, compare, smoke, probe } = values;
  if ([record, compare, smoke].filter(Boolean).length > 1)
    throw new UsageError('`--record`, `--compare` and `--smoke` exclude each other');
  if (values['no-probe'] && (probe || smoke))
    throw new UsageError(`\`${probe ? '--probe' : '--smoke'}\` and \`--no-probe\` exclude each other`);
  const wanted = { interpreter: values.python, folders: [process.cwd()] };
  // What only a running framework can say is not recorded: nothing of Python is started for it.
  if (compare) return (await import('./stackCompare.ts')).compareStacks(positionals, json, () => readRecord(wanted));
  if (values.from !== undefined) {
    if (record || smoke || probe || values.python) throw new UsageError('`--from` reads no machine but a file');
    return (await import('./stackFrom.ts')).printStackFrom(values.from, json);
  }
  const extra = positionals[record ? 1 : 0];
  if (extra !== undefined) throw new UsageError(`\`stack\` takes no ${record ? 'second ' : ''}path: \`${extra}\``);
  if (record) {
    const facts = await readFacts(wanted);
    const [{ recordStack, mayRecord }, { judgeStack }] = await Promise.all([
      import('./stackRecord.ts'),
      import('../diagnosis/index.ts'),
    ]);
    if (!values.force && !(await mayRecord(judgeStack(facts)))) return FAILED;
    return recordStack(await recordOf(facts), positionals[0]);
  }
  const refusal = refusalUnless(probe);
  const facts = await readFacts(wanted, values['no-probe'] ? undefined : refusal);
  if (smoke) return testGpus(facts, refusal, json);
  return printStack(facts, json);
}

/** What takes some time is told to people, not to programs. */
function sayOnTerminal(doing: string): void {
  if (process.stderr.isTTY) writeError(`${doing} ...\n`);
}

/** Tries the GPUs and prints what came of it. */
async function testGpus(facts: StackFacts, refusal: Refusal, asJson: boolean): Promise<number> {
  const python = knownValue(facts.interpreter);
  const refused = python && refusal(python);
  if (refused) throw new UsageError(`the GPUs were not tested: ${refused}`);
  const [{ thisMachine }, { runSmokeTest }, { smokeText }] = await Promise.all([
    import('../stack/machine/machine.ts'),
    import('../diagnosis/smoke/smoke.ts'),
    import('../diagnosis/smoke/smokeReadout.ts'),
  ]);
  const report = await runSmokeTest(thisMachine(), facts, { onProgress: sayOnTerminal });
  process.stdout.write(`${(asJson ? printableJson(report, 2) : smokeText(report)).trimEnd()}\n`);
  return { proven: 0, disproved: FOUND, notRun: FAILED }[report.outcome];
}

type Wanted = Pick<StackOptions, 'interpreter' | 'folders'>;
type Refusal = (interpreter: Interpreter) => string | undefined;

/** Frameworks are imported, too, unless `refusal` refuses the interpreter, or is not given. */
async function readFacts(wanted: Wanted, refusal?: Refusal): Promise<StackFacts> {
  const [{ readStack }, { thisMachine }, { runtimeCache }] = await Promise.all([
    import('../stack/readStack.ts'),
    import('../stack/machine/machine.ts'),
    import('../stack/runtime/runtimeCache.ts'),
  ]);
  const machine = thisMachine();
  const onAsk = (name: string) => sayOnTerminal(`asking ${name}`);
  const runtime = refusal && { refusal, cache: runtimeCache(machine), onAsk };
  return readStack({ ...wanted, machine, ...(runtime && { runtime }) });
}

/** What a project's file says of this machine. */
async function readRecord(wanted: Wanted): Promise<RecordedStack> {
  return recordOf(await readFacts(wanted));
}

async function recordOf(facts: StackFacts): Promise<RecordedStack> {
  const { recordStack } = await import('../diagnosis/record/recordStack.ts');
  return recordStack(facts);
}

/**
 * A folder may come from anybody, so that a Python in it is started only by those who say so; one that was named or
 * activated, or that is on the PATH, is the user's own.
 */
function refusalUnless(wanted: boolean): Refusal {
  return ({ chosenBy, prefix }) => {
    const isActivated = [process.env.VIRTUAL_ENV, process.env.CONDA_PREFIX].includes(prefix);
    if (wanted || isActivated || chosenBy !== 'workspace folder') return undefined;
    return 'this Python was found in the current folder and not started; `--probe` starts it';
  };
}
