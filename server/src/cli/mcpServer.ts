/** The Model Context Protocol for the coding agents' tools. It is a separate bundle, which no other command loads. */
import { type CallToolResult, McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { execa } from 'execa';
import type { AnswerOptions, ToolAnswer } from './agents/answer.ts';
import { INSTRUCTIONS, TOOLS } from './agents/tools.ts';
import { version } from './version.ts';

/** Serves the tools over standard input and output. */
export function serveTools(options: AnswerOptions): void {
  serveStdio(() => {
    const server = new McpServer({ name: 'gpu-doctor', title: 'GPU Doctor', version }, { instructions: INSTRUCTIONS });
    for (const [name, { title, description, input }] of Object.entries(TOOLS))
      server.registerTool(
        name,
        {
          title,
          description,
          inputSchema: input,
          annotations: { readOnlyHint: true, openWorldHint: false },
        },
        async (given: object, { mcpReq }: ServerContext) => answer(name, given, options, mcpReq.signal),
      );
    return server;
  });
}

/** Maximum number of characters that the process may print. */
const LONGEST_OUTPUT = 2 ** 26;

/** Answers a call in a separate process, so that no failure ends the session. */
async function answer(
  name: string,
  input: object,
  { allowed, python }: AnswerOptions,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const [, program = ''] = process.argv;
  const args = ['mcp', `--call=${name}`, ...allowed.map((folder) => `--allow=${folder}`)];
  if (python !== undefined) args.push(`--python=${python}`);
  const { stdout, stderr } = await execa(process.execPath, [program, ...args], {
    // A process that exits early does not read its input.
    input: JSON.stringify(input),
    env: { NO_COLOR: '1' },
    cancelSignal: signal,
    maxBuffer: LONGEST_OUTPUT,
    reject: false,
  });
  const { text, isError } = parsed(stdout) ?? { text: failure(stderr), isError: true };
  return { content: [{ type: 'text', text }], isError };
}

function parsed(output: string): ToolAnswer | undefined {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}

function failure(said: string): string {
  return `GPU Doctor could not answer: ${said.trim().split('\n', 1)[0] || 'its process ended early'}.`;
}
