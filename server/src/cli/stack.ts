import { type Interpreter, knownValue, type StackFacts } from '../stack/facts.ts';
import type { Machine } from '../stack/machine.ts';
import { FAILED, FOUND } from './exitStatus.ts';
import { readArguments, UsageError } from './usage.ts';

const HELP = `Read out this machine's GPU stack: GPUs, driver, CUDA, cuDNN, and the frameworks of the Python in use.

Usage: gpu-doctor stack [options]

Options:
  --json            Print the facts, each with its source, as JSON
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
    json: { type: 'boolean' },
    python: { type: 'string' },
    smoke: { type: 'boolean', default: false },
    probe: { type: 'boolean', default: false },
    'no-probe': { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (positionals.length > 0) throw new UsageError(`\`stack\` takes no path: \`${positionals[0]}\``);
  if (values['no-probe'] && (values.probe || values.smoke)) {
    throw new UsageError(`\`${values.probe ? '--probe' : '--smoke'}\` and \`--no-probe\` exclude each other`);
  }
  const [{ readStack }, { thisMachine }, { runtimeCache }, { judgeStack }, { stackText }] = await Promise.all([
    import('../stack/readStack.ts'),
    import('../stack/machine.ts'),
    import('../stack/runtimeCache.ts'),
    import('../stack/verdicts.ts'),
    import('../stack/readout.ts'),
  ]);
  const machine = thisMachine();
  const facts = await readStack({
    machine,
    interpreter: values.python,
    folders: [process.cwd()],
    runtime: values['no-probe'] ? undefined : { refusal: refusalUnless(values.probe), cache: runtimeCache(machine) },
  });
  if (values.smoke) return smoke(machine, facts, refusalUnless(values.probe), values.json === true);
  const verdicts = judgeStack(facts);
  const text = values.json ? JSON.stringify({ ...facts, verdicts }, null, 2) : stackText(facts, verdicts);
  process.stdout.write(`${text.trimEnd()}\n`);
  return 0;
}

/** Tries the GPUs and prints what came of it; on a terminal, also what is being done. */
async function smoke(
  machine: Machine,
  facts: StackFacts,
  refusal: (interpreter: Interpreter) => string | undefined,
  asJson: boolean,
): Promise<number> {
  const python = knownValue(facts.interpreter);
  const refused = python && refusal(python);
  if (refused) throw new UsageError(`the GPUs were not tested: ${refused}`);
  const [{ runSmokeTest }, { smokeText }] = await Promise.all([
    import('../stack/smoke.ts'),
    import('../stack/smokeReadout.ts'),
  ]);
  const onProgress = (doing: string) => {
    if (process.stderr.isTTY) process.stderr.write(`${doing} ...\n`);
  };
  const report = await runSmokeTest(machine, facts, { onProgress });
  process.stdout.write(`${(asJson ? JSON.stringify(report, null, 2) : smokeText(report)).trimEnd()}\n`);
  return { proven: 0, disproved: FOUND, notRun: FAILED }[report.outcome];
}

/**
 * A folder may come from anybody, so that a Python in it is started only by those who say so; one that was named or
 * activated, or that is on the PATH, is the user's own.
 */
function refusalUnless(wanted: boolean) {
  return ({ chosenBy, prefix }: Interpreter): string | undefined => {
    const isActivated = [process.env.VIRTUAL_ENV, process.env.CONDA_PREFIX].includes(prefix);
    if (wanted || isActivated || chosenBy !== 'workspace folder') return undefined;
    return 'this Python was found in the current folder and not started; `--probe` starts it';
  };
}
