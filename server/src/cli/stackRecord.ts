import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import type { Verdict } from '../diagnosis/judgeStack.ts';
import type { RecordedStack } from '../diagnosis/record/recordedStack.ts';
import { RECORD_FILE } from '../diagnosis/record/recordFile.ts';
import { rewriteRecord, writeRecord } from '../diagnosis/record/recordText.ts';
import { describeSystemError, Trouble } from '../files/trouble.ts';
import { replaceProjectFile, writeWhole } from '../files/write.ts';
import { FAILED } from './exitStatus.ts';
import { writeError } from './standardError.ts';

/** `gpu-doctor stack --record [FILE]`: writes the stack into the project's file, whose comments stay. */
export async function recordStack(record: RecordedStack, path: string = RECORD_FILE): Promise<number> {
  try {
    const before = await textIfThere(path);
    const text = before === undefined ? writeRecord(record) : rewriteRecord(before, record);
    if (text === undefined) throw new Trouble('is no YAML mapping, and is left as it is: remove it first');
    if (text === before) writeError(`${path} is up to date.\n`);
    else {
      if (before === undefined) await writeWhole(path, text);
      else await replaceProjectFile(path, Buffer.from(text));
      writeError(`${before === undefined ? 'Wrote' : 'Updated'} ${path}.\n`);
    }
    return 0;
  } catch (error) {
    const clause = error instanceof Trouble ? error.message : describeSystemError(error);
    writeError(`error: ${path} ${clause}.\n`);
    return FAILED;
  }
}

/**
 * Whether a stack may be recorded as one that is known to work: one with which something is wrong is asked for on a
 * terminal, and refused elsewhere.
 */
export async function mayRecord(verdicts: readonly Verdict[]): Promise<boolean> {
  const wrong = verdicts.filter(({ severity }) => severity !== 'information');
  if (wrong.length === 0) return true;
  for (const { finding } of wrong) writeError(`${finding}\n`);
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    writeError('error: this stack is not recorded as one that is known to work; `--force` records it all the same.\n');
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question('Record it all the same? [y/N] ');
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

async function textIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
