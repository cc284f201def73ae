import { createInterface } from 'node:readline/promises';
import type { Verdict } from '../diagnosis/judgeStack.ts';
import type { RecordedStack } from '../diagnosis/record/recordedStack.ts';
import { RECORD_FILE } from '../diagnosis/record/recordFile.ts';
import { rewriteRecord, writeRecord } from '../diagnosis/record/recordText.ts';
import { describeSystemError, Trouble } from '../files/trouble.ts';
import { replaceProjectFile, writeWhole } from '../files/write.ts';
import { readProjectFile } from '../projectFile.ts';
import { renderPatch } from '../report/diff.ts';
import { FAILED } from './exitStatus.ts';
import { writeError } from './standardError.ts';

interface RecordOptions {
  /** The file to write; `gpu-stack.yaml` by default. */
  readonly path?: string | undefined;
  /** Replaces a record of another stack without asking. */
  readonly force?: boolean | undefined;
}

/**
 * `gpu-doctor stack --record [FILE]`: writes the stack to the project's file, keeps the comments in it, and returns the
 * exit status. A record of another stack is shared work, so it is replaced only after the user has seen the difference
 * and agreed.
 */
export async function recordStackIn(
  record: RecordedStack,
  { path = RECORD_FILE, force = false }: RecordOptions = {},
): Promise<number> {
  try {
    const before = textIfThere(path);
    const text = before === undefined ? writeRecord(record) : rewriteRecord(before, record);
    if (text === undefined) throw new Trouble('is not a YAML mapping and was left unchanged: remove it first');
    if (text === before) {
      writeError(`${path} is up to date.\n`);
      return 0;
    }
    if (before !== undefined && !force && !(await mayReplace(path, before, text))) return FAILED;
    if (before === undefined) await writeWhole(path, text);
    else await replaceProjectFile(path, Buffer.from(text));
    writeError(`${before === undefined ? 'Wrote' : 'Updated'} ${path}.\n`);
    return 0;
  } catch (error) {
    const clause = error instanceof Trouble ? error.message : describeSystemError(error);
    writeError(`error: ${path} ${clause}.\n`);
    return FAILED;
  }
}

/**
 * Returns true if a stack may be recorded as known to work. For a stack with problems it asks on a terminal; without a
 * terminal it returns false.
 */
export async function mayRecord(verdicts: readonly Verdict[]): Promise<boolean> {
  const wrong = verdicts.filter(({ severity }) => severity !== 'information');
  if (wrong.length === 0) return true;
  for (const { finding } of wrong) writeError(`${finding}\n`);
  if (isTerminal()) return confirm('Record it anyway?');
  writeError('error: the stack has problems and was not recorded; `--force` records it anyway.\n');
  return false;
}

/** Shows the difference and asks on a terminal; without a terminal it does not allow the change. */
async function mayReplace(path: string, before: string, text: string): Promise<boolean> {
  if (!isTerminal()) {
    writeError(`error: ${path} records another stack and was not changed; \`--force\` replaces it.\n`);
    return false;
  }
  writeError(renderPatch(path, before, text));
  if (await confirm(`Replace the stack that ${path} records?`)) return true;
  writeError(`${path} was not changed.\n`);
  return false;
}

function isTerminal(): boolean {
  return Boolean(process.stdin.isTTY && process.stderr.isTTY);
}

async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

function textIfThere(path: string): string | undefined {
  try {
    return readProjectFile(path, 'record').toString('utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
