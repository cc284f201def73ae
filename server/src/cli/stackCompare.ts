import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { readCollected } from '../diagnosis/record/collectedStack.ts';
import { collectStacks, type StackCollection } from '../diagnosis/record/compareMany.ts';
import { jsonEntries } from '../diagnosis/record/jsonEntries.ts';
import type { RecordedStack } from '../diagnosis/record/recordedStack.ts';
import { describeSystemError } from '../files/trouble.ts';
import { FAILED, FOUND } from './exitStatus.ts';
import { writeError } from './standardError.ts';
import { UsageError } from './usage.ts';

/** The name of this machine in a comparison. */
const LIVE = 'live';

/**
 * `gpu-doctor stack --compare A B ...`: compares project files, JSON read-outs (possibly several in one file or on
 * standard input), and this machine. Returns the exit status: 0 if they are equal, 1 if they differ, 2 if something
 * could not be read.
 */
export async function printComparison(
  sources: readonly string[],
  asJson: boolean,
  readLive: () => Promise<RecordedStack>,
): Promise<number> {
  if (sources.length === 0)
    throw new UsageError('`--compare` requires something to compare: files, `live`, or `-` for standard input');
  if (sources.filter((source) => source === '-').length > 1) throw new UsageError('`-` can be given once');
  const stacks = collectStacks();
  const troubles: string[] = [];
  for (const source of sources) {
    try {
      if (source === LIVE) stacks.add({ name: LIVE, record: await readLive(), isFile: false });
      else troubles.push(...(await readSource(source, stacks)));
    } catch (error) {
      troubles.push(`${nameOf(source)} ${describeSystemError(error)}`);
    }
  }
  for (const trouble of troubles) writeError(`error: ${trouble}${trouble.endsWith('?') ? '' : '.'}\n`);
  const comparison = stacks.count > 1 ? stacks.compare() : undefined;
  if (!comparison) {
    if (troubles.length === 0) writeError('error: there is only one stack, and nothing to compare it with.\n');
    return FAILED;
  }
  const { comparisonJson, renderComparison } = await import('../report/stackComparison.ts');
  const { paintFor } = await import('../report/paint.ts');
  process.stdout.write(
    asJson ? `${comparisonJson(comparison)}\n` : await renderComparison(comparison, paintFor(process.stdout)),
  );
  return troubles.length > 0 ? FAILED : comparison.groups.length > 0 ? FOUND : 0;
}

const nameOf = (source: string): string => (source === '-' ? 'standard input' : source);

/** Adds the content of a source, and returns the problems with it, each a sentence without its period. */
async function readSource(source: string, stacks: StackCollection): Promise<string[]> {
  if (source !== '-' && !(await beginsAsJson(source))) return readFileOfProject(source, stacks);
  const input = source === '-' ? process.stdin : createReadStream(source);
  input.setEncoding('utf8');
  const troubles: string[] = [];
  let count = 0;
  // The name of the first one depends on whether it is the only one.
  let first: RecordedStack | undefined;
  const add = (name: string, record: RecordedStack) => stacks.add({ name, record, isFile: false });
  for await (const entry of jsonEntries(input as AsyncIterable<string>)) {
    count = entry.number;
    const { host, record, trouble } = readCollected(entry);
    const place = `${nameOf(source)}, entry ${entry.number}`;
    if (trouble !== undefined) troubles.push(`${place}${host === undefined ? '' : ` (${host})`} ${trouble}`);
    else if (record && host === undefined && entry.number === 1) first = record;
    else if (record) add(host ?? place, record);
  }
  if (first) add(count === 1 ? nameOf(source) : `${nameOf(source)}, entry 1`, first);
  return count === 0 ? [`${nameOf(source)} is empty`] : troubles;
}

/** True if the first character other than white space starts a JSON object or array. */
async function beginsAsJson(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1024), 0, 1024, 0);
    return /^\ufeff?\s*[[{]/.test(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await file.close();
  }
}

/** Reads a gpu-stack.yaml, or a post about a machine. */
async function readFileOfProject(path: string, stacks: StackCollection): Promise<string[]> {
  const [{ readRecord }, { describedFacts }, { recordStack }] = await Promise.all([
    import('../diagnosis/record/readRecord.ts'),
    import('./describedMachine.ts'),
    import('../diagnosis/record/recordStack.ts'),
  ]);
  const text = await readAll(createReadStream(path));
  if (text.trim() === '') return [`${path} is empty`];
  const { record } = readRecord(text);
  if (record) stacks.add({ name: path, record, isFile: true });
  if (record) return [];
  const described = await describedFacts(text, path);
  if ('trouble' in described) return [described.trouble.replace(/\.$/, '')];
  stacks.add({ name: path, record: recordStack(described.facts), isFile: false });
  return [];
}
