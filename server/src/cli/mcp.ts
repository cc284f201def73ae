import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { printableJson } from '../printable.ts';
import { FAILED } from './exitStatus.ts';
import { readArguments, UsageError } from './usage.ts';

/** `gpu-doctor mcp`: serves tools until standard input ends, or answers one call. */
export async function mcp(args: readonly string[]): Promise<number> {
  const read = readArguments('mcp', args);
  if (!read) return 0;
  const { positionals, values } = read;
  if (positionals.length > 0) throw new UsageError(`\`mcp\` accepts no argument: \`${positionals[0]}\``);
  const options = { allowed: values.allow ?? [], python: values.python };
  if (values.call !== undefined) {
    const { answerTool } = await import('./agents/answer.ts');
    const answer = await answerTool(values.call, await text(process.stdin), options);
    process.stdout.write(`${printableJson(answer)}\n`);
    return answer.isError ? FAILED : 0;
  }
  const { serveTools } = await import('./mcpServer.ts');
  serveTools(options);
  await once(process.stdin, 'end');
  return 0;
}
