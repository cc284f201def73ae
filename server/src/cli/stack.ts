import type { RecordedStack } from '../diagnosis/record/recordedStack.ts';
import { shownPath } from '../files/paths.ts';
import { printableJson } from '../printable.ts';
import { type Interpreter, knownValue, type StackFacts } from '../stack/facts/facts.ts';
import type { StackOptions } from '../stack/readStack.ts';
import { FAILED, FOUND } from './exitStatus.ts';
import { withNamedPython } from './namedPython.ts';
import { printStack } from './printStack.ts';
import { writeError } from './standardError.ts';
import { readArguments, UsageError } from './usage.ts';

/** `gpu-doctor stack`: prints the facts about the stack, and the reasons for unknown ones. */
export async function stack(args: readonly string[]): Promise<number> {
  const read = readArguments('stack', args);
  if (!read) return 0;
  const { values, positionals } = read;
  const { record, compare, smoke } = values;
  const json = values['output-format'] === 'json';
  if ([record, compare, smoke].filter(Boolean).length > 1)
    throw new UsageError('`--record`, `--compare` and `--smoke` exclude each other');
  if (values['no-probe'] && smoke) throw new UsageError('`--smoke` and `--no-probe` exclude each other');
  if (values['fail-on'] !== undefined && (record || compare || smoke))
    throw new UsageError(`\`--fail-on\` has no effect with \`--${record ? 'record' : compare ? 'compare' : 'smoke'}\``);
  const wanted = { interpreter: values.python, folders: [process.cwd()] };
  // Facts that only a running framework knows are not recorded, so no Python is started.
  if (compare) return (await import('./stackCompare.ts')).printComparison(positionals, json, () => readRecord(wanted));
  if (values.from !== undefined) {
    if (record || smoke || values.python) {
      const flag = record ? '--record' : smoke ? '--smoke' : '--python';
      throw new UsageError(`\`${flag}\` ${FOR_THIS_MACHINE[flag]} and cannot be combined with \`--from\``);
    }
    return (await import('./stackFrom.ts')).printStackFrom(values.from, json, values['fail-on']);
  }
  const extra = positionals[record ? 1 : 0];
  if (extra !== undefined) throw new UsageError(`\`stack\` accepts no ${record ? 'second ' : ''}path: \`${extra}\``);
  if (record) {
    const facts = await readFacts(wanted);
    const [{ recordStackIn, mayRecord }, { judgeStack }] = await Promise.all([
      import('./stackRecord.ts'),
      import('../diagnosis/index.ts'),
    ]);
    if (!values.force && !(await mayRecord(judgeStack(facts)))) return FAILED;
    return recordStackIn(await recordOf(facts), { path: positionals[0], force: values.force });
  }
  const facts = await readFacts(wanted, values['no-probe'] ? undefined : refusal);
  if (smoke) return testGpus(facts, json);
  return printStack(facts, json, values['fail-on']);
}

/** Options that `--from` excludes. */
const FOR_THIS_MACHINE = {
  '--record': 'records this machine',
  '--smoke': 'tests the GPUs of this machine',
  '--python': 'selects a Python of this machine',
} as const;

/** Slow steps are announced to people but not to programs. */
function sayOnTerminal(doing: string): void {
  if (process.stderr.isTTY) writeError(`${doing} ...\n`);
}

/** Tests the GPUs and prints the result. */
async function testGpus(facts: StackFacts, asJson: boolean): Promise<number> {
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

/** Frameworks are imported too, unless `refusal` rejects the interpreter or is absent. */
async function readFacts(wanted: Wanted, refusal?: Refusal): Promise<StackFacts> {
  const [{ readStack }, { thisMachine }, { runtimeCache }] = await Promise.all([
    import('../stack/readStack.ts'),
    import('../stack/machine/machine.ts'),
    import('../stack/runtime/runtimeCache.ts'),
  ]);
  const machine = thisMachine();
  const onAsk = (name: string) => sayOnTerminal(`asking ${name}`);
  const runtime = refusal && { refusal, cache: runtimeCache(machine), onAsk };
  return withNamedPython(await readStack({ ...wanted, machine, runtime }), wanted.interpreter);
}

/** The differences between a project's file and this machine. */
async function readRecord(wanted: Wanted): Promise<RecordedStack> {
  return recordOf(await readFacts(wanted));
}

async function recordOf(facts: StackFacts): Promise<RecordedStack> {
  const { recordStack } = await import('../diagnosis/record/recordStack.ts');
  return recordStack(facts);
}

/**
 * A folder may be somebody else's, so a Python found in it is not started; one that was named or activated, or that is
 * on the PATH, is the user's own.
 */
const refusal: Refusal = ({ chosenBy, prefix }) => {
  const isActivated = [process.env.VIRTUAL_ENV, process.env.CONDA_PREFIX].includes(prefix);
  if (isActivated || chosenBy !== 'workspace folder') return undefined;
  return `this Python was found in the current folder and not started; \`--python ${shownPath(prefix)}\` starts it`;
};
