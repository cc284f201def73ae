/** The Model Context Protocol around this command line. It is a bundle of its own, which no other command loads. */
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { execa } from 'execa';
import { isBelow } from '../files/paths.ts';
import { oneLine } from '../printable.ts';
import { FAILED } from './exitStatus.ts';
import { type Call, TOOLS } from './mcpTools.ts';
import { version } from './version.ts';

/** Serves the tools over standard input and output. */
export function serveTools(): void {
  serveStdio(() => {
    const server = new McpServer({ name: 'gpu-doctor', title: 'GPU Doctor', version });
    for (const { name, title, description, input, paths, call } of TOOLS)
      server.registerTool(
        name,
        { title, description, inputSchema: input, annotations: { readOnlyHint: true, openWorldHint: false } },
        async (given, { mcpReq }) => {
          const outside = await firstOutside(paths?.(given) ?? []);
          return outside === undefined ? answer(call(given), mcpReq.signal) : refusal(outside);
        },
      );
    return server;
  });
}

/**
 * The first path that leads out of the folder in which the server was started, links followed. An agent acts on what it has
 * read, which may be anybody's text, and reads no more of this machine than its user has shown it.
 */
async function firstOutside(paths: readonly string[]): Promise<string | undefined> {
  const root = await realpath(process.cwd());
  for (const each of paths) {
    const target = await realpath(each).catch(() => resolve(root, each));
    if (target !== root && !isBelow(target, root)) return each;
  }
  return undefined;
}

function refusal(path: string): CallToolResult {
  const text = `${path} lies outside of the folder in which gpu-doctor was started, ${process.cwd()}, and is not read.`;
  return { content: [{ type: 'text', text: oneLine(text) }], isError: true };
}

/** Characters of an answer; a model reads no more of it with profit. */
const LONGEST_ANSWER = 60_000;

/** Characters that a command may print, most of which are for nobody. */
const LONGEST_OUTPUT = 2 ** 26;

/** What a command prints. It runs in a process of its own, so that nothing that befalls it ends the conversation. */
async function answer({ args, input = '' }: Call, signal: AbortSignal): Promise<CallToolResult> {
  const [, program = ''] = process.argv;
  const { stdout, stderr, exitCode, failed } = await execa(process.execPath, [program, ...args], {
    // A command that ends early leaves its input unread.
    input,
    env: { NO_COLOR: '1' },
    cancelSignal: signal,
    maxBuffer: LONGEST_OUTPUT,
    stripFinalNewline: false,
    reject: false,
  });
  const whole = `${stdout}${stderr}`.trim();
  const left = whole.length - LONGEST_ANSWER;
  const text = left > 0 ? `${whole.slice(0, LONGEST_ANSWER)}\n\n(${left} more characters are left out.)` : whole;
  const isError = failed && (exitCode === undefined || exitCode >= FAILED);
  return { content: [{ type: 'text', text }], isError };
}
