import path from 'node:path';
import { oneLine } from '../../printable.ts';
import type { UnknownCause } from '../facts/facts.ts';
import type { CommandResult } from '../machine/command.ts';
import type { Machine } from '../machine/machine.ts';

/** The Python program, a folder with a `__main__.py`: next to this module, and next to the bundles. */
export const PROBE = path.join(import.meta.dirname, 'probe');

const SECOND = 1000;

/** A task for an interpreter and a framework. */
export interface ProbeTask {
  /** The interpreter's full path. */
  python: string;
  task: 'ask' | 'smoke';
  framework: 'torch' | 'tensorflow' | 'jax' | 'onnxruntime';
  /** Milliseconds. */
  timeout: number;
  signal?: AbortSignal;
}

/** The reason why the program ended early, including what it was doing. */
interface ProbeTrouble {
  cause: UnknownCause;
  reason: string;
}

/** Characters of each stream. TensorFlow itself prints some thousands. */
const MAX_OUTPUT = 1024 * 1024;

/** Milliseconds after which the program ends itself if nobody has killed it. */
const GRACE = 5 * SECOND;

/**
 * Runs the program in a separate process, outside the workspace: in the program's folder, so that a `torch.py` in the
 * workspace is not mistaken for the framework. Everything that affects the user's own imports, such as PYTHONPATH and
 * the user's site-packages, applies here too. No process outlives the limit, even if this process is killed.
 *
 * `onMessage` is called with each message, and returns true for the last one.
 */
export async function runProbe(
  machine: Machine,
  { python, task, framework, timeout, signal }: ProbeTask,
  onMessage: (message: unknown) => boolean,
): Promise<{ trouble?: ProbeTrouble; stderr: string }> {
  let doing: string | undefined;
  let done = false;
  const onLine = (line: string) => {
    const message = parseLine(line);
    if (isDoing(message)) doing = oneLine(message.doing);
    else if (message !== undefined && !done) done = onMessage(message);
  };
  const args = [PROBE, task, framework, String((timeout + GRACE) / SECOND)];
  const result = await machine.run(python, args, { timeout, maxOutput: MAX_OUTPUT, cwd: PROBE, signal, onLine });
  // Cutting off a flood of output makes the framework fail, which it may report as its own failure.
  const answered = done && result.failure !== 'tooMuchOutput';
  return { stderr: result.stderr, trouble: answered ? undefined : troubleOf(result, doing, python, timeout) };
}

/** Undefined for a line printed by something else, such as startup files of the environment. */
function parseLine(line: string): unknown {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === 'object' && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}

function isDoing(message: unknown): message is { doing: string } {
  return typeof (message as { doing?: unknown } | undefined)?.doing === 'string';
}

function troubleOf(result: CommandResult, doing: string | undefined, python: string, timeout: number): ProbeTrouble {
  const what = doing ?? 'the start of Python';
  const during = `during ${what}`;
  switch (result.failure) {
    case 'timedOut':
      return { cause: 'timedOut', reason: `${what} did not return within ${timeout / SECOND} s` };
    case 'killed':
      return { cause: 'failed', reason: `Python died of ${result.signal ?? 'a signal'} ${during}` };
    case 'tooMuchOutput':
      return { cause: 'unreadable', reason: `Python produced endless output ${during} and was stopped` };
    case 'aborted':
      return { cause: 'aborted', reason: `canceled ${during}` };
    case 'notFound':
      return { cause: 'absent', reason: `${python} is not an executable program` };
    case 'notPermitted':
      return { cause: 'refused', reason: 'no permission to start this Python' };
    case 'notStarted':
      return { cause: 'failed', reason: `${python} could not be started` };
  }
  const said = lastLine(result.stderr) ?? lastLine(result.stdout);
  const quoted = said === undefined ? '' : `: "${said}"`;
  if (result.exitCode !== 0)
    return { cause: 'failed', reason: `Python exited with code ${exitCode(result)} ${during}${quoted}` };
  return { cause: 'unreadable', reason: `Python did not respond${quoted}` };
}

/** Windows reports a crash as a status such as 0xC0000005, an access violation. */
function exitCode({ exitCode: code }: CommandResult): string {
  return code !== null && code > 0xffff ? `0x${code.toString(16).toUpperCase()}` : String(code);
}

const LONGEST_QUOTE = 200;

function lastLine(text: string): string | undefined {
  const line = oneLine(text.trim().split('\n').at(-1) ?? '');
  return line === '' || line.startsWith('{') ? undefined : line.slice(0, LONGEST_QUOTE);
}
