import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { type CancellationToken, type Connection, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import { CALL_TOOL, type ToolCall, type ToolCallResult } from '../protocol.ts';
import { knownValue } from '../stack/facts/facts.ts';
import { onRequest } from './messages.ts';
import type { Stack } from './stack.ts';

/** Answers tool calls of the editor's language models, in the folders and with the Python that the client selected. */
export function provideAgentTools(connection: Connection, stack: Stack): void {
  onRequest(connection, CALL_TOOL, async (call, token) => {
    const { folders, trusted, interpreter } = stack.scope();
    if (!trusted) {
      const text = 'GPU Doctor is not available to agents in Restricted Mode: the workspace is not trusted.';
      return { text, isError: true };
    }
    const latest = stack.latest();
    const python = (latest && knownValue(latest.interpreter)?.path) ?? interpreter;
    return callTool(call, { folders, python }, token);
  });
}

interface Surroundings {
  /** The folder in use comes first. */
  readonly folders: readonly string[];
  readonly python: string | undefined;
}

/** Maximum characters of an answer. */
const LONGEST_OUTPUT = 2 ** 26;

/** Runs `gpu-doctor mcp --call` in a separate process, so that no failure ends the server. */
async function callTool(
  { tool, input }: ToolCall,
  { folders: [folder = import.meta.dirname, ...others], python }: Surroundings,
  token: CancellationToken,
): Promise<ToolCallResult> {
  const args = [PROGRAM, 'mcp', `--call=${tool}`, ...others.map((other) => `--allow=${other}`)];
  if (python !== undefined) args.push(`--python=${python}`);
  const controller = new AbortController();
  token.onCancellationRequested(() => controller.abort());
  const { stdout, stderr } = await execa(process.execPath, args, {
    input: JSON.stringify(input),
    cwd: folder,
    env: { NO_COLOR: '1' },
    cancelSignal: controller.signal,
    maxBuffer: LONGEST_OUTPUT,
    reject: false,
  });
  const answer = parsed(stdout);
  if (answer) return { text: answer.text, isError: answer.isError };
  if (token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'Cancelled.');
  const [why = ''] = stderr.trim().split('\n', 1);
  throw new ResponseError(LSPErrorCodes.RequestFailed, `${tool} failed: ${why || 'its process ended early'}.`);
}

function parsed(output: string): ToolCallResult | undefined {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}

const BUNDLED = join(import.meta.dirname, 'cli.js');

/** The command line, next to the server's bundle or among the sources. */
const PROGRAM = existsSync(BUNDLED) ? BUNDLED : join(import.meta.dirname, '..', 'cli.ts');
