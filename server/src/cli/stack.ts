import { readArguments, UsageError } from './usage.ts';

const HELP = `Read out this machine's GPU stack: GPUs, driver, CUDA, cuDNN, and the frameworks of the Python in use.

Usage: gpu-doctor stack [options]

Options:
  --json            Print the facts, each with its source, as JSON
  --python PATH     The Python to look at: a program or an environment's folder
  -h, --help        Show this help
`;

/** `gpu-doctor stack`: prints what is known of the stack, and why the rest is not. */
export async function stack(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, {
    json: { type: 'boolean' },
    python: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (positionals.length > 0) throw new UsageError(`\`stack\` takes no path: \`${positionals[0]}\``);
  const [{ readStack }, { thisMachine }, { judgeStack }, { stackText }] = await Promise.all([
    import('../stack/readStack.ts'),
    import('../stack/machine.ts'),
    import('../stack/verdicts.ts'),
    import('../stack/readout.ts'),
  ]);
  const facts = await readStack({ machine: thisMachine(), interpreter: values.python, folders: [process.cwd()] });
  const verdicts = judgeStack(facts);
  const text = values.json ? JSON.stringify({ ...facts, verdicts }, null, 2) : stackText(facts, verdicts);
  process.stdout.write(`${text.trimEnd()}\n`);
  return 0;
}
