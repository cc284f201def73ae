import { once } from 'node:events';
import { readArguments, UsageError } from './usage.ts';

/** `gpu-doctor mcp`: serves tools until standard input ends. */
export async function mcp(args: readonly string[]): Promise<number> {
  const read = readArguments('mcp', args);
  if (!read) return 0;
  const { positionals } = read;
  if (positionals.length > 0) throw new UsageError(`\`mcp\` takes no argument: \`${positionals[0]}\``);
  const { serveTools } = await import('./mcpServer.ts');
  serveTools();
  await once(process.stdin, 'end');
  return 0;
}
