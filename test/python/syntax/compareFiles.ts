/** Compares our trees of files with CPython's, as a worker thread. */
import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { INVALID, startReference } from './cpython.ts';

export interface Verdicts {
  /** Number of files that CPython accepts. */
  readonly compared: number;
  readonly differences: readonly string[];
}

const files: readonly string[] = workerData;
const reference = await startReference();
let compared = 0;
const differences: string[] = [];
for (const file of files) {
  const text = decoded(await readFile(file));
  const verdict = text === undefined ? INVALID : reference.compare(text);
  if (verdict === INVALID) continue;
  compared++;
  if (verdict !== undefined) differences.push(`${file}: ${verdict}`);
}
parentPort?.postMessage({ compared, differences } satisfies Verdicts);

/** Returns undefined for a file that is not UTF-8. */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
