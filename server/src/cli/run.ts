import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { condense } from '../explain/reading/condense.ts';
import { decodeText } from '../explain/reading/decode.ts';
import { LONGEST_PASTE, type Paste, readPaste } from '../explain/reading/paste.ts';
import { explanationText, unexplainedText } from '../report/explanation.ts';
import { paintFor } from '../report/paint.ts';
import { commandHelp } from './command.ts';
import { COMMANDS } from './commands.ts';
import { FAILED } from './exitStatus.ts';
import { explainHere, factsHere } from './explainHere.ts';
import { type Ended, type ProgramSurroundings, startProgram } from './program.ts';
import { writeError } from './standardError.ts';
import { UsageError } from './usage.ts';

/** `gpu-doctor run`: runs a program, explains its failure, and returns its exit status. */
export async function run(args: readonly string[]): Promise<number> {
  const [first, ...rest] = args;
  if (first === '--help' || first === '-h') {
    process.stdout.write(commandHelp(COMMANDS.run));
    return 0;
  }
  const command = first === '--' ? rest : args;
  const [program] = command;
  if (program === undefined) throw new UsageError('`run` needs a command: see `gpu-doctor run --help`');
  if (program.startsWith('-')) throw new UsageError(`there is no option \`${program}\`: put \`--\` before the command`);
  const { printed, ...ended } = await watchProgram(command);
  if (ended.trouble !== undefined) {
    writeError(`gpu-doctor: ${program} ${ended.trouble}\n`);
    return ended.trouble === 'does not exist' ? 127 : 126;
  }
  const status = statusOf(ended);
  // The user who ended the program knows the reason.
  if (status !== 0 && ended.signal !== 'SIGINT' && ended.signal !== 'SIGTERM')
    await explainFailure(await printed(), program);
  return status;
}

/** Runs a program and shows its output. `printed` reads what it wrote to standard error. */
export async function watchProgram(
  command: readonly string[],
  surroundings?: ProgramSurroundings,
): Promise<Ended & { readonly printed: () => Promise<Paste> }> {
  const tail = createTail();
  const show = (bytes: Buffer) => {
    process.stderr.write(bytes);
    tail.add(bytes);
  };
  const ended = await startProgram(command, show, surroundings);
  return { ...ended, printed: async () => readPaste(decodeText(await condense(tail.chunks()))) };
}

/** The exit status that a shell would return. */
export function statusOf({ code, signal }: Ended): number {
  if (signal) return 128 + (constants.signals[signal] ?? 0);
  return code ?? FAILED;
}

async function explainFailure(paste: Paste, program: string): Promise<void> {
  const { explanations, unknown } = await explainHere(paste, () => factsHere(pythonOf(program, paste.text)));
  const paint = paintFor(process.stderr);
  const said = unknown ? unexplainedText(unknown) : explanationText(explanations, paint);
  if (said !== '') process.stderr.write(`\n${paint('dim', '── GPU Doctor ──')}\n${said}`);
}

/**
 * The Python that ran: that of the packages in the traceback, otherwise the program itself or the one beside a script of
 * an environment. Undefined if neither shows it.
 */
export function pythonOf(program: string, text: string): string | undefined {
  const [, prefix] = ENVIRONMENT.exec(text) ?? [];
  const beside = (folder: string) => PYTHONS.map((name) => join(folder, name)).find((each) => existsSync(each));
  const ofTraceback =
    prefix === undefined ? undefined : (beside(join(prefix, 'bin')) ?? beside(join(prefix, 'Scripts')));
  if (ofTraceback !== undefined) return ofTraceback;
  if (/(?:^|[\\/])python[\d.]*(?:\.exe)?$/.test(program)) return /[\\/]/.test(program) ? resolve(program) : program;
  return /[\\/]/.test(program) ? beside(dirname(resolve(program))) : undefined;
}

/** The folder of an environment, in the path of one of its packages. */
const ENVIRONMENT = /File "([^"\n]{1,400}?)[\\/](?:lib[\\/]python3\.\d+t?|Lib)[\\/]site-packages[\\/]/;

const PYTHONS = ['python', 'python3', 'python.exe'];

interface Tail {
  add(bytes: Buffer): void;
  chunks(): AsyncIterable<Buffer>;
}

/** Keeps the start and the end of the output, each up to the length of a paste. */
function createTail(): Tail {
  const head: Buffer[] = [];
  const tail: Buffer[] = [];
  let headSize = 0;
  let tailSize = 0;
  return {
    add(bytes) {
      if (headSize < LONGEST_PASTE) {
        head.push(bytes);
        headSize += bytes.length;
        return;
      }
      tail.push(bytes);
      tailSize += bytes.length;
      while (tailSize - (tail[0]?.length ?? 0) > LONGEST_PASTE) tailSize -= tail.shift()?.length ?? 0;
    },
    async *chunks() {
      yield* head;
      yield* tail;
    },
  };
}
