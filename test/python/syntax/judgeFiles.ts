/** Compares our trees of files with CPython's, as a worker thread. */
import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { INVALID, startJudge } from './cpython.ts';

export interface Verdicts {
  /** Files that CPython reads. */
  readonly compared: number;
  readonly differences: readonly string[];
}

const files: readonly string[] = workerData;
const judge = await startJudge();
let compared = 0;
const differences: string[] = [];
for (const file of files) {
  const text = decoded(await readFile(file));
  const verdict = text === undefined ? INVALID : judge.compare(text);
  if (verdict === INVALID) continue;
  compared++;
  if (verdict !== undefined) differences.push(`${file}: ${verdict}`);
}
parentPort?.postMessage({ compared, differences } satisfies Verdicts);

/** Undefined for what is no UTF-8. */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
