import { once } from 'node:events';
import { readArguments, UsageError } from './usage.ts';

const HELP = `Serve this command line's answers to a coding agent, as tools of the Model Context Protocol.

Usage: gpu-doctor mcp

The agent starts it, in the folder of the project, and speaks over standard input and output. It can have errors explained,
the GPU stack read, code judged, checkpoints looked into and environments planned. Nothing is written, installed or run.

Options:
  -h, --help        Show this help
`;

/** `gpu-doctor mcp`: serves tools until standard input ends. */
export async function mcp(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { help: { type: 'boolean', short: 'h' } });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (positionals.length > 0) throw new UsageError(`\`mcp\` takes no argument: \`${positionals[0]}\``);
  const { serveTools } = await import('./mcpServer.ts');
  serveTools();
  await once(process.stdin, 'end');
  return 0;
}
