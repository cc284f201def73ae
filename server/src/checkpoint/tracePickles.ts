import { stat } from 'node:fs/promises';
import { type Budget, createBudget } from './budget.ts';
import { type Bytes, metered, withFile } from './bytes.ts';
import { isTorchLegacy, readLegacy } from './pickle/legacy.ts';
import { readPickles } from './pickle/readPickle.ts';
import { traceOf } from './pickle/trace.ts';

/** What unpickling one of a file's pickles would do. */
export interface PickleTrace {
  /** Where it is: a member's name, or which of several it is. */
  readonly name: string;
  /** In the manner of Python. */
  readonly lines: readonly string[];
}

/** The pickles of a file, traced; empty for a format that has none, and for a folder. @throws the system's error */
export async function tracePickles(path: string, budget: Budget = createBudget()): Promise<PickleTrace[]> {
  const entry = await stat(path).catch(() => undefined);
  return entry?.isFile() ? withFile(path, (bytes) => traceBytes(metered(bytes, budget), budget)) : [];
}

async function traceBytes(bytes: Bytes, budget: Budget): Promise<PickleTrace[]> {
  const { formatsOf } = await import('./sniff.ts');
  const formats = await formatsOf(bytes, budget);
  const found: PickleTrace[] = [];
  if (formats.includes('zip')) {
    const [{ readArchive }, { picklesOf }] = await Promise.all([
      import('./encodings/zip.ts'),
      import('./formats/torch/zip.ts'),
    ]);
    const archive = await readArchive(bytes, budget);
    for (const pickle of typeof archive === 'object' ? await picklesOf(archive, budget) : [])
      found.push({ name: 'data.pkl', lines: traceOf(pickle) });
  }
  if (await isTorchLegacy(bytes, budget)) {
    const legacy = await readLegacy(bytes, 0, budget);
    for (const pickle of legacy?.pickles ?? []) found.push({ name: 'pickle', lines: traceOf(pickle) });
  } else if (formats.includes('pickle')) {
    for (const pickle of await readPickles(bytes, budget)) found.push({ name: 'pickle', lines: traceOf(pickle) });
  }
  return found.map(({ name, lines }, index) => ({ name: found.length > 1 ? `${name} ${index + 1}` : name, lines }));
}
