/** Answers one tool call of a coding agent. */
import * as z from 'zod';
import { Trouble } from '../../files/trouble.ts';
import { nearest } from '../../nearest.ts';
import { printableLines } from '../../printable.ts';
import { ConfigurationError } from '../../settings/configuration.ts';
import { accessTo } from '../access.ts';
import { UsageError } from '../usage.ts';
import type { Answered, Context } from './context.ts';
import { Refusal } from './refusal.ts';
import { type InputOf, TOOLS, type ToolName } from './tools.ts';

export interface AnswerOptions {
  /** Folders that may be read in addition to the current one. */
  readonly allowed: readonly string[];
  /** The Python in use. */
  readonly python?: string | undefined;
}

export interface ToolAnswer {
  readonly text: string;
  /** Absent if there was an error. */
  readonly structured?: object;
  readonly isError: boolean;
}

type Answers = { readonly [Name in ToolName]: (input: InputOf<Name>, context: Context) => Promise<Answered<Name>> };

const ANSWERS: Answers = {
  explain_error: async (...call) => (await import('./explainError.ts')).explainError(...call),
  read_gpu_stack: async (...call) => (await import('./gpuStack.ts')).readGpuStack(...call),
  judge_report: async (input) => (await import('./gpuStack.ts')).judgeReport(input),
  check_code: async (...call) => (await import('./checkCode.ts')).checkCode(...call),
  show_rule: async (input) => (await import('./showRule.ts')).showRule(input),
  inspect_checkpoint: async (...call) => (await import('./inspectCheckpoint.ts')).inspectCheckpoint(...call),
  plan_environment: async (...call) => (await import('./planEnvironment.ts')).planForAgent(...call),
};

/** Maximum bytes of a page of an answer. */
const PAGE_BYTES = 9_800;

/** Returns the answer to a tool's JSON input. An invalid call also gets an answer. */
export async function answerTool(name: string, json: string, options: AnswerOptions): Promise<ToolAnswer> {
  try {
    if (!Object.hasOwn(TOOLS, name)) throw new Refusal(unknownTool(name));
    const tool = name as ToolName;
    const input = TOOLS[tool].input.safeParse(parsed(json));
    if (!input.success) throw new Refusal(`The input does not fit ${name}:\n${z.prettifyError(input.error)}`);
    const access = accessTo([process.cwd(), ...options.allowed, ...activeEnvironments()]);
    const context = { access, python: options.python };
    const answer = ANSWERS[tool] as (input: unknown, context: Context) => Promise<Answered>;
    const { text, structured } = await answer(input.data, context);
    return { text: pageOf(text.trim(), input.data.page ?? 1), structured, isError: false };
  } catch (error) {
    if (!isSentence(error)) throw error;
    const { message } = error;
    return { text: printableLines(`${message.charAt(0).toUpperCase()}${message.slice(1)}`), isError: true };
  }
}

const isSentence = (error: unknown): error is Error =>
  error instanceof Refusal ||
  error instanceof UsageError ||
  error instanceof ConfigurationError ||
  error instanceof Trouble;

function unknownTool(name: string): string {
  const likely = nearest(name, Object.keys(TOOLS));
  return `There is no tool ${name}${likely ? `: did you mean ${likely}?` : '.'}`;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new Refusal('The input is not JSON.');
  }
}

/** The environments that the user activated: their packages are read wherever they are. */
function activeEnvironments(): string[] {
  const { VIRTUAL_ENV, CONDA_PREFIX } = process.env;
  return [VIRTUAL_ENV, CONDA_PREFIX].filter((folder) => folder !== undefined && folder !== '') as string[];
}

/** Returns one page of a text, cut between lines, which says how to get the next one. */
function pageOf(text: string, page: number): string {
  const pages: string[] = [''];
  for (const part of text.match(/.{1,2000}\n?|\n/gu) ?? []) {
    const longer = `${pages.at(-1)}${part}`;
    if (Buffer.byteLength(longer) > PAGE_BYTES) pages.push(part);
    else pages[pages.length - 1] = longer;
  }
  const shown = pages[page - 1];
  if (shown === undefined)
    throw new Refusal(`The answer has ${pages.length === 1 ? '1 page' : `${pages.length} pages`}.`);
  const next = page < pages.length ? ` Pass page: ${page + 1} for the next one.` : '';
  return pages.length === 1 ? text : `${shown.trimEnd()}\n\n(Page ${page} of ${pages.length}.${next})`;
}
